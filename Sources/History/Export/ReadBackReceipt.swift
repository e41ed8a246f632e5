/// The result of importing an export.
public struct ReadBackReceipt: Hashable, Sendable {
    /// Rows that were taken, by the type of their lines.
    public var taken: [String: Int] = [:]
    /// Rows that were there already.
    public var known = 0
    /// Rows of apps that are excluded now, and of kinds that are not recorded now.
    public var withheld = 0
    /// Rows that are older than what is kept.
    public var tooOld = 0
    /// Permissions of scripts and apps: `hunch allow` gives them, and no file does.
    public var permissions = 0
    /// Lines of a type that this version does not know.
    public var unknown = 0

    /// Creates an empty receipt.
    public init() {}

    /// The counts by name, for a reply on the bus and for `--json`.
    public var counts: [String: Int] {
        let others = [
            "known": known, "withheld": withheld, "tooOld": tooOld, "permissions": permissions, "unknown": unknown,
        ]
        return taken.merging(others) { $0 + $1 }
    }
}
