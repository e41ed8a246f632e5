import AgentInterface
import ArgumentParser
import CommandSupport
import EventLoops
import FoundationEssentials
import HunchDBus
import HunchModel

/// `hunch-dev check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check all that an app declares for Hunch in its desktop entry.",
        discussion: """
            The command reads the desktop entry, looks whether the entry identifies the app's program, and calls the interfaces \
            that the entry names. It starts the app if the bus can start it. Exit code 0: nothing is wrong; 1: there is no such \
            entry; 2: something is wrong. For an app that offers content, “hunch-dev conformance” checks every requirement.

            Example:
              hunch-dev check org.example.Radio
              hunch-dev check org.example.Notes --json
            """)

    @Argument(help: "The desktop identifier of the app, without .desktop.")
    var app: AppID

    @Flag(help: "Write one JSON object a line, one for each check.")
    var json = false

    func run() async throws {
        let check = try AppCheck(app, environment: ProcessInfo.processInfo.environment)
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        let bus = try? await Connection.open(.session(), on: loop)
        let findings = await check.findings(on: bus)
        await bus?.close()
        for finding in findings { try finding.tell(json: json) }
        let failed = findings.count { $0.outcome == .failed }
        guard failed > 0 else { return }
        throw CommandError(
            "\(failed) of \(findings.count) checks of \(app) failed", ExitStatus.badInput, code: "failed",
            isInOutput: true)
    }
}
