import FoundationEssentials
import GRDB
import HunchModel
import TestSupport

@testable import SearchIndexes

/// An index in a temporary folder.
struct IndexRig {
    let store: IndexStore
    let directory: TemporaryDirectory
    static let now = Date(timeIntervalSince1970: 1_795_658_400)
    static let notes = IndexSource(application: "org.example.Notes", name: "notes")

    static func with(language: String = "en", _ body: (IndexRig) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let store = try IndexStore.open(at: directory.file("hunch/index.sqlite"), language: language)
            defer { store.close() }
            try await body(IndexRig(store: store, directory: directory))
        }
    }

    func add(_ items: SearchableItem..., to source: IndexSource = notes) throws {
        try store.write(items.map(IndexChange.add), to: source, now: Self.now)
    }

    func add(_ titles: [String: String]) throws {
        try store.write(
            titles.sorted { $0.key < $1.key }.map { .add(Self.item($0.key, $0.value)) }, to: Self.notes, now: Self.now)
    }

    static func item(_ id: String, _ title: String, _ more: [String: AttributeValue] = [:]) -> SearchableItem {
        SearchableItem(id: id, attributes: more.merging(["title": .text(title)]) { $1 })
    }

    /// The identifiers of the hits of a typed text, the best first.
    func find(_ text: String, isUnfinished: Bool = false) throws -> [String] {
        try store.search(text, SearchOptions(isUnfinished: isUnfinished, now: Self.now)).map(\.id)
    }

    /// Compares the words of the index with the items.
    ///
    /// - Throws: `DatabaseError` if they differ.
    func checkIntegrity() throws {
        try store.database.writeWithoutTransaction {
            try $0.execute(sql: "INSERT INTO word (word, rank) VALUES ('integrity-check', 1)")
        }
    }

    /// Whether a file of the index contains a text.
    func filesContain(_ text: String) throws -> Bool {
        let folder = directory.file("hunch")
        return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            return bytes.firstRange(of: Data(text.utf8)) != nil
        }
    }
}
