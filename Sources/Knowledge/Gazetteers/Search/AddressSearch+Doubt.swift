import HunchModel
import Places

extension AddressSearch {
    /// Returns whether the user has to be asked about the likeliest place although no other is as likely.
    ///
    /// - Parameter places: the places, likeliest first.
    func isDoubtful(_ places: [PlaceMatch]) throws -> Bool {
        guard let best = places.first else { return false }
        if best.isDoubtful(for: search.query.text, knowsSizes: search.segments.count > 1)
            || best.hasRival(among: places) || best.isByFormerName
        {
            return true
        }
        if best.mayBeQuarter, try !knowsQuarters() { return true }
        guard best.isByUnrelatedName, let name = best.matched.first else { return false }
        // “Rome, Ohio” is not certainly Fostoria, a former name of which is Rome.
        return try search.exact(WordFolding.words(of: name), onlyWhole: true).contains { best.isLessKnown(than: $0) }
    }
}
