import CommandSupport
import ArgumentParser
import FoundationEssentials
import HunchDBus
import HunchKit
import Localization

/// `hunch doctor`: reports what is missing, each with the command that fixes it. Changes something only with `--fix`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: localized("Report what is missing, each with the command that fixes it."),
        discussion: localized(
            """
            Starts nothing and changes nothing without --fix. With --fix, it says what each repair does and asks before it \
            begins: switch Hunch on, end a pause, restart an agent that hangs, and fill the gazetteer. It does not install \
            packages. Afterwards it checks again and shows what changed. Exit code 3: something is missing; 0: nothing is, \
            or it is switched off or not available on this machine.

            Example:
              hunch doctor
              hunch doctor --json
              hunch doctor --fix
            """))

    @Flag(help: .localized("Offer to do what is recommended."))
    var fix = false

    @Flag(help: .localized("With --fix: do everything without asking."))
    var yes = false

    @Flag(
        help: .localized(
            """
            Write one JSON object a line, one for each check; with --fix, of the checks after the \
            repairs.
            """))
    var json = false

    func validate() throws {
        guard fix || !yes else { throw ValidationError(localized("--yes belongs to --fix")) }
    }

    func run() async throws {
        guard !fix || yes || Terminal.canAsk else {
            throw CommandError(
                localized(
                    """
                    --fix needs a terminal to ask before each repair; say --yes to do everything that it \
                    recommends
                    """),
                ExitStatus.badInput, code: "notConfirmed")
        }
        let diagnosis = Diagnosis(environment: ProcessInfo.processInfo.environment)
        var findings = try await diagnosis.run()
        if !(fix && json) { for finding in findings { try write(finding) } }
        if fix { findings = try await repair(findings, diagnosis) }
        if findings.contains(where: { $0.state == .missing }) { throw CommandError(nil, ExitStatus.systemFailure) }
    }

    private func write(_ finding: Finding) throws {
        if json { return try Output.raw(Output.json(finding)) }
        try Output.raw(
            "\(finding.state.mark) \(Terminal.output.bold(finding.subject)): \(Output.plain(finding.message))"
        )
        if let remedy = finding.remedy { try Output.line("    " + localized("fix it with: %1", remedy)) }
    }

    // MARK: Repairs

    /// Offers and carries out repairs until there are no new ones, and shows what changed.
    ///
    /// - Returns: the results after the repairs.
    private func repair(_ findings: [Finding], _ diagnosis: Diagnosis) async throws -> [Finding] {
        var session = FixSession(findings)
        var findings = findings
        while true {
            var isChanged = false
            for fix in session.next(findings) {
                guard try yes || TerminalQuestion.confirm(fix.question) else { continue }
                if yes { Output.complain(fix.command) }
                isChanged = true
                // A repair that fails says so. The others may work nevertheless.
                do {
                    try await FixRunner(isQuiet: json, asks: !yes).run(fix)
                } catch {
                    let failure = CommandError(error)
                    if let message = failure.message { Output.complain(message) }
                }
            }
            guard isChanged else { break }
            findings = try await diagnosis.run()
        }
        if json {
            for finding in findings { try write(finding) }
            return findings
        }
        let changes = session.changes(findings)
        if changes.isEmpty {
            try Output.line(
                session.offered.isEmpty ? localized("There is nothing to fix here.") : localized("Nothing changed."))
        }
        for change in changes {
            if let current = change.current {
                try write(current)
            } else if let former = change.former {
                try Output.raw(
                    "✓ "
                        + localized(
                            "%1: gone: %2", Terminal.output.bold(former.subject),
                            Output.plain(former.message)))
            }
        }
        return findings
    }
}
