/// The kind of a place's name that the words of a query match.
public enum NameMatch: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Only some of the words match, a word is mistyped or unfinished, or the name is a doubtful one: a machine
    /// transliteration, a historic or a colloquial name.
    case partial
    /// All words match another current name, such as a translation.
    case otherName
    /// All words match its own name, or the query is a coordinate.
    case ownName

    /// Returns whether the left match is weaker than the right one.
    public static func < (left: NameMatch, right: NameMatch) -> Bool { left.rawValue < right.rawValue }
}
