import ArgumentParser
import CommandSupport
import HunchKit
import HunchModel
import Localization

/// `hunch open`: opens an item that `hunch find` found.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: localized("Open an item that “hunch find” found."),
        discussion: localized(
            """
            Continues in the app at that item if it supports that; otherwise opens the item's “url”, or else the app. Exit code \
            1: there is no such item.

            Example:
              hunch open 41
              hunch open 41 --app org.example.Notes
              hunch open 41 --find "dim sum"
            """))

    @Argument(help: .localized("The identifier from “hunch find”."))
    var id: String
    @Option(
        help: .localized("The app or script of the item, if several have one with this identifier.", valueName: "app"))
    var app: AppID?
    @Option(
        help: .localized(
            "The words that found it. The app gets them, and “hunch find” finds it earlier for them.", valueName: "text"
        ))
    var find: String?
    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func run() async throws {
        let (id, app, find) = (id, app, find)
        let fields = try await AgentSession.run { agent in
            ContinuedFields(id: id, way: try await agent.openItem(id, of: app, for: find, isUnfinished: false))
        }
        try fields.write(json: json)
    }
}
