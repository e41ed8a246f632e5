import ArgumentParser
import CommandSupport
import FoundationEssentials
import Glibc
import HunchKit
import HunchModel
import JSON
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

    /// `hunch index import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: localized("Add items to an index: JSON Lines."),
            discussion: localized(
                """
                Each line is an object with “id” and “title”, and perhaps “text”, “domain”, “keywords”, “url”, “created” and other \
                attributes. An item replaces the one with the same “id” in this index. A line that cannot be read is reported \
                with its number and skipped. Exit code 2: a line was skipped.

                Example:
                  echo '{"id":"41","title":"Dim sum","text":"at Yank Sing"}' | hunch index import - --index notes
                  hunch index import notes.jsonl --index notes --as script:notes
                """))

        /// The longest line, in bytes: the largest item, with room for escapes.
        private static let lineLimit = 2 << 20

        /// The most lines whose faults are shown.
        private static let shownFaults = 20

        @Argument(
            help: .localized("A file of JSON Lines; “-” for standard input.", valueName: "file"), completion: .file())
        var file: String
        @Option(help: .localized("The name of the index.", valueName: "name"))
        var index: String
        @Option(
            help: .localized("The owner of the items: script:NAME. Default: the name of the index.", valueName: "app"))
        var `as`: AppID?
        @Flag(help: .localized("Write one JSON object with the numbers of items."))
        var json = false

        private struct Fields: Encodable {
            let indexed: Int
            let skipped: Int
        }

        func validate() throws {
            guard self.as.map({ $0.rawValue.hasPrefix("script:") && $0.rawValue.utf8.count > 7 }) ?? true else {
                throw ValidationError(localized("--as takes script:NAME; apps index their own items over D-Bus"))
            }
            guard (1...IndexSource.nameLimit).contains(index.utf8.count) else {
                throw ValidationError(localized("--index takes a name of 1 to %1 bytes", IndexSource.nameLimit))
            }
        }

        func run() async throws {
            let descriptor = try InputFile.open(file)
            defer { if descriptor != STDIN_FILENO { close(descriptor) } }
            let store = try IndexAccess.store()
            defer { store.close() }
            let source = IndexCommand.source(index, of: self.as)
            try IndexAccess.checkRecording(of: source.application)
            try store.beginImport()
            var (skipped, number) = (0, 0)
            var writing = Writing(store: store, source: source)
            var lines = InputLines(limit: Self.lineLimit, of: descriptor)
            while let line = lines.next() {
                number += 1
                guard line.fault != nil || line.text.contains(where: { !$0.isWhitespace }) else { continue }
                do {
                    try await writing.add(Self.item(line), size: line.text.utf8.count)
                } catch let error as IndexError where error.code == .invalidInput {
                    skipped += 1
                    if skipped <= Self.shownFaults { Output.complain(localized("line %1: %2", number, error.message)) }
                }
            }
            let indexed = try await writing.finish()
            try lines.check(file)
            if json {
                try Output.raw(Output.json(Fields(indexed: indexed, skipped: skipped)))
            } else {
                try Output.line(localizedPlural("%1 item indexed", "%1 items indexed", indexed))
            }
            if skipped > 0 {
                throw CommandError(
                    localizedPlural("%1 line was skipped", "%1 lines were skipped", skipped), ExitStatus.badInput,
                    isInOutput: json)
            }
        }

        /// Writes batches of items while the next ones are read.
        private struct Writing {
            /// The largest batch, in items and in bytes of input.
            private static let batch = (items: 20_000, bytes: 8 << 20)

            let store: IndexStore
            let source: IndexSource
            private var pending: [IndexChange] = []
            private var size = 0
            private var count = 0
            private var task: Task<Void, any Error>?

            init(store: IndexStore, source: IndexSource) {
                self.store = store
                self.source = source
            }

            mutating func add(_ item: SearchableItem, size: Int) async throws {
                pending.append(.add(item))
                self.size += size
                if pending.count >= Self.batch.items || self.size >= Self.batch.bytes { try await write() }
            }

            private mutating func write() async throws {
                let batch = pending
                (pending, size) = ([], 0)
                let prepared = try store.prepare(batch)
                try await task?.value
                task = Task { [store, source] in try store.write(prepared, to: source, now: Date()) }
                count += batch.count
            }

            /// Writes the rest. Returns the number of items.
            mutating func finish() async throws -> Int {
                try await write()
                try await task?.value
                // Otherwise the agent does it.
                try? store.checkpoint()
                return count
            }
        }

        private static func item(_ line: InputLines.Line) throws -> SearchableItem {
            switch line.fault {
            case .tooLong: throw IndexError(.invalidInput, localized("the line has more than %1 bytes", lineLimit))
            case .notUTF8: throw IndexError(.invalidInput, localized("the line is not UTF-8"))
            case nil: break
            }
            var bytes = Array(line.text.utf8)
            bytes.append(0)
            let value = try bytes.withUnsafeBufferPointer { buffer in
                var scanner = JSONScanner(nulTerminated: buffer)
                do throws(JSONScanner.Fault) {
                    let value = try scanner.value()
                    try scanner.finish()
                    return value
                } catch {
                    throw IndexError(
                        .invalidInput, localized("column %1: %2", scanner.place(of: error.offset).column, error.reason))
                }
            }
            return try SearchableItem(json: value)
        }
    }

    /// `hunch index export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: localized("Write all items of the search index: JSON Lines."),
            discussion: localized(
                """
                Each line has the members that “hunch index import” reads, and “app” and “index”. With --opened, each line is \
                an item, perhaps with words, and how often you saw and opened it among results. Exit code 1: there are none.

                Example:
                  hunch index export > items.jsonl
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
            let application: AppID
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
                sources.map { Fields(application: $0.source.application, index: $0.source.name, items: $0.items) },
                json: json, localized("App"), localized("Index"), localized("Items")
            ) { [$0.application.rawValue, $0.index, "\($0.items)"] }
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

        private struct Fields: Encodable { let application: AppID }

        func run() async throws {
            let app = app
            let asked = try await AgentSession.run { try await $0.rebuildIndex(of: app) }
            for application in asked {
                if json {
                    try Output.raw(Output.json(Fields(application: application)))
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
            let source = IndexCommand.source(index, of: app)
            let store = try IndexAccess.exists ? try IndexAccess.store() : nil
            defer { store?.close() }
            guard let store, try store.names(of: source.application).contains(index) else {
                throw CommandError(
                    localized("%1 has no index “%2”; “hunch index list” shows all", source.application, index),
                    ExitStatus.nothingFound)
            }
            let removed =
                try id.isEmpty ? store.remove(source) ?? 0 : store.write([.delete(id)], to: source, now: Date())
            if !id.isEmpty {
                // Also of items that were removed when this failed before.
                try store.removeTraces()
                guard removed > 0 else {
                    throw CommandError(
                        localized("the index has no such item; “hunch find” shows identifiers"), ExitStatus.nothingFound
                    )
                }
            }
            try Output.line(localizedPlural("%1 item removed", "%1 items removed", removed))
        }
    }
}
