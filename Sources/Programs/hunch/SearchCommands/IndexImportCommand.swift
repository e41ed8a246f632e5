import ArgumentParser
import CommandSupport
import FoundationEssentials
import Glibc
import HunchKit
import HunchModel
import JSON
import Localization
import SearchIndexes

extension IndexCommand {
    /// `hunch index import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: localized("Add items to an index: JSON Lines."),
            discussion: localized(
                """
                Each line is an object with “id” and “title”, and perhaps “text”, “domain”, “keywords”, “url”, “created” and other \
                attributes. The desktop's search shows items with a “url”, which it opens. An item replaces the one with the same \
                “id” in this index. Without --index, each line names its “index”, as “hunch index export” writes it. A line that \
                cannot be read is reported with its number and skipped. Exit code 2: a line was skipped.

                Example:
                  echo '{"id":"41","title":"Dim sum","text":"at Yank Sing"}' | hunch index import - --index notes
                  hunch index import notes.jsonl --index notes --as script:notes
                  hunch index import items.jsonl
                """))

        /// The longest line, in bytes: the largest item, with room for escapes.
        private static let lineLimit = 2 << 20

        /// The most lines whose faults are shown.
        private static let shownFaults = 20

        @Argument(
            help: .localized("A file of JSON Lines; “-” for standard input.", valueName: "file"), completion: .file())
        var file: String
        @Option(help: .localized("The name of the index. Default: the “index” of each line.", valueName: "name"))
        var index: String?
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
            guard index.map({ (1...IndexSource.nameLimit).contains($0.utf8.count) }) ?? true else {
                throw ValidationError(localized("--index takes a name of 1 to %1 bytes", IndexSource.nameLimit))
            }
        }

        func run() async throws {
            let descriptor = try InputFile.open(file)
            defer { if descriptor != STDIN_FILENO { close(descriptor) } }
            let store = try IndexAccess.store()
            defer { store.close() }
            if let index { try IndexAccess.checkRecording(of: IndexCommand.source(index, of: self.as).application) }
            try store.beginImport()
            var (unreadable, expired, number, isFirst) = (0, 0, 0, true)
            var faults = LineFaults(limit: Self.shownFaults)
            let now = Date()
            var writing = Writing(store: store)
            var lines = InputLines(limit: Self.lineLimit, of: descriptor)
            while let line = lines.next() {
                number += 1
                let text = line.text.trimmingPrefix(while: \.isWhitespace)
                guard line.fault != nil || !text.isEmpty else { continue }
                if isFirst, text.first == "[" || text == "{" {
                    let remedy = text.first == "[" ? "jq -c '.[]'" : "jq -c ."
                    throw CommandError(
                        localized("the file is not JSON Lines, which have one object a line; “%1” makes them", remedy),
                        ExitStatus.badInput)
                }
                isFirst = false
                do {
                    unreadable += 1
                    let value = try Self.value(line)
                    let item = try SearchableItem(json: value)
                    unreadable -= 1
                    try await writing.add(item, to: source(of: value), size: line.text.utf8.count)
                    if let expiry = item.expiry, expiry <= now { expired += 1 }
                } catch let error as IndexError where error.code == .invalidInput {
                    faults.note(error.message, line: number)
                    if unreadable == Self.shownFaults, unreadable == number {
                        throw CommandError(
                            localized("none of the first lines is an item; see “hunch index import --help”"),
                            ExitStatus.badInput)
                    }
                }
            }
            let indexed = try await writing.finish()
            faults.finish()
            let skipped = faults.lines
            try lines.check(file)
            if json {
                try Output.raw(Output.json(Fields(indexed: indexed, skipped: skipped)))
            } else {
                try Output.line(localizedPlural("%1 item indexed", "%1 items indexed", indexed))
            }
            if expired > 0 {
                Output.complain(
                    localizedPlural(
                        "%1 item has expired already and is not found",
                        "%1 items have expired already and are not found",
                        expired))
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
            private var pending: [IndexSource: [IndexChange]] = [:]
            /// The reasons why items of apps are not taken; `nil` for none.
            private var refusals: [AppID: String?] = [:]
            private var items = 0
            private var size = 0
            private var count = 0
            private var task: Task<Void, any Error>?

            init(store: IndexStore) { self.store = store }

            mutating func add(_ item: SearchableItem, to source: IndexSource, size: Int) async throws {
                let refusal: String?
                do {
                    refusal = try self.refusal(of: source.application)
                } catch {
                    // The items that were read before stay.
                    _ = try await finish()
                    throw error
                }
                if let refusal { throw IndexError(.invalidInput, refusal) }
                pending[source, default: []].append(.add(item))
                items += 1
                self.size += size
                if items >= Self.batch.items || self.size >= Self.batch.bytes { try await write() }
            }

            private mutating func refusal(of application: AppID) throws -> String? {
                if let known = refusals[application] { return known }
                do {
                    try IndexAccess.checkRecording(of: application)
                    refusals[application] = .some(nil)
                } catch let error as CommandError where error.code == "excluded" {
                    refusals[application] = .some(error.message)
                }
                return refusals[application] ?? nil
            }

            private mutating func write() async throws {
                let batch = try pending.map { source, changes in (source, try store.prepare(changes)) }
                try await task?.value
                task = Task { [store] in
                    for (source, prepared) in batch { try store.write(prepared, to: source, now: Date()) }
                }
                count += items
                (pending, items, size) = ([:], 0, 0)
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

        private static func value(_ line: InputLines.Line) throws -> JSONValue {
            switch line.fault {
            case .tooLong: throw IndexError(.invalidInput, localized("the line has more than %1 bytes", lineLimit))
            case .notUTF8: throw IndexError(.invalidInput, localized("the line is not UTF-8"))
            case nil: break
            }
            var bytes = Array(line.text.utf8)
            bytes.append(0)
            return try bytes.withUnsafeBufferPointer { buffer in
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
        }

        /// Returns the index of a line.
        private func source(of line: JSONValue) throws -> IndexSource {
            if let index { return IndexCommand.source(index, of: self.as) }
            guard case .string(let name)? = line.object?["index"] else {
                throw IndexError(.invalidInput, localized("the line names no “index”; use --index NAME"))
            }
            guard (1...IndexSource.nameLimit).contains(name.utf8.count) else {
                throw IndexError(.invalidInput, localized("“index” must have 1 to %1 bytes", IndexSource.nameLimit))
            }
            guard self.as == nil, case .string(let owner)? = line.object?["app"] else {
                return IndexCommand.source(name, of: self.as)
            }
            guard AppID(owner).scriptName?.isEmpty == false else {
                throw IndexError(
                    .invalidInput, localized("%1 indexes its own items; “--as script:NAME” copies them", owner))
            }
            return IndexSource(application: AppID(owner), name: name)
        }
    }
}
