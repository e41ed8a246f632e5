import CommandSupport
import ArgumentParser
import FoundationEssentials
import HunchKit
import HunchModel
import Localization

/// `hunch exclude`.
struct ExcludeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: localized("Exclude an app or a folder: record and suggest nothing from it."),
        discussion: localized(
            """
            Name the app as “hunch apps” shows it: by its name or its desktop entry. An app that is not installed must be running or in the history. A script is \
            script:NAME. A folder or a file is named by a path with a slash. What was recorded of it stays until “hunch forget”. \
            Exit code 2: there is no such app.

            Example:
              hunch exclude org.example.Podcasts
              hunch exclude ~/Documents/Diary
              hunch exclude --list
              hunch exclude --undo org.example.Podcasts
            """))

    @Argument(
        help: .localized("The app's name or desktop identifier, or the path of a folder."), completion: .directory)
    var app: AppID?
    @Flag(help: .localized("List the excluded apps and folders."))
    var list = false
    @Flag(help: .localized("End the exclusion of the app or the folder."))
    var undo = false
    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let app: AppID
        let excluded: Bool
    }

    func run() async throws {
        guard list == (app == nil), !(list && undo) else {
            throw CommandError(localized("name an app or a folder, or say --list"), ExitStatus.badInput)
        }
        guard let app else {
            let applications = try await AgentSession.run { try await $0.exclusions() }
            for application in applications {
                try Output.line(
                    json
                        ? Output.json(Fields(app: application, excluded: true))
                        : Output.plain(application.rawValue))
            }
            guard applications.isEmpty else { return }
            throw CommandError(localized("nothing is excluded"), ExitStatus.nothingFound)
        }
        guard !app.isEmpty else { throw CommandError(localized("the app has no name"), ExitStatus.badInput) }
        let undo = undo
        let path = Self.path(app.rawValue)
        let environment = ProcessInfo.processInfo.environment
        let (excluded, fault) = try await AgentSession.run { agent -> (AppID, String?) in
            guard undo else {
                if let path {
                    guard FileManager.default.fileExists(atPath: path) else {
                        throw CommandError(localized("there is no folder or file “%1”", path), ExitStatus.badInput)
                    }
                    _ = try await agent.exclude(AppID(path))
                    return (AppID(path), nil)
                }
                let known = try await KnownApps(environment: environment).identifier(
                    app, mayBeScript: true, agent: agent)
                _ = try await agent.exclude(known)
                return (known, nil)
            }
            // The exclusion of an uninstalled app can be undone, too.
            let app = path.map { AppID($0) } ?? app
            if try await agent.include(app) { return (app, nil) }
            let excluded = try await agent.exclusions()
            let players = try await KnownApps.players(agent)
            if let named = try KnownApps(environment: environment).named(app, among: Set(excluded), players: players),
                try await agent.include(named)
            {
                return (named, nil)
            }
            return (
                app,
                NearName.fault(
                    localized("%1 is not excluded", app), app.rawValue, among: excluded.map(\.rawValue))
            )
        }
        if json { try Output.raw(Output.json(Fields(app: excluded, excluded: !undo))) }
        if let fault { throw CommandError(fault, ExitStatus.nothingFound, isInOutput: json) }
        if !json { try Output.line(Output.plain(Self.sentence(excluded, isPath: path != nil, undone: undo))) }
    }

    /// Returns the sentence that says what is excluded, or no longer is.
    private static func sentence(_ app: AppID, isPath: Bool, undone: Bool) -> String {
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        let name = isPath ? app.rawValue : apps.name(of: app)
        if undone { return localized("%1 is no longer excluded.", name) }
        return localized(
            "%1 is excluded: nothing of it is recorded or suggested from now on. “hunch exclude --undo %2” undoes that.",
            name, ShellWord(app.rawValue))
    }

    /// Returns the absolute path that an argument names; `nil` for an app, whose identifier has no slash.
    private static func path(_ argument: String) -> String? {
        guard argument.contains("/") else { return nil }
        var path = URL(filePath: argument).standardizedFileURL.path
        while path.hasSuffix("/"), path.utf8.count > 1 { path.removeLast() }
        return path
    }
}
