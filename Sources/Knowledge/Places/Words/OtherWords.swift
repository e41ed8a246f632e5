internal import HunchModel

/// The words beside a place in a text.
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

    /// Returns the words that are no links, numbers and codes, and no words of the place; `nil` if none of them says anything.
    static func text(_ words: ArraySlice<Substring>, beside place: MapItem) -> String? {
        let texts = [place.name, place.query, place.address?.singleLine].compactMap { $0 }.joined(separator: " ")
        let words = words.filter { word in
            !word.contains(Self.place) && !word.contains { $0.isNumber || "/=&".contains($0) }
                && word.count(where: \.isLetter) > 1
                && !texts.contains(word)
        }
        guard let first = words.firstIndex(where: { !isSilent($0.lowercased()) }),
            let last = words.lastIndex(where: { !isSilent($0.lowercased()) })
        else { return nil }
        let text = words[first...last].joined(separator: " ")
        return text.last?.isPunctuation == true ? String(text.dropLast()) : text
    }
}
