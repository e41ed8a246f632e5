internal import Geocoding
internal import HunchModel
internal import JourneyWords

/// Matches by another name than the place's own.
extension PlaceMatch {
    /// Whether the words are another name that is spelled nearly like its own: “Strasburg” for Strasbourg. Another place may
    /// be called exactly so.
    var onlyResembles: Bool { name == .otherName && isSimilarToOwnName && !differs(atMost: 0) }

    /// Whether the words are another name with which its own has nothing in common: “Takao” for Kaohsiung. Such a name is one
    /// of another time or language, and near Tokyo, a mountain and a station have it. “Peking” and “Den Haag” are known.
    var isByForeignName: Bool { isByUnrelatedName && hasNothingInCommon }

    /// Whether the matched name and its own share no initial, and two thirds of their letters differ.
    private var hasNothingInCommon: Bool {
        guard let typed = matched.first else { return false }
        let (words, own) = (WordFolding.words(of: typed), WordFolding.words(of: entry.name))
        return Set(words.compactMap(\.first)).isDisjoint(with: own.compactMap(\.first))
            && !differs(atMost: max(words.joined().count, own.joined().count) * 2 / 3)
    }

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
    static let leastOfOtherNames = 0.63

    /// Returns whether another, more important town has the words as its own name.
    func isLessKnown(than other: PlaceMatch) -> Bool {
        other.name == .ownName && other.entry.kind == .city && other.entry.importance > entry.importance
            && other.entry.coordinate.distance(to: entry.coordinate) > Self.near
    }

    private var isSimilarToOwnName: Bool {
        matched.first.map { differs(atMost: WordFolding.joined($0).count < 6 ? 1 : 2) } ?? false
    }

    /// Returns whether the matched name and its own differ in at most a number of letters.
    func differs(atMost limit: Int) -> Bool {
        guard let typed = matched.first else { return false }
        return Self.differ(WordFolding.joined(typed), WordFolding.joined(entry.name), atMost: limit)
    }

    static func differ(_ one: String, _ other: String, atMost limit: Int) -> Bool {
        let names = [one, other].map { $0.unicodeScalars.map(\.value) }
        return names[0].withUnsafeBufferPointer { one in
            names[1].withUnsafeBufferPointer { EditDistance.between(one, $0, limit: limit) != nil }
        }
    }

    /// Returns whether the words are katakana for a Japanese town that is written in Chinese characters: “トヨタ” is rather the company
    /// than 豊田.
    func isInOtherKana(_ text: String) -> Bool {
        func consists(_ text: String, of range: ClosedRange<UInt32>) -> Bool {
            text.unicodeScalars.allSatisfy { range.contains($0.value) }
        }
        return entry.countryCode == "JP" && consists(text, of: 0x30A0...0x30FF)
            && entry.alternates.contains { consists($0, of: 0x4E00...0x9FFF) }
    }
}
