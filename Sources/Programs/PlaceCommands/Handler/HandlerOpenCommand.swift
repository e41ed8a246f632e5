import CommandSupport
import AgentInterface
import ArgumentParser
import Directions
import FoundationEssentials
import Glibc
import EventLoops
import History
import HunchDBus
import HunchKit
import HunchModel
import Localization

/// `hunch handler open`: the command that the desktop starts for a link.
struct HandlerOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: localized("Open a link as the desktop does when Hunch is its handler."),
        discussion: localized(
            """
            If the agent runs and does not know yet which app you want, it asks with a \
            notification. Without a terminal, failures are notifications too.

            Example:
              hunch handler open "geo:60.1699,24.9384"
            """))

    @Argument(help: .localized("The link: geo:, maps:, directions: or one of a map service."))
    var link: String

    @OptionGroup var coverage: CoverageOptions

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Outcome: Encodable {
        let asked: Bool
        let app: AppID?
        let uri: String?

        private enum Key: String, CodingKey { case asked, app, uri }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(asked, forKey: .asked)
            try container.encode(app, forKey: .app)
            try container.encode(uri, forKey: .uri)
        }
    }

    func run() async throws {
        do {
            let outcome = try await open()
            if json { try Output.raw(Output.json(outcome)) }
        } catch {
            let failure = CommandError(error)
            if isatty(STDERR_FILENO) == 0, let message = failure.message { await Self.show(message) }
            throw failure
        }
    }

    private func open() async throws -> Outcome {
        let environment = ProcessInfo.processInfo.environment
        let isOff = Self.isSwitchedOff(environment)
        let link = isOff ? link : try await OnlineLookup.followed(link, environment: environment)
        let request = try DirectionsRequest(uri: link)
        let recent = RecentHandoverFile(environment: environment)
        let cameBack = recent?.change { $0.arrive(request, at: $1) }
        if isOff, cameBack == nil,
            let app = try RoutePlanner(regions: try coverage.index(), environment: environment).passOn(link)
        {
            recent?.change { $0.note(app, for: request, at: $1) }
            return Outcome(asked: false, app: app, uri: link)
        }
        if !isOff, cameBack == nil, let outcome = try await openByAgent(request, environment) {
            if let app = outcome.app { recent?.change { $0.note(app, for: request, at: $1) } }
            return outcome
        }
        let resolved = try await RouteEnds(environment: environment).resolved(request)
        let planner = RoutePlanner(regions: try coverage.index(), environment: environment)
        let offers = try await planner.plan(for: resolved.request, isLink: true, cameBack: cameBack ?? []).offers
        var best = offers.first
        // The same link twice within two seconds: an app handed it back, or the user clicked again because nothing
        // happened.
        if cameBack != nil, let plain = offers.first(where: { $0.launch.desktopID == planner.defaultApplication }) {
            best = plain
        }
        guard let best else {
            throw CommandError(
                localized("no app can show a route to the place in %1", link.cut(to: 200)), ExitStatus.nothingFound)
        }
        let app = best.launch.desktopID ?? best.app.id
        recent?.change { $0.note(app, for: request, at: $1) }
        try await planner.open(best, for: resolved.request, isChosen: false)
        return Outcome(asked: false, app: app, uri: best.launch.uri)
    }

    /// Whether the user switched Hunch off, so that links go to the app that would open them without Hunch.
    private static func isSwitchedOff(_ environment: [String: String]) -> Bool {
        guard let path = try? HistoryStore.defaultPath(environment: environment),
            let store = try? HistoryStore.openReadOnly(at: path), let settings = try? store.settings()
        else { return false }
        return settings.wasDecided && !settings.isEnabled
    }

    /// Lets the agent open the link or ask. Returns `nil` if no agent runs.
    private func openByAgent(
        _ request: DirectionsRequest, _ environment: [String: String]
    ) async throws -> Outcome? {
        var query = DirectionsQuery(uri: request.uri)
        query.ask = "unsure"
        let tried = Handover(environment: environment, now: Date()).applications
        query.excluded = tried.isEmpty ? nil : tried
        let asked = query
        do {
            return try await AgentSession.run { agent -> Outcome? in
                guard try await agent.isRunning() else { return nil }
                let answer = try await agent.suggestDirections(asked)
                if answer.resolved.hasAsked == true { return Outcome(asked: true, app: nil, uri: nil) }
                guard let first = answer.suggestions.first?.lastElement,
                    let offered = try await agent.suggestions().first(where: { $0.id == first })
                else { return nil }
                try await agent.accept(
                    first, activationToken: ActivationToken.given(environment), isAutomatic: true)
                return Outcome(asked: false, app: offered.application, uri: nil)
            }
        } catch let error as CommandError where error.code == "actionFailed" {
            throw error
        } catch {
            // A clicked link opens without a session bus or an agent, too.
            return nil
        }
    }

    /// Shows a failure as a notification, because nobody reads the output of a program without a terminal.
    private static func show(_ message: String) async {
        guard let loop = try? EventLoop(), (try? loop.start(name: "hunch")) != nil else { return }
        defer { loop.stop() }
        let environment = ProcessInfo.processInfo.environment
        guard let bus = try? await Connection.open(BusAddress.session { environment[$0] }, on: loop) else { return }
        let hints: VariantMap = ["desktop-entry": .string(HunchNames.desktopEntry)]
        let body: [Value] = [
            .string("Hunch"), .uint32(0), .string(HunchNames.desktopEntry),
            .string(localized("The link does not open")),
            .string(Output.plain(Output.cut(message))), [String]().dbusValue, hints.dbusValue, .int32(-1),
        ]
        _ = try? await bus.reply(
            to: MethodCall(
                "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
                "Notify", body: body), timeout: .seconds(5))
        await bus.close()
    }
}
