import CommandSupport
import PlaceCommands
import AgentInterface
import ArgumentParser
import HunchKit
import HunchModel
import Localization

/// `hunch activity`: lists activities and continues one.
struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: localized("List the activities that apps show, and continue them."),
        discussion: localized(
            """
            Apps report activities while they run, and Hunch keeps them in memory only. “hunch forget --app” also forgets what \
            was recorded because of them. “hunch directions --current” shows routes to the place that is on the screen.

            Example:
              hunch activity current
              hunch activity list --json
              hunch activity continue a1b2
            """),
        subcommands: [Current.self, List.self, Continue.self], defaultSubcommand: Current.self)

    /// `hunch activity current`.
    struct Current: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "current",
            abstract: localized("Show the current activity."),
            discussion: localized(
                """
                Exit code 1: no activity is current.

                Example:
                  hunch activity current --json
                """))

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() async throws {
            let shown = try await CurrentActivity.get()
            if json { return try Output.raw(Output.json(ActivityFields(shown))) }
            let activity = shown.activity
            var table = Table(localized("Field"), localized("Value"))
            table.add(localized("id"), shown.id)
            table.add(localized("app"), shown.application.rawValue)
            table.add(localized("title"), activity.title)
            table.add(localized("type"), activity.type)
            if let place = activity.place { table.add(localized("place"), CurrentActivity.label(place)) }
            if let phone = activity.place?.phoneNumber { table.add(localized("phone"), phone) }
            if let url = activity.webPageURL { table.add(localized("url"), url) }
            if !activity.keywords.isEmpty {
                table.add(localized("keywords"), activity.keywords.joined(separator: ", "))
            }
            try table.print()
        }
    }

    /// `hunch activity list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: localized("List the activities of apps, the latest first."),
            discussion: localized(
                """
                Exit code 1: no app reports an activity.

                Example:
                  hunch activity list
                  hunch activity list --app org.example.Guide --json
                """))

        @Option(help: .localized("The maximum number of lines, 1 to 200."))
        var limit: UInt32 = 20
        @Option(help: .localized("Only those of this app, by its desktop identifier.", valueName: "app"))
        var app: AppID?
        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError(localized("--limit is 1 to 200")) }
        }

        func run() async throws {
            let (limit, app) = (limit, app)
            let shown = try await AgentSession.run { agent in
                try await agent.requireToldOf()
                return try await agent.recentActivities(limit: limit, of: app)
            }
            guard !shown.isEmpty else { throw CommandError(CurrentActivity.nothing, ExitStatus.nothingFound) }
            try Table.list(
                shown.map(ActivityFields.init), json: json, localized("ID"), localized("Activity"), localized("App"),
                localized("Place")
            ) { fields in
                let shown = fields.shown
                return [
                    shown.id, shown.activity.title,
                    shown.isEnded
                        ? localized("%1 (ended)", shown.application.rawValue) : shown.application.rawValue,
                    shown.activity.place.map(CurrentActivity.label) ?? "",
                ]
            }
        }
    }

    /// `hunch activity continue`.
    struct Continue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "continue",
            abstract: localized("Open the app at an activity."),
            discussion: localized(
                """
                Continues in the app if it supports that; otherwise opens the activity's web page, or else the app.

                Example:
                  hunch activity continue a1b2
                """))

        @Argument(help: .localized("The identifier from “hunch activity list”, or its first letters."))
        var id: String
        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func validate() throws {
            if id.isEmpty { throw ValidationError(localized("give an activity; “hunch activity list” names them")) }
        }

        func run() async throws {
            let id = id
            let fields = try await AgentSession.run { agent in
                try await agent.requireToldOf()
                let only = try NearName.only(
                    beginningWith: id, among: try await agent.recentActivities(limit: 200).map(\.id),
                    several: { localized("%1 activities begin with “%2”; give more letters", $0, id) },
                    elsewise: localized("no activity begins with “%1”; “hunch activity list” lists them", id))
                return ContinuedFields(id: only, way: try await agent.continueActivity(only))
            }
            try fields.write(json: json)
        }
    }
}
