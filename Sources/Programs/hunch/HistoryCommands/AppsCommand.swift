import CommandSupport
import Apps
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel
import Regions
import SearchIndexes
import Localization

/// `hunch apps`: lists the apps that take part.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: localized("List the apps that take part, and how."),
        discussion: localized(
            """
            Roles: player, it runs as a media player, or what it played was recorded; content, it offers playable \
            content; activities, it continues activities, or it had places on the screen; donations, it donated \
            actions; routing, it shows routes or places; search, “hunch find” finds its content.

            The history does not state who reported an action. So “player” includes apps that donate plays, and \
            “donations” is certain but not complete: Hunch itself records plays, directions, calls and opened items \
            too, and only actions that differ from its own show that an app donates.

            Apps that are excluded, or that may read actions or places, are listed even without a role. Running \
            players are known only while the agent runs; the command does not start it. Exit code 1: no app takes part.

            Example:
              hunch apps
              hunch apps --json
            """))

    @Argument(help: .localized("Only this app: its name or desktop identifier."))
    var app: AppID?
    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let application: AppID
        let name: String
        let installed: Bool
        let roles: [AppRole]
        let recorded: Int
        let kinds: [String: Int]
        let last: RecordedTime?
        let excluded: Bool
        let reader: Bool
        /// Whether it may read the places that the user looked at; absent if the user has not decided.
        let places: Bool?
        private let isWebService: Bool

        private enum CodingKeys: String, CodingKey {
            case application, name, installed, roles, recorded, kinds, last, excluded, reader, places
        }

        init(_ app: ParticipatingApps.App) {
            application = app.application
            name = app.name
            (installed, isWebService) = (app.isInstalled, app.isWebService)
            roles = app.roles
            recorded = app.records.actions
            kinds = Dictionary(uniqueKeysWithValues: app.records.kinds.map { ($0.key.rawValue, $0.value) })
            last = app.records.last.map(RecordedTime.init)
            excluded = app.isExcluded
            reader = app.isReader
            places = app.mayReadPlaces
        }

        /// The roles and the user's settings in words.
        var words: String {
            let settings = [
                (excluded, localized("excluded")), (reader, localized("reads other apps' actions")),
                (places == true, localized("reads the places you looked at")),
                (isWebService, localized("web service")),
                (!installed && !isWebService && application.scriptName == nil, localized("not installed")),
            ]
            return (roles.map(\.words) + settings.filter(\.0).map(\.1)).joined(separator: ", ")
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var apps = ParticipatingApps()
        if let store = try HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment)) {
            try apps.add(store)
        }
        do {
            let index = try IndexAccess.reader()
            defer { index?.close() }
            try index.map { try apps.add($0) }
        } catch let error as IndexError {
            Output.complain(error.message)
        }
        apps.add(
            InstalledApps(environment: environment), try RegionIndex(folders: CoverageFolder.ofThisMachine),
            environment: environment)
        apps.add(players: await Self.players())
        let all = apps.all(AppNames(environment: environment)).map(Fields.init)
        var fields = all
        if let app {
            let known = KnownApps(environment: environment)
            let taking = Set(all.map(\.application))
            guard let named = try known.named(app, among: taking) else {
                throw CommandError(known.fault(app, among: taking), ExitStatus.nothingFound, code: "unknownApp")
            }
            fields = all.filter { $0.application == named }
            if fields.isEmpty {
                throw CommandError(localized("%1 does not take part yet", named), ExitStatus.nothingFound)
            }
        }
        try Table.list(
            fields, json: json, localized("App"), localized("Name"), localized("Takes part as"), localized("Recorded"),
            localized("Last")
        ) {
            [$0.application.rawValue, $0.name, $0.words, "\($0.recorded)", $0.last?.words ?? ""]
        }
        if fields.isEmpty {
            throw CommandError(
                localized("no app takes part yet; play something, or install a map app"), ExitStatus.nothingFound)
        }
    }

    /// Returns the apps of the running players; none if the agent does not run or does not answer.
    private static func players() async -> [AppID] {
        let players = try? await AgentSession.run { agent in
            try await agent.isRunning() ? agent.players().map(\.application) : []
        }
        return players ?? []
    }
}
