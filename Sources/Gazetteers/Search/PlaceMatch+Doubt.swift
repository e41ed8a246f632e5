internal import HunchModel
internal import Places

/// Doubts about the likeliest place, because of which the person is asked.
extension PlaceMatch {
    /// Whether the words are probably the name of something nearer.
    var isDoubtful: Bool { isSmallAndFar || isShortenedAndFar }

    /// Whether it is a town of less than about 30,000 people, more than 500 km from the person, named without its area:
    /// in London, “Heathrow” is not the one in Florida. GNOME's list has no sizes, and its coordinates are approximate.
    private var isSmallAndFar: Bool {
        entry.kind == .city && !entry.isApproximate && entry.importance < 0.55 && matched.count == 1
            && distance.map { $0 > 500_000 } ?? false
    }

    /// Whether it is a town of less than about 200,000 people, more than 100 km from the person, and the words are only the
    /// first ones of its name: in Tokyo, “Ueno” is not Ueno-ebisumachi.
    private var isShortenedAndFar: Bool {
        let words = WordFolding.words(of: entry.name)
        return entry.kind == .city && name == .otherName && entry.importance < 0.63 && matched.count == 1
            && distance.map { $0 > 100_000 } ?? false && WordFolding.words(of: matched[0]) != words
            && words.starts(with: WordFolding.words(of: matched[0]))
    }

    /// Returns whether another town may be meant: one with the words as its own name if this one has another, or a town of
    /// that name within 250 km of the person if this one is over 1,000 km away, such as Lima in Ohio.
    func hasRival(among places: [PlaceMatch]) -> Bool {
        if name == .otherName, places.contains(where: { $0.isTownOfThatName && !$0.isSmallAndFar }) { return true }
        guard entry.kind == .city, matched.count == 1, let distance, distance > 1_000_000 else { return false }
        return places.contains { place in
            place.isTownOfThatName && place.matched.count == 1 && place.distance.map { $0 < 250_000 } ?? false
        }
    }

    /// Whether it is a town of about 5,000 people or more, and the words are its own name.
    private var isTownOfThatName: Bool { name == .ownName && entry.kind == .city && entry.importance >= 0.45 }
}
