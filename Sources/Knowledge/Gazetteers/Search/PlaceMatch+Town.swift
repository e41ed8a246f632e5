import Geocoding
import HunchModel
import JourneyWords

/// Towns of addresses, and places near towns.
extension PlaceMatch {
    /// Returns whether a text is an address in this town, of which only the town is known: it has a number that belongs to
    /// no matched name, as in 東京都港区芝公園4丁目2-8. Postal codes are longer.
    func isTown(ofAddress words: [String]) -> Bool {
        guard Self.settlements.contains(entry.kind) else { return false }
        let known = Set(matched.flatMap { WordFolding.words(of: $0) })
        return words.contains { word in
            let digits = word.utf8.count(where: \.isASCIIDigit)
            let isNumber = digits < Self.digitsOfPostalCode && HouseNumber.isOne(word)
            return digits > 0 && (isNumber || word.utf8.contains { $0 > 0x7F }) && !known.contains(word)
        }
    }

    private static let digitsOfPostalCode = 4
    private static let settlements: Set<PlaceKind> = [.city, .suburb, .district]

    /// Whether it is a town, a part of one or an area of several.
    var isSettlement: Bool { Self.settlements.contains(entry.kind) }

    /// Returns whether it may lie near a town that the other words name. A town is near a city that has ten times as many
    /// people, and two quarters of a city are two places.
    func mayLie(near town: PlaceMatch) -> Bool {
        guard Self.settlements.contains(entry.kind), Self.settlements.contains(town.entry.kind) else {
            return entry.number != town.entry.number
        }
        return town.entry.importance >= entry.importance + (town.entry.kind == .district ? 0 : Self.tenfold)
    }
}
