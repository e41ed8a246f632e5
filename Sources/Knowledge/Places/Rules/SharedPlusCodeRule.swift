import Coordinates
import HunchModel
import MapLinks

/// A full Plus Code somewhere in a text: "See you at 8FVC9G8F+6X tomorrow". The first wins.
struct SharedPlusCodeRule: SearchingRule {
    let name = "plusCode"

    /// The maximum number of bytes of a text that are searched.
    private static let maximumLength = 65_536

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard input.text.utf8.contains(UInt8(ascii: "+")) else { return nil }
        let words = input.text.utf8.prefix(Self.maximumLength).split { byte in
            !byte.isASCIILetter && !byte.isASCIIDigit && byte != UInt8(ascii: "+")
        }
        // Two numbers are not a code, although they may have its digits.
        for word in words where word.contains(where: \.isASCIILetter) && word.contains(UInt8(ascii: "+")) {
            guard let center = PlusCode(Substring(word))?.center else { continue }
            return ParsedPlace(item: MapItem(coordinate: center), rule: name)
        }
        return nil
    }
}
