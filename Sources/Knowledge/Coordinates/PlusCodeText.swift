package import HunchModel

/// A Plus Code in a text, alone or next to a place: `849VCWC8+R9`, `CWC8+R9 Mountain View`.
package struct PlusCodeText: Sendable {
    /// The code, full or short.
    package let code: PlusCode
    /// The text next to it; empty if there is none.
    package let reference: String

    /// Reads a text that begins or ends with a code; `nil` for any other text.
    ///
    /// - Parameter text: the decoded and single-spaced text.
    package init?(_ text: String) {
        guard text.utf8.count <= PlaceLimits.text, text.utf8.contains(UInt8(ascii: "+")) else {
            return nil
        }
        let first = text.prefix { !Self.separators.contains($0) }
        let last = text.suffix(
            from: text.lastIndex(where: Self.separators.contains).map(text.index(after:)) ?? text.endIndex)
        if let code = PlusCode(first) {
            self.code = code
            reference = Self.unpunctuated(text.dropFirst(first.count))
        } else if let code = PlusCode(last) {
            self.code = code
            reference = Self.unpunctuated(text.dropLast(last.count))
        } else {
            return nil
        }
    }

    /// Reads a lone full code whose `+` was decoded as a space: `849VCWC8 R9`.
    package init?(spaced text: String) {
        let words = text.split(separator: " ")
        // Two numbers are not a code, although they may have its digits.
        guard words.count == 2, text.utf8.contains(where: \.isASCIILetter),
            let code = PlusCode(words.joined(separator: "+")), code.isFull
        else { return nil }
        self.code = code
        reference = ""
    }

    private static let separators: Set<Character> = [" ", ",", ";"]

    private static func unpunctuated(_ text: Substring) -> String {
        var text = text.drop(while: separators.contains)
        while let last = text.last, separators.contains(last) { text = text.dropLast() }
        return String(text)
    }

    /// The place: a coordinate if the code is full or the place next to it is a coordinate; otherwise a text whose
    /// place has to be geocoded first.
    ///
    /// - Returns: `nil` for a lone short code.
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    package var item: MapItem? {
        get throws(PlaceError) {
            if let center = code.center { return MapItem(coordinate: center) }
            guard !reference.isEmpty else { return nil }
            if let near = try CoordinateText.coordinate(in: reference) {
                return MapItem(coordinate: code.recovered(near: near).center)
            }
            return MapItem(query: "\(code.text) \(reference)")
        }
    }
}
