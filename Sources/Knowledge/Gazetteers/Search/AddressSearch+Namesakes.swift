import Geocoding
import HunchModel
import JourneyWords

extension AddressSearch {
    /// Returns better known or much nearer towns of the same name as the best match, if its matched name may be theirs, too.
    ///
    /// The query may be in another script, and that script's name is known only for the match: GNOME's list has 敖德萨 for Odessa
    /// in Texas, and another spelling for Odesa in Ukraine. Or it is a misspelling that the list has only for the match:
    /// GeoNames has “Colombus” for Columbus in Texas, and not for the one in Ohio. But 馬橋 is the own name of Mabashi.
    func namesakes(of found: [PlaceMatch]) throws -> [PlaceMatch] {
        guard let best = found.min(by: { $0.precedes($1) }), best.name == .otherName, best.entry.kind == .city,
            best.onlyResembles || !Self.isLatin(search.query.text), !best.isInOwnCharacters,
            Self.isLatin(best.entry.name)
        else { return [] }
        return try search.exact(WordFolding.words(of: best.entry.name), onlyWhole: true).filter { match in
            match.name == .ownName && match.entry.kind == .city
                && (match.entry.importance > best.entry.importance
                    || best.onlyResembles && match.isMuchNearer(than: best))
                && match.entry.coordinate.distance(to: best.entry.coordinate) > Self.farFromNamesake
                && !match.entry.isApproximate
        }.map { match in
            var match = match
            match.name = .otherName
            return match
        }
    }

    /// The minimum distance of a namesake, in metres. Two sources may place the centre of one town some kilometres
    /// apart.
    private static let farFromNamesake = 50_000.0

    private static func isLatin(_ name: String) -> Bool { name.utf8.contains(where: \.isASCIILetter) }
}
