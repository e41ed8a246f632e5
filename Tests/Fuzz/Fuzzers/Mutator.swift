import SeededRandom

/// Makes inputs out of a corpus. The same seed makes the same inputs.
public struct Mutator {
    /// The maximum number of bytes of most inputs. One in a thousand is longer.
    private static let usualLength = 2_048
    private static let greatestLength = 65_536

    /// Inputs that parsers treat specially.
    private static let tokens: [[UInt8]] = [
        "-1", "0", "-0.0", "1e300", "-1e300", "5e-324", "nan", "inf", "-inf", "1e999", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "18446744073709551615", "4294967295", "4294967296", "2147483648",
        "00", "%", "%00", "%zz", "%C3", "+", "&", "=", ";", ":", ",", ".", "/", "//", "\\", "\"", "'", "(", ")", "[",
        "]", "{",
        "}", "<", ">", "@", "!", "?", "#", "~", "\n", "\r\n", "\t", "\0", " ", "\u{301}", "\u{301}\u{302}\u{303}",
        "\u{FEFF}",
        "\u{202E}", "\u{200D}", "é", "ß", "İ", "ǆ", "🇦", "👩‍👩‍👧", "٣", "½", "兆", "º", "′", "\u{10FFFF}", "geo:", "https://",
        "directions:?to=", "1970-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "null", "true", "[]", "{}", "\\u0000",
        "\\ud800",
        "latitude", "longitude", "type", "coordinates", "BEGIN:", "END:", "[Desktop Entry]", "%u", "%%", "Exec=",
    ].map { Array($0.utf8) }

    private var random: SplitMix64
    private let corpus: [[UInt8]]

    /// Starts a sequence of inputs.
    ///
    /// - Parameter corpus: what inputs are made out of; may be empty.
    public init(seed: UInt64, corpus: [[UInt8]]) {
        random = SplitMix64(seed: seed)
        self.corpus = corpus.isEmpty ? [[]] : corpus
    }

    /// The next input.
    public mutating func next() -> [UInt8] {
        var input = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 0...6, using: &random) { change(&input) }
        let limit = Int.random(in: 0..<1_000, using: &random) == 0 ? Self.greatestLength : Self.usualLength
        if input.count > limit { input.removeLast(input.count - limit) }
        return input
    }

    private mutating func change(_ input: inout [UInt8]) {
        let place = Int.random(in: 0...input.count, using: &random)
        let end = min(input.count, place + Int.random(in: 0...16, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < input.count: input[place] = UInt8.random(in: .min ... .max, using: &random)
        case 2: input.removeSubrange(place..<end)
        case 3: input.insert(contentsOf: input[place..<end], at: place)
        case 4: input.removeLast(input.count - place)
        case 5:
            let other = corpus.randomElement(using: &random) ?? []
            input = Array(input[..<place]) + other[Int.random(in: 0...other.count, using: &random)...]
        case 6:
            let times = Int.random(in: 0..<64, using: &random) == 0 ? 4_096 : 8
            let token = Self.tokens.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...times, using: &random) { input.insert(contentsOf: token, at: place) }
        case 7 where end > place:
            input.replaceSubrange(place..<end, with: Self.tokens.randomElement(using: &random) ?? [])
        default: input.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
        }
    }
}
