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
        abstract: localized("Exclude an app: record and suggest nothing from it."),
        discussion: localized(
            """
            Name the app by its desktop entry. An app that is not installed must be running or in the history. A script is \
            script:NAME. What was recorded of it stays until “hunch forget --app APP”. Exit code 2: there is no such app.

            Example:
              hunch exclude org.example.Podcasts
              hunch exclude --list
              hunch exclude --undo org.example.Podcasts
            """))

    @Argument(help: .localized("The app's desktop identifier."))
    var app: AppID?
    @Flag(help: .localized("List the excluded apps."))
    var list = false
    @Flag(help: .localized("End the exclusion of the app."))
    var undo = false
    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let application: AppID
        let excluded: Bool
    }

    func run() async throws {
        guard list == (app == nil), !(list && undo) else {
            throw CommandError(localized("name an app, or say --list"), ExitStatus.badInput)
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
            throw CommandError(localized("no app is excluded"), ExitStatus.nothingFound)
        }
        guard !app.isEmpty else { throw CommandError(localized("the app has no name"), ExitStatus.badInput) }
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
                    localized("%1 is not excluded", app), app.rawValue,
                    among: try await agent.exclusions().map(\.rawValue))
            )
        }
        if json { try Output.raw(Output.json(Fields(application: excluded, excluded: !undo))) }
        if let fault { throw CommandError(fault, ExitStatus.nothingFound, isInOutput: json) }
    }
}
