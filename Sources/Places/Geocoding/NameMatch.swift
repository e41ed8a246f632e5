/// How the words of a query name a place.
public enum NameMatch: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Only some of the words name it, a word is mistyped or unfinished, or the name is a doubtful one: a machine's
    /// transliteration, a historic or a colloquial name.
    case partial
    /// All words name it, by another current name as a translation.
    case otherName
    /// All words name it, by its own name; or the query is a position.
    case ownName

    /// Whether the left match says less than the right one.
    public static func < (left: NameMatch, right: NameMatch) -> Bool { left.rawValue < right.rawValue }
}
