internal import GRDB

/// How far an export has come. A value: pages may be asked for at any pace, and what is forgotten meanwhile is not in
/// the pages that follow.
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
