public import MapLinks

extension ParsedPlace {
    /// Whether the coordinate was found in a link to a site that Hunch does not know.
    public var isFromUnknownSite: Bool { rule == Self.ruleOfUnknownSites }
    /// The name of the rule for sites that Hunch does not know.
    static let ruleOfUnknownSites = "link"

    /// Whether the input is only words, which may name a place.
    public var isOnlyWords: Bool { rule == Self.ruleOfWords }
    /// The name of the rule for words.
    static let ruleOfWords = "text"
}
