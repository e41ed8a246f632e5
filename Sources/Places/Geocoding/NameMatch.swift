/// The kind of name that the words of a query are for a place.
public enum NameMatch: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Only some of the words name it, a word is mistyped or unfinished, or the name is a doubtful one: a machine's
    /// transliteration, a historic or a colloquial name.
    case partial
    /// All words are another current name of it, such as a translation.
    case otherName
    /// All words are its own name, or the query is a position.
    case ownName

    /// Whether the left match says less than the right one.
    public static func < (left: NameMatch, right: NameMatch) -> Bool { left.rawValue < right.rawValue }
}
