import CommandSupport
import ArgumentParser
import FoundationEssentials
import HunchDBus
import HunchKit

/// `hunch doctor`: reports what is missing, each with the command that fixes it. Starts and changes nothing.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what is missing, each with the command that fixes it.",
        discussion: """
            Starts nothing and changes nothing. Exit code 3: something is missing; 0: nothing is, or it is switched off or \
            not available on this machine.

            Example:
              hunch doctor
              hunch doctor --json
            """)

    @Flag(help: "Write one JSON object a line, one for each check.")
    var json = false

    func run() async throws {
        let findings = try await Diagnosis(environment: ProcessInfo.processInfo.environment).run()
        let terminal = Terminal.output
        for finding in findings {
            if json {
                try Output.raw(Output.json(finding))
                continue
            }
            let message = Output.plain(finding.message)
            try Output.raw("\(finding.state.mark) \(terminal.bold(finding.subject)): \(message)")
            if let remedy = finding.remedy { try Output.line("    mend it with: \(remedy)") }
        }
        if findings.contains(where: { $0.state == .missing }) { throw CommandError(nil, ExitStatus.systemFailure) }
    }
}

/// The result of one check.
struct Finding: Encodable, Sendable {
    /// The state of a check or a requirement.
    enum State: String, Encodable, Sendable {
        /// It works.
        case ok
        /// It works with limits.
        case limited
        /// Media or directions do not work.
        case missing

        /// The mark at the start of the line.
        var mark: String {
            switch self {
            case .ok: "✓"
            case .limited: "•"
            case .missing: "✗"
            }
        }
    }

    let check: String
    let subject: String
    let state: State
    let message: String
    let remedy: String?

    init(_ check: String, _ subject: String, _ state: State, _ message: String, remedy: String? = nil) {
        self.check = check
        self.subject = subject
        self.state = state
        self.message = message
        self.remedy = remedy
    }

    private enum Key: CodingKey { case check, subject, state, message, remedy }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(check, forKey: .check)
        try container.encode(subject, forKey: .subject)
        try container.encode(state, forKey: .state)
        try container.encode(message, forKey: .message)
        try container.encode(remedy, forKey: .remedy)
    }
}
