import CommandReports
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
        let app: ParticipatingApps.App
        let report: ParticipatingApp

        init(_ app: ParticipatingApps.App) {
            self.app = app
            var report = ParticipatingApp(app.application, name: app.name)
            report.installed = app.isInstalled
            report.roles = app.roles.map(\.rawValue)
            report.recorded = app.records.actions
            report.kinds = Dictionary(uniqueKeysWithValues: app.records.kinds.map { ($0.key.rawValue, $0.value) })
            report.last = app.records.last.map { RecordedTime($0).text }
            (report.excluded, report.reader, report.places) = (app.isExcluded, app.isReader, app.mayReadPlaces)
            self.report = report
        }

        func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

        /// The roles and the user's settings in words.
        var words: String {
            let settings = [
                (app.isExcluded, localized("excluded")), (app.isReader, localized("reads other apps' actions")),
                (app.mayReadPlaces == true, localized("reads the places you looked at")),
                (app.isWebService, localized("web service")),
                (
                    !app.isInstalled && !app.isWebService && app.application.scriptName == nil,
                    localized("not installed")
                ),
            ]
            return (app.roles.map(\.words) + settings.filter(\.0).map(\.1)).joined(separator: ", ")
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
            let taking = Set(all.map(\.app.application))
            guard let named = try known.named(app, among: taking) else {
                throw CommandError(known.fault(app, among: taking), ExitStatus.nothingFound, code: "unknownApp")
            }
            fields = all.filter { $0.app.application == named }
            if fields.isEmpty {
                throw CommandError(localized("%1 does not take part yet", named), ExitStatus.nothingFound)
            }
        }
        try Table.list(
            fields, json: json, localized("App"), localized("Name"), localized("Takes part as"), localized("Recorded"),
            localized("Last")
        ) {
            [
                $0.app.application.rawValue, $0.app.name, $0.words, "\($0.app.records.actions)",
                $0.app.records.last.map { RecordedTime($0).words } ?? "",
            ]
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
