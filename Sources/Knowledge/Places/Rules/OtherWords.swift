internal import HunchModel
internal import JourneyWords
internal import MapLinks

/// The words next to a place in a text.
enum OtherWords {
    /// A character that stands for a place in a text: U+FFFC, object replacement character.
    static let place = "\u{FFFC}"

    /// Words around a place that say nothing more: “meet me at …”, “ich bin bei …”.
    private static let silent: Set<String> = [
        "meet", "me", "us", "at", "see", "you", "there", "here", "let's", "i'm", "i’m", "i", "am", "we", "we're", "the",
        "is", "in",
        "near", "and", "by", "to", "from", "for", "please", "go", "location", "position",
        "treffen", "wir", "uns", "ich", "bin", "bei", "an", "um", "und", "ist", "hier", "bitte", "nach", "zu", "zum",
        "zur", "von",
        "dort", "sind", "der", "die", "das", "lat", "lon", "lng", "latitude", "longitude",
    ]

    /// Returns whether a word in lower case says nothing more about a place.
    static func isSilent(_ word: String) -> Bool {
        silent.contains(word.last?.isPunctuation == true ? String(word.dropLast()) : word)
    }

    /// Adds the words next to a place that was found in a text: their time if it has none yet, and the others as
    /// ignored.
    ///
    /// - Parameter isInLink: whether the place is in a link, so that no number next to it is its coordinate.
    static func add(_ words: ArraySlice<Substring>, to place: inout ParsedPlace, isInLink: Bool) {
        var others = Array(words)
        var ignored: [String] = []
        if let (range, found) = time(in: others) {
            let both = place.time?.completed(by: found) ?? found
            let rest = found.ignored.map { RequestWords.typed($0, in: words) }
            ignored = place.time == both ? [others[range].joined(separator: " ")] : [rest].compactMap(\.self)
            place.time = both
            others.removeSubrange(range)
        }
        ignored = [place.ignored, text(others[...], beside: place.item, isInLink)].compactMap(\.self) + ignored
        place.ignored = ignored.isEmpty ? nil : ignored.joined(separator: ", ")
    }

    /// The maximum number of words that are searched for a time.
    private static let mostWords = 64

    /// Returns the first time in words, with the most words of it: “Meet tomorrow at 6pm here”.
    private static func time(in words: [Substring]) -> (range: Range<Int>, time: JourneyTime)? {
        let lower = words.prefix(mostWords).map { $0.lowercased() }
        for start in lower.indices {
            for end in (start...min(start + JourneyTime.mostWords, lower.count)).reversed() {
                guard let time = JourneyTime(words: lower[start..<end]), !time.isVague else { continue }
                let isSmall = words[start..<end].allSatisfy { $0.first?.isLowercase ?? false }
                if time.isExplicit || time.isSmallWord && isSmall { return (start..<end, time) }
            }
        }
        return nil
    }

    /// Returns the words that are not links, coordinates and codes, and no words of the place; `nil` if none of them
    /// says anything.
    private static func text(_ words: ArraySlice<Substring>, beside place: MapItem, _ isInLink: Bool) -> String? {
        let texts = [place.name, place.query, place.address?.singleLine].compactMap { $0 }.joined(separator: " ")
        let words = words.filter { word in
            let isNumber = word.contains(where: \.isNumber)
            return !word.contains(Self.place) && !word.contains { "/=&".contains($0) }
                && (isNumber ? isInLink && !word.contains { ".°′'".contains($0) } : word.count(where: \.isLetter) > 1)
                && !texts.contains(word)
        }
        guard let first = words.firstIndex(where: { !isSilent($0.lowercased()) }),
            let last = words.lastIndex(where: { !isSilent($0.lowercased()) })
        else { return nil }
        let text = words[first...last].joined(separator: " ")
        return text.last?.isPunctuation == true ? String(text.dropLast()) : text
    }
}
