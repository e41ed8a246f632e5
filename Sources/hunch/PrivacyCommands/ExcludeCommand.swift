import CommandSupport
import ArgumentParser
import FoundationEssentials
import HunchKit
import HunchModel

/// `hunch exclude`.
struct ExcludeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Exclude an app: record and suggest nothing from it.",
        discussion: """
            Name the app by its desktop entry. An app that is not installed must be running or in the history. A script is \
            script:NAME. What was recorded of it stays until “hunch forget --app APP”. Exit code 2: there is no such app.

            Example:
              hunch exclude org.example.Podcasts
              hunch exclude --list
              hunch exclude --undo org.example.Podcasts
            """)

    @Argument(help: "The app's desktop identifier.")
    var app: AppID?
    @Flag(help: "List the excluded apps.")
    var list = false
    @Flag(help: "End the exclusion of the app.")
    var undo = false
    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let application: AppID
        let excluded: Bool
    }

    func run() async throws {
        guard list == (app == nil), !(list && undo) else {
            throw CommandError("name an app, or say --list", ExitStatus.badInput)
        }
        guard let app else {
            let applications = try await AgentSession.run { try await $0.exclusions() }
            for application in applications {
                try Output.line(
                    json
                        ? Output.json(Fields(application: application, excluded: true))
                        : Output.plain(application.rawValue))
            }
            guard applications.isEmpty else { return }
            throw CommandError("no app is excluded", ExitStatus.nothingFound)
        }
        guard !app.isEmpty else { throw CommandError("the app has no name", ExitStatus.badInput) }
        let undo = undo
        let environment = ProcessInfo.processInfo.environment
        let (excluded, fault) = try await AgentSession.run { agent -> (AppID, String?) in
            guard undo else {
                let known = try await KnownApps(environment: environment).identifier(
                    app, mayBeScript: true, agent: agent)
                _ = try await agent.exclude(known)
                return (known, nil)
            }
            // The exclusion of an uninstalled app can be undone, too.
            if try await agent.include(app) { return (app, nil) }
            return (
                app,
                NearName.fault(
                    "\(app) is not excluded", app.rawValue, among: try await agent.exclusions().map(\.rawValue))
            )
        }
        if json { try Output.raw(Output.json(Fields(application: excluded, excluded: !undo))) }
        if let fault { throw CommandError(fault, ExitStatus.nothingFound, isInOutput: json) }
    }
}

/// `hunch keep`: sets how long data is kept, and which sensitive data is recorded.
struct KeepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Set how long data is kept, and whether messages, calls and places are recorded.",
        discussion: """
            Without options, prints the settings.

            Example:
              hunch keep --days 30
              hunch keep --record calls
              hunch keep --record location
            """)

    @Option(help: "The number of days, 1 to 3650.")
    var days: UInt32?
    @Option(help: ArgumentHelp("Record messages, calls or location.", valueName: "category"))
    var record: [String] = []
    @Option(help: ArgumentHelp("Stop recording messages, calls or location.", valueName: "category"))
    var omit: [String] = []
    @Flag(help: "Write one JSON object.")
    var json = false

    private struct Fields: Encodable {
        let days: UInt32
        let categories: [String: Bool]
    }

    func run() async throws {
        let (days, record, omit) = (days, record, omit)
        if let both = record.first(where: omit.contains) {
            throw CommandError("“\(both)” cannot be both recorded and omitted; say one", ExitStatus.badInput)
        }
        let fields = try await AgentSession.run { agent in
            if let days { try await agent.setRetention(days: days) }
            for category in record { try await agent.setCategory(category, isRecorded: true) }
            for category in omit { try await agent.setCategory(category, isRecorded: false) }
            let kept = try await agent.retention()
            return Fields(days: kept.days, categories: kept.categories)
        }
        if json {
            try Output.raw(Output.json(fields))
            return
        }
        var table = Table("What", "Kept")
        table.add("anything", "\(fields.days) days at most")
        for (category, isRecorded) in fields.categories.sorted(by: { $0.key < $1.key }) {
            table.add(category, isRecorded ? "recorded" : "not recorded")
        }
        try table.print()
    }
}
