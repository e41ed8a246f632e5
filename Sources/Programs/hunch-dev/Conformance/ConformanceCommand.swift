import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import EventLoops
import HunchDBus
import HunchModel

/// `hunch-dev conformance`.
struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check an app that offers content, requirement by requirement.",
        discussion: """
            The app must be running, with its identifier as bus name, or with the name that its entry has as X-Hunch-BusName. \
            The command starts neither it nor the agent. Nothing is played unless you name an item \
            with --play. Exit code 0: the app meets every requirement that was checked; 1: it does not run; 2: it breaks one.

            Example:
              hunch-dev conformance org.example.Radio
              hunch-dev conformance org.example.Radio --play night-bus/41 --json
            """)

    @Argument(help: "The desktop identifier of the app, without .desktop.")
    var app: AppID

    @Option(help: "Also have this item played.")
    var play: String?

    @Flag(help: "Write one JSON object a line, one for each requirement.")
    var json = false

    func validate() throws {
        do {
            _ = try ObjectPath(application: BusName(app.rawValue))
            if let play { try ContentItem.check(identifier: play) }
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run() async throws {
        let findings: [ConformanceFinding]
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        do {
            let bus = try await Connection.open(.session(), on: loop)
            let suite = try ConformanceSuite(
                application: app, on: bus, play: play, environment: ProcessInfo.processInfo.environment)
            findings = try await suite.run { try $0.tell(json: json) }
            await bus.close()
        } catch let error as DBusError {
            throw CommandError(error.message, ExitStatus.systemFailure)
        }
        let failed = findings.filter { $0.outcome == .failed }.count
        guard failed > 0 else { return }
        throw CommandError(
            "\(app) does not keep \(failed) of \(findings.count) requirements", ExitStatus.badInput, code: "failed",
            isInOutput: true)
    }
}
