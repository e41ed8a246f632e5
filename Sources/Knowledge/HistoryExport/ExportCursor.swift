internal import GRDB

/// The position of an export. Callers may fetch pages at any pace. Later pages omit rows forgotten meanwhile.
public struct ExportCursor: Sendable {
    enum Section {
        case head
        /// The index of a table in ``ExportTable/all``, or an index past the last.
        case table(Int)
        /// After the tables, before the last line.
        case others
        case end
    }

    var section = Section.head
    /// The keys of the last row written of the table.
    var keys: [DatabaseValue]?
    /// The number of lines so far. Lines that are added after an empty page count, too.
    public var lines = 0

    /// Creates a cursor before the first line.
    public init() {}
}
