import Coordinates
import HunchModel
import Localization
import MapLinks

/// Any other text: a name or an address to geocode.
struct TextRule: PlaceRule {
    let name = ParsedPlace.ruleOfWords

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard input.text.utf8.count <= PlaceLimits.text else {
            throw PlaceError(
                .tooLong, localized("the text is longer than %1 bytes; give only the place", PlaceLimits.text))
        }
        let text = input.text.singleSpaced
        guard text.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { throw PlaceError(.notAPlace, localized("the input has no letter and no digit; give a place")) }
        return ParsedPlace(item: MapItem(query: text), rule: name)
    }
}
