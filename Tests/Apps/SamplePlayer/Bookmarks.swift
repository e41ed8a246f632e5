import FoundationEssentials
import HunchModel

/// The position in each item, kept in a file from one run to the next.
struct Bookmarks {
    /// Where one item stands.
    struct Mark: Codable {
        /// Microseconds from the start.
        var position: Int64
        /// Microseconds in all.
        var length: Int64?
    }

    private let file: URL
    private var marks: [ContentItem.ID: Mark]

    /// Reads the file. A missing or damaged one counts as one without marks.
    init(_ file: URL) {
        self.file = file
        marks = (try? JSONDecoder().decode([ContentItem.ID: Mark].self, from: Data(contentsOf: file))) ?? [:]
    }

    /// Where an item stands; `nil` at its beginning.
    func mark(_ item: ContentItem.ID) -> Mark? { marks[item] }

    /// The played part of an item, 0 to 1; `nil` if it was not started.
    func progress(_ item: ContentItem.ID) -> Double? {
        guard let mark = marks[item], let length = mark.length, length > 0 else { return nil }
        return min(1, Double(mark.position) / Double(length))
    }

    /// Remembers where an item stands, on disk.
    mutating func set(_ mark: Mark, of item: ContentItem.ID) throws {
        marks[item] = mark
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(marks).write(to: file, options: .atomic)
    }
}
