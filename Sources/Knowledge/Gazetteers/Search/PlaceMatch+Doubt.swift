internal import HunchModel
internal import Places

/// Doubts about the likeliest place, because of which the user is asked.
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
            || distance > Self.veryFar && entry.importance < Self.leastOfForeignName && onlyResembles
    }

    /// Whether it is a small town over 100 km away. In a city whose quarters are not known, one of them may be meant: Nakano in
    /// Tokyo, not in Nagano.
    var mayBeQuarter: Bool {
        guard let distance, matched.count == 1, entry.kind == .city else { return false }
        return distance > Self.near && isSmall
    }

    /// The distances from the user in metres beyond which everyday words and short names, small towns, and similar names
    /// are doubtful.
    private static let (near, far, veryFar) = (100_000.0, 500_000.0, 1_000_000.0)

    /// The minimum importance of a city whose name in other languages is known everywhere, such as “Athen”: that of one of
    /// 800,000 people, or of a capital.
    private static let leastOfForeignName = 0.7

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
    /// that name within 250 km of the user, or a village within 100 km, if this one is over 1,000 km away, such as Lima and
    /// Berlin in Ohio.
    func hasRival(among places: [PlaceMatch]) -> Bool {
        let isSimilar = onlyResembles
        if name == .otherName, places.contains(where: { $0.isTownOfThatName && (isSimilar || !$0.isSmallAndFar) }) {
            return true
        }
        guard entry.kind == .city, matched.count == 1, let distance, distance > Self.veryFar else { return false }
        return places.contains { place in
            guard let distance = place.distance, place.matched.count == 1 else { return false }
            return distance < 250_000 && place.isTownOfThatName || distance < 100_000 && place.isVillageOfThatName
        }
    }

    private var isSmallAndFar: Bool { isSmall && distance.map { $0 > Self.far } ?? false }

    /// Whether it is a town of about 5,000 people or more, and the words are its own name.
    private var isTownOfThatName: Bool { name == .ownName && entry.kind == .city && entry.importance >= 0.45 }

    private var isVillageOfThatName: Bool { name == .ownName && entry.kind == .city && entry.importance >= 0.3 }

    // MARK: Other names

    /// Whether the words are another name that is spelled nearly like its own: “Strasburg” for Strasbourg. Another place may
    /// be called exactly so.
    private var onlyResembles: Bool { name == .otherName && isSimilarToOwnName }

    /// Whether the words are another name that has nothing in common with its own: a name in another language, or one that
    /// is no longer in use.
    var isByUnrelatedName: Bool {
        guard name == .otherName, entry.kind == .city, let words = matched.first.map({ WordFolding.words(of: $0) }),
            words.contains(where: { $0.utf8.contains(where: \.isASCIILetter) })
        else { return false }
        let own = WordFolding.words(of: entry.name)
        return !own.allSatisfy(words.contains) && !words.allSatisfy(own.contains) && !isSimilarToOwnName
    }

    /// Whether the words are probably a former name. Lists of places do not say which names are. In countries where people
    /// speak one language, the other names of a small town are not names in another one.
    var isByFormerName: Bool {
        entry.importance < Self.leastOfOtherNames && entry.countryCode.map(Self.ofOneLanguage.contains) ?? false
            && isByUnrelatedName
    }

    private static let ofOneLanguage: Set<String> = ["US", "CA", "AU", "NZ"]
    /// The minimum importance of a city with further names in use, such as “Nueva York”: that of one of 200,000 people.
    private static let leastOfOtherNames = 0.63

    /// Returns whether another, more important town has the words as its own name.
    func isLessKnown(than other: PlaceMatch) -> Bool {
        other.name == .ownName && other.entry.kind == .city && other.entry.importance > entry.importance
            && other.entry.coordinate.distance(to: entry.coordinate) > Self.near
    }

    private var isSimilarToOwnName: Bool {
        guard let typed = matched.first else { return false }
        let names = [typed, entry.name].map { WordFolding.joined($0).unicodeScalars.map(\.value) }
        let limit = names[0].count < 6 ? 1 : 2
        return names[0].withUnsafeBufferPointer { one in
            names[1].withUnsafeBufferPointer { EditDistance.between(one, $0, limit: limit) != nil }
        }
    }

    // MARK: Addresses

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

    /// Returns whether it may lie near a town that the other words name. A city is not near one of its quarters.
    func mayLie(near town: PlaceMatch) -> Bool {
        let contains =
            Self.settlements.contains(entry.kind) && Self.settlements.contains(town.entry.kind)
            && entry.importance > town.entry.importance
        return entry.number != town.entry.number && !contains
    }
}
