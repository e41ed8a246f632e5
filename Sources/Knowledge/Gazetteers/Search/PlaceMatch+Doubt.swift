internal import HunchModel
internal import Places

/// Doubts about the likeliest place, because of which the person is asked.
extension PlaceMatch {
    /// Returns whether a text is probably the name of something nearer.
    ///
    /// - Parameter knowsSizes: whether the gazetteer has a list of towns with their sizes, so that others are small.
    func isDoubtful(for text: String, knowsSizes: Bool) -> Bool {
        guard let distance, matched.count == 1, [.city, .suburb].contains(entry.kind) else { return false }
        let words = WordFolding.words(of: text)
        return distance > Self.near && Placeless.isEveryday(words)
            || distance > Self.far && isSmall && (knowsSizes || !entry.isApproximate)
            || distance > Self.near && isUnusual(words)
    }

    /// The distances from the person in metres beyond which everyday words and short names, and small towns, are doubtful.
    private static let (near, far) = (100_000.0, 500_000.0)

    /// Whether it is a town of less than about 60,000 people: in London, “Heathrow” is not the one in Florida. GNOME's list has
    /// no sizes, but places that other languages call the same.
    private var isSmall: Bool { entry.importance < (entry.isApproximate ? 0.53 : 0.58) }

    /// Returns whether it is a town of less than about 200,000 people by a name that few use for it: the first words of its own,
    /// or a short one. In Tokyo, “Ueno” is not Ueno-ebisumachi, and in Cologne, “Dom” not Dome in Ghana.
    private func isUnusual(_ words: [String]) -> Bool {
        let own = WordFolding.words(of: entry.name)
        guard entry.importance < 0.63, own != words else { return false }
        return name == .otherName && (own.starts(with: words) || words.joined().utf8.count <= Self.shortName)
            || own.joined() == words.joined()
    }

    /// The longest short name, in bytes.
    private static let shortName = 6

    /// Returns whether another town may be meant: one with the words as its own name if this one has another, or a town of
    /// that name within 250 km of the person, or a village within 100 km, if this one is over 1,000 km away, such as Lima and
    /// Berlin in Ohio.
    func hasRival(among places: [PlaceMatch]) -> Bool {
        if name == .otherName, places.contains(where: { $0.isTownOfThatName && !$0.isSmallAndFar }) { return true }
        guard entry.kind == .city, matched.count == 1, let distance, distance > 1_000_000 else { return false }
        return places.contains { place in
            guard let distance = place.distance, place.matched.count == 1 else { return false }
            return distance < 250_000 && place.isTownOfThatName || distance < 100_000 && place.isVillageOfThatName
        }
    }

    private var isSmallAndFar: Bool { isSmall && distance.map { $0 > Self.far } ?? false }

    /// Whether it is a town of about 5,000 people or more, and the words are its own name.
    private var isTownOfThatName: Bool { name == .ownName && entry.kind == .city && entry.importance >= 0.45 }

    private var isVillageOfThatName: Bool { name == .ownName && entry.kind == .city && entry.importance >= 0.3 }
}
