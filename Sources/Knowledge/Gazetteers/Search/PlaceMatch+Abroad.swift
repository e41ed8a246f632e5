import Geocoding
import HunchModel
import JourneyWords

/// Places in other countries that the words hardly mean.
extension PlaceMatch {
    /// Returns whether it cannot be reached by land: it is on another continent, and the words are only its name.
    func isOverseas(from neighbourhood: Neighbourhood) -> Bool {
        guard let distance, matched.count == 1 else { return false }
        return distance > Self.overland && neighbourhood.isAbroad(entry.countryCode)
    }

    /// Returns whether it is in another country, and over 1,000 km away.
    func isFarAbroad(from neighbourhood: Neighbourhood) -> Bool {
        guard let distance else { return false }
        return distance > Self.veryFar && neighbourhood.isAbroad(entry.countryCode)
    }

    /// Returns whether the words are at most four letters that are not exactly its own name: one in another language, or without
    /// its accents. “Rest” is hardly Rasht. A city of a million people has known names in the user's language.
    func isByShortName(_ text: String, at distance: Double) -> Bool {
        guard let matched = matched.first, matched.utf8.count <= Self.fragment * 2,
            case let letters = WordFolding.letters(of: text), letters.utf8.count <= Self.fragment,
            letters.utf8.allSatisfy(\.isASCIILetter), text.lowercased() != entry.name.lowercased()
        else { return false }
        guard isLargeAndRenowned else { return true }
        if let local = entry.localName { return WordFolding.letters(of: local) != letters }
        return text == text.lowercased() || name == .otherName && distance > Self.overland
    }
}
