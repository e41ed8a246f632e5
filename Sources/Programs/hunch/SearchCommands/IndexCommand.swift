import ArgumentParser
import CommandSupport
import FoundationEssentials
import HunchKit
import HunchModel
import Localization
import SearchIndexes

/// `hunch index`: imports items into the search index, lists its parts and removes them.
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: localized(
            "Import items into the search index, list its parts, remove them, and have apps index again."),
        discussion: localized(
            """
            “hunch find” finds the items. Apps index theirs over D-Bus.

            Example:
              hunch index import notes.jsonl --index notes
              hunch index list
              hunch index export > items.jsonl
              hunch index remove notes
              hunch index rebuild
            """),
        subcommands: [Import.self, Export.self, List.self, Rebuild.self, Remove.self], defaultSubcommand: List.self)

    /// Returns the source of an index on the command line. Scripts are called like their index unless they say otherwise.
    static func source(_ name: String, of application: AppID?) -> IndexSource {
        IndexSource(application: application ?? AppID("script:\(name)"), name: name)
    }

    /// `hunch index export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: localized("Write all items of the search index: JSON Lines."),
            discussion: localized(
                """
                Each line has the members that “hunch index import” reads, “app” and “index” among them. With --opened, each line is \
                an item, perhaps with words, and how often you saw and opened it among results. Exit code 1: there are none.

                Example:
                  hunch index export > items.jsonl
                  hunch index import items.jsonl
                  hunch index export --index notes | hunch index import - --index copy
                """))

        @Option(help: .localized("Only items of this app or script.", valueName: "app"))
        var app: AppID?
        @Option(help: .localized("Only items of the index with this name.", valueName: "name"))
        var index: String?
        @Flag(help: .localized("Write the results that you saw and opened instead."))
        var opened = false

        func validate() throws {
            if opened, index != nil { throw ValidationError(localized("--opened cannot be combined with --index")) }
        }

        func run() async throws {
            let store = try IndexAccess.reader()
            defer { store?.close() }
            var count = 0
            let write: (String) throws -> Void = { line in
                count += 1
                try Output.raw(line)
            }
            if opened { try store?.exportOpened(of: app, write) } else { try store?.export(of: app, in: index, write) }
            guard count > 0 else {
                throw CommandError(localized("there are no such items"), ExitStatus.nothingFound)
            }
        }
    }

    /// `hunch index list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: localized("List the indexes of apps and scripts, with the numbers of their items."),
            discussion: localized(
                """
                Exit code 1: there are none.

                Example:
                  hunch index list --json
                """))

        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        private struct Fields: Encodable {
            let app: AppID
            let index: String
            let items: Int
        }

        func run() async throws {
            let sources = try IndexAccess.reader()?.sources() ?? []
            guard !sources.isEmpty else {
                throw CommandError(
                    localized("nothing is indexed; see “hunch index import --help”"), ExitStatus.nothingFound)
            }
            try Table.list(
                sources.map { Fields(app: $0.source.application, index: $0.source.name, items: $0.items) },
                json: json, localized("App"), localized("Index"), localized("Items")
            ) { [$0.app.rawValue, $0.index, "\($0.items)"] }
        }
    }

    /// `hunch index rebuild`.
    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rebuild",
            abstract: localized("Ask apps to index all of their content again."),
            discussion: localized(
                """
                The agent asks one app after the other in the background, and starts those that do not run. Apps that cannot \
                be asked index their content when they run. Exit code 1: no app can be asked.

                Example:
                  hunch index rebuild
                  hunch index rebuild org.example.Notes
                """))

        @Argument(help: .localized("The app. Default: all apps that can be asked.", valueName: "app"))
        var app: AppID?
        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        private struct Fields: Encodable { let app: AppID }

        func run() async throws {
            // An agent replaces a damaged file itself. There may be none.
            do { try IndexAccess.reader()?.close() } catch let error as IndexError where error.code == .unreadable {
                try IndexAccess.store().close()
            }
            let app = app
            let asked = try await AgentSession.run { try await $0.rebuildIndex(of: app) }
            for application in asked {
                if json {
                    try Output.raw(Output.json(Fields(app: application)))
                } else {
                    try Output.line(localized("%1 is asked to index its content", application))
                }
            }
        }
    }

    /// `hunch index remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: localized("Remove an index, or some of its items. Nothing of them stays on the disk."),
            discussion: localized(
                """
                Apps may index removed items again. Exit code 1: there is no such index or item.

                Example:
                  hunch index remove notes
                  hunch index remove notes --id 41
                  hunch index remove messages --app org.example.Mail
                """))

        @Argument(help: .localized("The name of the index.", valueName: "name"))
        var index: String
        @Option(
            help: .localized("The app or script that owns it. Default: script:NAME.", valueName: "app"))
        var app: AppID?
        @Option(help: .localized("Remove only the item with this identifier. May be repeated.", valueName: "id"))
        var id: [String] = []

        func run() async throws {
            // “script:notes” in the list of all indexes is the index “notes” of this script.
            let name = app == nil ? AppID(index).scriptName ?? index : index
            let source = IndexCommand.source(name, of: app)
            let store = try IndexAccess.exists ? try IndexAccess.store() : nil
            defer { store?.close() }
            guard let store, try store.names(of: source.application).contains(name) else {
                throw CommandError(
                    localized("%1 has no index “%2”; “hunch index list” shows all", source.application, name),
                    ExitStatus.nothingFound)
            }
            let removed = try store.remove(source, identifiers: id.isEmpty ? nil : id) ?? 0
            guard id.isEmpty || removed > 0 else {
                throw CommandError(
                    localized("the index has no such item; “hunch find” shows identifiers"), ExitStatus.nothingFound)
            }
            try Output.line(localizedPlural("%1 item removed", "%1 items removed", removed))
            let missing = Set(id).count - removed
            if missing > 0 {
                Output.complain(
                    localizedPlural("%1 item is not in the index", "%1 items are not in the index", missing))
            }
        }
    }
}
