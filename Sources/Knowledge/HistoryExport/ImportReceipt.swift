/// The result of importing an export.
public struct ImportReceipt: Hashable, Sendable {
    /// Rows imported, by line type.
    public var taken: [String: Int] = [:]
    /// Rows that already existed.
    public var known = 0
    /// Rows of apps that are excluded now, and of kinds that are not recorded now.
    public var withheld = 0
    /// Rows older than the retention period.
    public var tooOld = 0
    /// Permissions of scripts and apps, which are skipped. Only `hunch allow` grants them.
    public var permissions = 0
    /// Lines of the search index, which apps fill again.
    public var content = 0
    /// Lines of a type that this version does not know.
    public var unknown = 0

    /// Creates a receipt with counts of zero.
    public init() {}

    /// The counts by name, for a reply on the bus and for `--json`.
    public var counts: [String: Int] {
        let others = [
            "known": known, "withheld": withheld, "tooOld": tooOld, "permissions": permissions, "content": content,
            "unknown": unknown,
        ]
        return taken.merging(others) { $0 + $1 }
    }
}
