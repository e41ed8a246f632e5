internal import FullText
internal import HunchModel

/// The line of an item's text that a search shows: the words around those that were found.
struct Excerpt {
    /// The longest line, and the most of it before the first word that was found, in Unicode scalars. A table on a terminal
    /// shows some 45 of them.
    static let (length, lead) = (120, 24)
    /// The parts of an item's text and of its other attributes that are read, in characters.
    static let (textLimit, namesLimit) = (32_768, 4_096)
    /// The most found words that are compared with each other.
    private static let places = 64

    private struct Place {
        let range: Range<Int>
        let term: Int
    }

    /// The words that are looked for, by their first byte: their bytes, whether a longer word counts, and their term.
    private var words: [UInt8: [(bytes: [UInt8], isBeginning: Bool, term: Int)]] = [:]

    /// - Parameter terms: the terms of the search, in the form in which items have them.
    init(_ terms: [SearchTerm]) {
        for (number, term) in terms.enumerated() {
            for alternative in term.alternatives {
                for word in alternative.words {
                    let bytes = Array(word.utf8)
                    guard let first = bytes.first else { continue }
                    words[first, default: []].append((bytes, alternative.isBeginning, number))
                }
            }
        }
    }

    /// Returns the line of an item: that of its text, else of its other attributes unless its title has one of the words, else
    /// the beginning of the text.
    func line(title: String, text: String, names: String) -> String {
        let text = PlainText.of(text)
        if let line = around(text) { return line }
        return (places(in: title).isEmpty ? around(names) : nil) ?? Self.cut(text[...], after: "")
    }

    /// Returns the line around the place where most of the words stand; `nil` if there are none.
    private func around(_ text: String) -> String? {
        let places = places(in: text)
        var best: (start: Int, terms: Int)?
        for (index, first) in places.enumerated() {
            let end = first.range.lowerBound + Self.length - Self.lead
            let near = places[index...].prefix { $0.range.upperBound <= end }
            let terms = Set(near.map(\.term)).count
            if best.map({ terms > $0.terms }) ?? true { best = (first.range.lowerBound, terms) }
        }
        guard let best else { return nil }
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: best.start)
        return Self.cut(text[start...], after: text[..<start])
    }

    private func places(in text: String) -> [Place] {
        var places: [Place] = []
        var text = text
        text.withUTF8 { bytes in
            WordScanner.scan(bytes) { word, letters in
                let found = letters.first.flatMap { words[$0] }?.first { other in
                    other.isBeginning ? letters.starts(with: other.bytes) : letters.elementsEqual(other.bytes)
                }
                if let found { places.append(Place(range: word.range, term: found.term)) }
                return places.count < Self.places
            }
        }
        return places
    }

    /// Returns a line with the words at the beginning of a text, and some before it.
    private static func cut(_ text: Substring, after former: Substring) -> String {
        var (line, count) = ([Substring](), 0)
        // More than a line has no room for.
        let before = former.unicodeScalars.suffix(4 * length)
        var words = Substring(before).split(whereSeparator: isSpace)
        // The first one is cut. The last one may continue in the text.
        let isWhole = before.startIndex == former.startIndex
        if !isWhole, !words.isEmpty { words.removeFirst() }
        let joins = former.last.map { !isSpace($0) } ?? false
        for word in words.reversed() {
            count += word.unicodeScalars.count + 1
            guard count <= lead else { break }
            line.insert(word, at: 0)
        }
        let isCut = line.count < words.count || !isWhole
        count = line.reduce(0) { $0 + $1.unicodeScalars.count + 1 }
        var result = ((isCut ? ["…"] : []) + line).joined(separator: " ")
        if !result.isEmpty, !(joins && !line.isEmpty) { result += " " }
        let after = text.unicodeScalars.prefix(4 * length)
        var rest = Substring(after)
        var isFirst = true
        while true {
            rest = rest.drop(while: isSpace)
            guard !rest.isEmpty else { break }
            let word = rest.prefix { !isSpace($0) }
            let size = word.unicodeScalars.count + (isFirst ? 0 : 1)
            guard count + size <= length else {
                // A text without spaces has nowhere else to end.
                if isFirst { result += String(word.unicodeScalars.prefix(max(length - count, 1))) }
                return result + (isFirst ? "…" : " …")
            }
            result += (isFirst ? "" : " ") + word
            (count, isFirst) = (count + size, false)
            rest = rest[word.endIndex...]
        }
        return result + (after.endIndex < text.endIndex ? " …" : "")
    }

    private static func isSpace(_ character: Character) -> Bool {
        character.isWhitespace || character.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F }
    }
}
