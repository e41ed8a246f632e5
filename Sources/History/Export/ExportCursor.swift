internal import GRDB

/// The position of an export. Pages may be read at any pace. Data forgotten meanwhile is not in later pages.
public struct ExportCursor: Sendable {
    enum Section {
        case head
        /// One of ``ExportTable/all``, or past the last.
        case table(Int)
        case end
    }

    var section = Section.head
    /// The keys of the table's last row.
    var keys: [DatabaseValue]?
    var lines = 0

    /// Stands before the first line.
    public init() {}
}
