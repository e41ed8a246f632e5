import ArgumentParser
import CommandSupport
import FoundationEssentials
import HunchKit
import HunchModel
import Localization
import SearchIndexes

/// `hunch open`: opens an item that `hunch find` found.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: localized("Open an item that “hunch find” found."),
        discussion: localized(
            """
            Continues in the app at that item if it supports that; otherwise opens the item's “url”, or else the app. Writes the \
            title and the text of a script's item without “url”. Exit code 1: there is no such item.

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
        if try showsOwnItem() { return }
        let (id, app, find) = (id, app, find)
        let fields = try await AgentSession.run { agent in
            ContinuedFields(id: id, way: try await agent.openItem(id, of: app, for: find, isUnfinished: false))
        }
        try fields.write(json: json)
    }

    /// Shows a script's item without an address, which no app opens. Returns whether it is one.
    private func showsOwnItem() throws -> Bool {
        // The agent deals with an index that cannot be read.
        guard let store = try? IndexAccess.reader() else { return false }
        defer { store.close() }
        let now = Date()
        let hits = try store.items(identifier: id, now: now).filter { hit in
            app.map { $0 == hit.source.application } ?? true
        }
        guard let hit = hits.first, hit.source.application.scriptName != nil, hit.attributes["url"] == nil,
            hits.allSatisfy({ $0.source.application == hit.source.application })
        else { return false }
        try ContinuedFields(id: id, way: "text", title: hit.title, text: try store.text(of: hit)).write(json: json)
        do {
            try learnOpening(of: hit, at: now)
        } catch {
            Output.complain(localized("could not record that you opened it: %1", "\(error)"))
        }
        return true
    }

    private func learnOpening(of hit: SearchHit, at now: Date) throws {
        guard try IndexAccess.isRecorded(hit.source.application) else { return }
        let store = try IndexAccess.store()
        defer { store.close() }
        let options = SearchOptions(excluded: try IndexAccess.exclusions(), now: now)
        try store.learnOpening(of: id, in: hit.source, for: find ?? "", options)
    }
}
