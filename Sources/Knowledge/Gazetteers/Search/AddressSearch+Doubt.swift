import Geocoding
import HunchModel
import JourneyWords

extension AddressSearch {
    /// Returns whether the user has to be asked about the likeliest place although no other is as likely.
    ///
    /// - Parameter places: the places, likeliest first.
    func isDoubtful(_ places: [PlaceMatch]) throws -> Bool {
        guard let best = try places.first.map(sized) else { return false }
        if best.distance == nil {
            let words = WordFolding.words(of: search.query.text)
            // Wherever the user is, a branch of the shop is nearer than a small town.
            let isShop = best.entry.importance < Neighbourhood.ofSmallTown && Placeless.isShop(words)
            if isShop || best.matched.count == 1 && Placeless.isEveryday(words) { return true }
        }
        if try search.query.isByLand && best.isOverseas(from: neighbourhood()) { return true }
        if best.hasRival(among: places) || best.isByFormerName { return true }
        if best.isFarByName {
            let (query, neighbourhood) = (search.query, try neighbourhood())
            let namesakes = places.count { $0.isWhole && $0.entry.countryCode == best.entry.countryCode }
            if best.isDoubtful(for: query.text, among: namesakes, in: neighbourhood)
                || best.hasNamesake(in: neighbourhood, among: places)
            {
                return true
            }
        }
        guard best.isByUnrelatedName, let name = best.matched.first else { return false }
        // “Rome, Ohio” is not certainly Fostoria, a former name of which is Rome.
        return try search.exact(WordFolding.words(of: name), onlyWhole: true).contains { best.isLessKnown(than: $0) }
    }

    /// Returns the matches without those by a code in small letters that is a word: “sea” is not Seattle's airport. A code of an
    /// airport far abroad is only a guess: “gig”.
    func withoutUnlikelyCodes(_ found: [PlaceMatch], _ words: [String]) throws -> [PlaceMatch] {
        guard !search.query.isByPlane, found.contains(where: \.isBySmallCode) else { return found }
        let isInNames = try search.exact(words).count { !$0.isBySmallCode && !$0.isWhole } >= Self.leastOfWord
        guard !isInNames, !Placeless.isKnownWord(words) else { return found.filter { !$0.isBySmallCode } }
        return try found.map { match in
            guard match.isBySmallCode, try match.isFarAbroad(from: neighbourhood()) else { return match }
            return match.completed
        }
    }

    /// The minimum number of other places that have a word in their names.
    private static let leastOfWord = 3

    /// Returns whether several places are as likely as each other, and each is small and far, so that something unknown
    /// nearby is likelier: in Berlin, “Wald” is not one of the villages in Bavaria.
    func isSeveralUnlikely(_ places: [PlaceMatch]) -> Bool {
        let whole = places.filter(\.isWhole)
        return whole.count > 1 && whole.allSatisfy(\.isUnlikely)
    }

    /// Returns whether a text is a street with a house number at the end, which no town follows: “Am Hang 3”.
    func isHouseWithoutTown(_ words: [String]) -> Bool {
        guard !search.query.text.contains(","), words.count > 1, let last = words.last else { return false }
        return HouseNumber.isOne(last) && last.utf8.count <= Self.longestHouseNumber
    }

    /// The most digits and letters of a house number. Postal codes have more.
    private static let longestHouseNumber = 4

    /// Returns whether a place abroad is called so only in translation. Where people write Chinese characters, as in Japan, they do
    /// not write them for towns of other scripts: in Tokyo, “中央” is not Central in Louisiana.
    func isTranslated(_ match: PlaceMatch) throws -> Bool {
        guard match.isInForeignCharacters else { return false }
        return try neighbourhood().countryCode == "JP"
    }

    /// Returns a match with the size of its town. GNOME's list has no sizes. Another list may have the town under another
    /// name: “大阪” is in GNOME's list, “大阪市” in that of GeoNames. A town that no list with sizes has is small.
    private func sized(_ match: PlaceMatch) throws -> PlaceMatch {
        guard match.entry.isApproximate, match.entry.kind == .city else { return match }
        var match = match
        let others = try search.exact(WordFolding.words(of: match.entry.name), onlyWhole: true)
        // A weather station may have the name of its town.
        let sized = others.filter { $0.entry.kind == .city && !$0.entry.isApproximate }
        if let same = sized.first(where: { $0.entry.isSamePlace(as: match.entry) }) {
            match.entry.adopt(same.entry)
        } else if try search.knowsSizes() {
            match.entry.limitImportance(to: Neighbourhood.ofSmallTown)
        }
        return match
    }
}
