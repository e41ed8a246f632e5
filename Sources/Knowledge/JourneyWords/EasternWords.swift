internal import HunchModel

/// A request in a language without spaces between words, such as “明日9時に電車で大阪へ”.
///
/// Its words for times and travel modes are before or behind the places, which are never searched for them. Each stands for
/// English ones in `Data/requests.txt`.
struct EasternWords {
    /// The text without those words.
    private(set) var places: Substring
    private(set) var modes: Set<TransportMode> = []
    private(set) var ignored: [String] = []
    private(set) var time: JourneyTime?
    /// The English words for the time.
    private var timeWords: [String] = []
    private var (isArrival, isDeparture) = (false, false)

    /// The maximum number of phrases, and of characters of one.
    private static let (mostPhrases, longestPhrase) = (8, 16)

    /// Reads a text. Returns `nil` if it has no such words, or is not written in Chinese characters or kana.
    init?(_ text: String) {
        guard text.utf8.count <= RouteWords.longestText,
            text.unicodeScalars.contains(where: {
                (0x3040...0x30FF).contains($0.value) || (0x4E00...0x9FFF).contains($0.value)
            })
        else { return nil }
        places = Substring(Self.withHome(text))
        takeStop()
        var isRequest = false
        trim()
        for _ in 0..<Self.mostPhrases {
            if let ending = Self.endings.first(where: { places.hasSuffix($0) && places.count > $0.count }) {
                places = places.dropLast(ending.count)
                isRequest = true
                isArrival = isArrival || Self.arrivals.contains(ending)
                isDeparture = isDeparture || Self.departures.contains(ending)
            } else if !takeStart(), !takeEnd() {
                break
            }
            trim()
        }
        time = JourneyTime(timeWords.joined(separator: " "))
        guard timeWords.isEmpty || time != nil else { return nil }
        if isArrival, !isDeparture { time = time?.ofArrival }
        let isNamed = time != nil || !modes.isEmpty || !ignored.isEmpty || isRequest
        guard isNamed || Self.destinations.contains(where: { places.hasSuffix($0) && $0 != "に" }) else { return nil }
        if isNamed, let opening = ["前往", "去", "到"].first(where: places.hasPrefix) {
            places = places.dropFirst(opening.count)
        }
    }

    /// Returns the first travel mode in a text without spaces, also before “か” in “徒歩か自転車で”.
    static func firstMode(in text: String) -> TransportMode? {
        for start in text.indices {
            let rest = text[start...]
            let found = (words[text[start]] ?? []).first { word, english in
                let isMode = english.hasPrefix("by ") || english == "on foot"
                return isMode && rest.hasPrefix(word.hasSuffix("で") ? word.dropLast() : word[...])
            }
            if let found { return ModePhrase(found.english.split(separator: " ").map(String.init)[...])?.modes.first }
        }
        return nil
    }

    /// Returns the text with the home as destination if it asks for going home and names no place: “歩いて帰る”.
    private static func withHome(_ text: String) -> String {
        guard let ending = homeward.first(where: text.hasSuffix) else { return text }
        let before = text.dropLast(ending.count)
        let isPhrase = before.indices.suffix(longestPhrase).contains { phrase(before[$0...])?.rest.isEmpty ?? false }
        guard isPhrase || before.isEmpty || before.hasSuffix("から") else { return text }
        return before + "家に" + ending
    }

    /// The destination without its particle.
    var destination: Substring {
        let ending = Self.destinations.first { places.hasSuffix($0) && places.count > $0.count }
        return places.dropLast(ending?.count ?? 0)
    }

    private mutating func trim() {
        func isSpace(_ character: Character) -> Bool { character.isWhitespace || "、。，？?！!".contains(character) }
        places = places.drop(while: isSpace)
        while let last = places.last, isSpace(last) { places.removeLast() }
    }

    /// A time or a travel mode, in English words.
    private struct Phrase {
        var english: String
        /// The text behind it.
        var rest: Substring
        var isArrival = false
        /// The end of a span, which no app can be asked for.
        var end: Substring?
        var isMode: Bool { english.hasPrefix("by ") || english.hasPrefix("on foot") }
        /// Whether it is how often somebody travels, for which no app can be asked.
        var isVague: Bool { english.hasPrefix("every ") }
    }

    /// Takes a stop on the way, for which no app can be asked: “名古屋経由で”, “经由天津”.
    private mutating func takeStop() {
        let text = places
        var range: Range<Substring.Index>?
        if let found = Self.stops.compactMap({ text.firstRange(of: $0) }).first {
            let before = text[..<found.lowerBound]
            let ends = ["から", "まで", "へ", " ", "、"].compactMap { before.ranges(of: $0).last?.upperBound }
            range = (ends.max() ?? text.startIndex)..<found.upperBound
        } else if text.hasPrefix("从") || text.hasPrefix("從"),
            let found = Self.stopsBefore.compactMap({ text.firstRange(of: $0) }).first,
            let end = ["到", "去", "至"].compactMap({ text[found.upperBound...].firstRange(of: $0)?.lowerBound }).min()
        {
            range = found.lowerBound..<end
        }
        guard let range, text[range].count > 1 else { return }
        ignored.append(String(text[range]))
        places = Substring(text[..<range.lowerBound] + text[range.upperBound...])
    }

    private static let stops = RequestLists.words("~via").sorted { $0.count > $1.count }
    private static let stopsBefore = RequestLists.words("~via before").sorted { $0.count > $1.count }

    private mutating func takeStart() -> Bool {
        guard let found = Self.phrase(places) ?? Self.noun(places), !found.rest.isEmpty else { return false }
        add(found, places[..<found.rest.startIndex], isBefore: false)
        places = found.rest
        return true
    }

    private mutating func takeEnd() -> Bool {
        for start in places.indices.dropFirst().suffix(Self.longestPhrase) {
            let before = places[..<start]
            // “大阪 車”, “大阪まで車”
            let mayBeNoun = before.last?.isWhitespace ?? false || ["まで", "へ"].contains(where: before.hasSuffix)
            guard let found = Self.phrase(places[start...]) ?? (mayBeNoun ? Self.noun(places[start...]) : nil),
                found.rest.isEmpty
            else { continue }
            // Without a particle before it, a time may be a part of the name.
            guard
                found.isMode || before.last?.isWhitespace ?? false
                    || Self.destinations.contains(where: before.hasSuffix)
                    || Self.words.values.joined().contains(where: { before.hasSuffix($0.word) })
            else { continue }
            add(found, places[start...], isBefore: true)
            places = before
            return true
        }
        return false
    }

    private mutating func add(_ phrase: Phrase, _ typed: Substring, isBefore: Bool) {
        if phrase.isMode, let mode = ModePhrase(phrase.english.split(separator: " ").map(String.init)[...]) {
            modes.formUnion(mode.modes)
            if mode.ignored != nil { ignored.append(String(typed)) }
        } else if phrase.isVague {
            ignored.append(String(typed))
        } else {
            isArrival = isArrival || phrase.isArrival
            if let end = phrase.end { ignored.append(String(end)) }
            timeWords.insert(phrase.english, at: isBefore ? 0 : timeWords.count)
        }
    }

    /// Reads a mode without its particle, up to a space or the end: “電車 横浜”.
    private static func noun(_ text: Substring) -> Phrase? {
        let noun = text.prefix { !$0.isWhitespace }
        guard var phrase = phrase(noun + "で"), phrase.isMode, phrase.rest.isEmpty else { return nil }
        phrase.rest = text[noun.endIndex...]
        return phrase
    }

    /// Reads a time or a mode at the beginning of a text, with the particle behind it.
    private static func phrase(_ text: Substring) -> Phrase? {
        // “現在地” is the user's position, and “現在” now.
        guard !text.hasPrefix("現在地") else { return nil }
        if let several = severalModes(text) { return several }
        var rest = text
        var english: String
        var needsParticle = false
        if let (words, isKanji) = moment(&rest) {
            (english, needsParticle) = (words, isKanji)
        } else {
            guard let word = word(text), word.english != "none" else { return compound(text) }
            (english, rest) = (word.english, text.dropFirst(word.word.count))
            if let part = Self.part(of: word) {
                // “朝” alone is a part of names.
                guard let particle = ["中に", "に", "のうちに"].first(where: rest.hasPrefix) else {
                    return compound(text)
                }
                return Phrase(english: "in the \(part)", rest: rest.dropFirst(particle.count))
            }
            if ["this", "next"].contains(english) {
                // “次の月曜日”
                guard let day = Self.word(rest), DayWords.weekdays[day.english] != nil else { return nil }
                english += " " + day.english
                rest = rest.dropFirst(day.word.count)
            }
            // “明日の朝”
            if word.word.hasSuffix("の"), let part = Self.word(rest),
                let name = Self.part(of: part),
                case var after = rest, moment(&after) == nil
            {
                english += " " + name
                rest = rest.dropFirst(part.word.count)
            }
        }
        var phrase = Phrase(english: english, rest: rest)
        if phrase.isVague {
            // “毎日新聞” is a newspaper.
            var behind = rest
            let isWhole = rest.first?.isWhitespace ?? true || moment(&behind) != nil || Self.word(rest) != nil
            return isWhole ? phrase : nil
        }
        // “9時から11時の間に”
        if english.hasPrefix("at "), let join = ["から", "〜", "～", "到", "-"].first(where: rest.hasPrefix) {
            let end = rest.dropFirst(join.count)
            var behind = end
            if let last = moment(&behind), last.english.hasPrefix("at ") {
                let closing = ["の間に", "の間", "之间", "之間", "までに", "に"].first(where: behind.hasPrefix) ?? ""
                behind = behind.dropFirst(closing.count)
                (phrase.end, phrase.rest) = (end[..<behind.startIndex], behind)
                return phrase
            }
        }
        if !phrase.isMode, let particle = particles.first(where: { rest.hasPrefix($0.key) }) {
            phrase.rest = rest.dropFirst(particle.key.count)
            phrase.isArrival = particle.isArrival
        } else if needsParticle {
            return nil
        }
        return phrase
    }

    /// Returns the English name of a part of a day; `nil` for another word.
    private static func part(of word: (word: String, english: String)) -> String? {
        let name = ["am": "morning", "pm": "evening", "night": "evening"][word.english]
        return name == nil ? nil : word.word.hasPrefix("午後") ? "afternoon" : name
    }

    /// Reads “夜行バスで”, which ends in a word for a mode.
    private static func compound(_ text: Substring) -> Phrase? {
        guard let first = text.first, let words = compounds[first],
            let opening = words.first(where: text.hasPrefix),
            let mode = phrase(text.dropFirst(opening.count)), mode.isMode
        else { return nil }
        return mode
    }

    /// Reads “バスと電車で”.
    private static func severalModes(_ text: Substring) -> Phrase? {
        for (word, english) in text.first.flatMap({ words[$0] }) ?? []
        where word.hasSuffix("で") && text.hasPrefix(word.dropLast()) {
            let rest = text.dropFirst(word.count - 1)
            guard let join = ["と", "か", "や", "または", "、"].first(where: rest.hasPrefix),
                var other = phrase(rest.dropFirst(join.count)), other.isMode
            else { continue }
            other.english = "\(english) and \(other.english)"
            return other
        }
        return nil
    }

    /// Reads “午後3時半”, “9:30”, “12月5日”, “30分後” and “9点” at the beginning of a text.
    private static func moment(_ text: inout Substring) -> (english: String, isKanji: Bool)? {
        var rest = text
        let half = word(rest).flatMap { ["am", "pm", "night"].contains($0.english) ? $0 : nil }
        rest = rest.dropFirst(half?.word.count ?? 0)
        guard let (number, isKanji) = Self.number(&rest), number <= 9_999 else { return nil }
        func take(_ words: [String]) -> Bool {
            guard let word = words.first(where: rest.hasPrefix) else { return false }
            rest = rest.dropFirst(word.count)
            return true
        }
        var english: String
        if half == nil, take(["時間半後"]) {
            english = "in \(number * 60 + 30) minutes"
        } else if half == nil, take(["時間後", "小时后", "小時後"]) {
            english = "in \(number) hours"
        } else if half == nil, take(["分後", "分钟后", "分鐘後"]) {
            english = "in \(number) minutes"
        } else if half == nil, take(["日後", "天后", "天後"]) {
            english = "in \(number) days"
        } else if half == nil, take(["年"]) {
            guard let (month, _) = Self.number(&rest), take(["月"]), let (day, _) = Self.number(&rest),
                take(["日", "号", "號"])
            else { return nil }
            english = "\(day).\(month).\(number)"
        } else if half == nil, take(["月"]) {
            guard let (day, _) = Self.number(&rest), take(["日", "号", "號"]) else { return nil }
            english = "\(day).\(number)."
        } else if take(["時", "时", "点", "點", ":", "："]) {
            var minutes = 0
            if take(["半"]) {
                minutes = 30
            } else if let (more, _) = Self.number(&rest) {
                minutes = more
                _ = take(["分"])
            }
            guard number <= 24, minutes < 60, half == nil || number <= 12 else { return nil }
            // “深夜1時” and “夜12時” are after midnight, and “夜8時” is before it.
            let isMorning = half?.english == "night" ? number < 5 || number == 12 : half?.english == "am"
            let ending = half == nil || number == 0 ? "" : isMorning ? " am" : " pm"
            english = "at \(number):\(minutes < 10 ? "0" : "")\(minutes)\(ending)"
        } else {
            return nil
        }
        text = rest
        return (english, isKanji)
    }

    /// Reads a number in digits or up to twelve in Chinese characters.
    private static func number(_ text: inout Substring) -> (number: Int, isKanji: Bool)? {
        let digits = text.prefix { $0.wholeNumberValue != nil && !kanji.contains($0) }
        if !digits.isEmpty, digits.count <= 4 {
            text = text.dropFirst(digits.count)
            return (digits.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) }, false)
        }
        let written = text.prefix(while: kanji.contains)
        let values = written.map { (kanji.firstIndex(of: $0) ?? 0) + 1 }
        guard let first = values.first, values.count == 1 || values.count == 2 && first == 10 && values[1] < 10 else {
            return nil
        }
        text = text.dropFirst(written.count)
        return (values.reduce(0, +), true)
    }

    private static let kanji: [Character] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"]
    private static let particles: [(key: String, isArrival: Bool)] = [
        ("までに", true), ("まで", true), ("中に", false), ("ごろに", false), ("頃に", false), ("ごろ", false), ("頃", false),
        ("に着く", true), ("着で", true),
        ("着", true),
        ("発で", false), ("発", false), ("に出発", false), ("から", false), ("に", false), ("の", false), ("、", false),
        (" ", false), ("は", false),
    ]
    /// The words by their first character, the longest first.
    private static let words = Dictionary(
        grouping: RequestLists.values("~").map { (word: $0.key, english: $0.value) }.sorted {
            $0.word.count > $1.word.count
        },
        by: { $0.word.first ?? " " })

    private static let compounds = Dictionary(
        grouping: RequestLists.words("~compound").sorted { $0.count > $1.count }, by: { $0.first ?? " " })

    /// Returns whether words behind から name a place, unlike those in “駅から徒歩5分” and “から揚げ”.
    static func isDestination(_ words: Substring, behind start: Substring) -> Bool {
        !notDestinations.contains(where: words.hasPrefix) && !notDestinationEnds.contains(where: words.hasSuffix)
            && start.last != "の" && words.contains(where: \.isLetter)
    }

    private static let notDestinations = RequestLists.words("~no destination")
    private static let notDestinationEnds = RequestLists.words("~no destination end")

    /// Returns the longest word at the beginning of a text.
    private static func word(_ text: Substring) -> (word: String, english: String)? {
        text.first.flatMap { words[$0] }?.first { text.hasPrefix($0.word) }
    }

    /// The endings for being at the place at the time: “10時に着きたい”.
    private static let arrivals = RequestLists.words("~arriving")
    private static let departures = RequestLists.words("~departing")
    private static let endings = RequestLists.words("~ending").union(arrivals).union(departures).sorted {
        $0.count > $1.count
    }
    private static let homeward = RequestLists.words("~homeward").sorted { $0.count > $1.count }
    private static let destinations = RequestLists.words("~destination").sorted { $0.count > $1.count }
}
