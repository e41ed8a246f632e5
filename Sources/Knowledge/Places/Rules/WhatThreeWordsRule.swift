public import Coordinates
public import HunchModel
internal import Localization
public import MapLinks

/// Addresses of what3words, which only its server can resolve: `///filled.count.soap` and its links.
public struct WhatThreeWordsRule: PlaceRule {
    /// `whatThreeWords`.
    public let name = "whatThreeWords"

    /// Creates the rule.
    public init() {}

    /// Throws ``PlaceError`` with `needsNetwork` for an address of what3words. Returns `nil` for any other input.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let isLink =
            input.link.map { $0.scheme == "what3words" || $0.isWeb && $0.isWithin("what3words.com", "w3w.co") } ?? false
        guard isLink || Self.isAddress(input.text) else { return nil }
        throw Self.needsNetwork
    }

    fileprivate static let needsNetwork = PlaceError(
        .needsNetwork, localized("only what3words knows the place of three words; give its address or coordinates"))

    fileprivate static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 256, text.hasPrefix("///") else { return false }
        let words = text.dropFirst(3).split(separator: ".", omittingEmptySubsequences: false)
        return words.count == 3 && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
    }
}

/// An address of what3words within a text: `Meet at ///filled.count.soap`.
struct SharedWhatThreeWordsRule: PlaceRule {
    let name = "whatThreeWords"

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let text = input.text.cut(toBytes: PlaceLimits.text)
        guard text.contains("///") else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace).map {
            $0.trimmingEnd(of: [".", ",", ";", ":", "!", "?", ")"])
        }
        guard words.contains(where: { WhatThreeWordsRule.isAddress($0) }) else { return nil }
        throw WhatThreeWordsRule.needsNetwork
    }
}

extension Substring {
    fileprivate func trimmingEnd(of marks: Set<Character>) -> String {
        var text = self
        while let last = text.last, marks.contains(last) { text.removeLast() }
        return String(text)
    }
}
