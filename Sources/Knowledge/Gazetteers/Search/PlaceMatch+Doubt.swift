internal import Geocoding
internal import HunchModel
internal import JourneyWords

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Doubts about the likeliest place, because of which the user is asked.
extension PlaceMatch {
    /// Returns whether something nearer that is not known may have the name: a district, a station, a street, a shop or a
    /// person. The smaller and farther the town is, and the more places have its name, the likelier that is.
    ///
    /// - Parameter count: the number of places in its country whose name the words are.
    func isDoubtful(for text: String, among count: Int, in neighbourhood: Neighbourhood) -> Bool {
        guard isFarByName, let distance else { return false }
        let isAbroad = neighbourhood.isAbroad(entry.countryCode)
        if !neighbourhood.knowsQuarters, isInChineseCharacters, count >= Self.ofCommonName { return true }
        let words = WordFolding.words(of: text)
        if isInOtherKana(text) { return true }
        // Around Columbus, “Grove” is many things besides Grove City.
        if neighbourhood.isSettled, isByBeginning(words) { return true }
        guard distance > neighbourhood.reach || onlyResembles && !neighbourhood.knowsQuarters else { return false }
        if isAbroad, distance > Self.far, isByShortName(text, at: distance) { return true }
        // A list has “Londn” for London, and in Ohio, “Nankin” is a village that no list has.
        if isAbroad, onlyResembles, distance > Self.overland, neighbourhood.isSettled || differs(atMost: 1) {
            return true
        }
        let doubt = doubt(for: text, at: distance, isAbroad: isAbroad, in: neighbourhood)
        // A town whose size no list has is doubtful only by its name.
        if entry.isApproximate { return doubt >= Self.notableDoubt }
        return entry.importance < doubt
            + neighbourhood.leastImportance(
                at: distance, isAbroad: isAbroad, isInOtherState: !isAbroad && neighbourhood.isInOtherState(areas),
                among: isLargeAndRenowned ? 1 : count, words: words.count, isRenowned: isRenowned)
    }

    /// Returns the importance that a town needs in addition if the words are hardly its name.
    private func doubt(
        for text: String, at distance: Double, isAbroad: Bool, in neighbourhood: Neighbourhood
    ) -> Double {
        let words = WordFolding.words(of: text)
        // Wherever the user is, a shop of that name is nearer.
        if Placeless.isEveryday(words) || distance > Self.near && Placeless.isShop(words) { return 1 }
        // A town has one name in its own language, so a similar one is that of another place.
        let isOther = !isLargeAndRenowned && (onlyResembles || isAbroad && isByUnrelatedName)
        let ofOtherName = !isOther ? 0 : isAbroad ? max(0, log10(distance / Self.far)) : 1
        let isUnlikely =
            isByForeignName || isUnusual(words) || isInCharactersOfQuarter(from: isAbroad, in: neighbourhood)
            || Placeless.isOfEachTown(text) || isOneCharacter || isAbroad && Placeless.isGivenName(words)
        // “Heide” is a woman rather than the town, and Jena is a city.
        let isPerson = !isAbroad && !neighbourhood.isSettled && Placeless.isGivenName(words)
        return Self.notableDoubt * (ofOtherName + (isPerson ? 1 : 0)) + (isUnlikely ? 0.18 : 0)
    }

    /// Whether it is a city of about a million people that is known in other countries, so that its names in other languages
    /// are known, too.
    var isLargeAndRenowned: Bool {
        entry.kind == .city && isRenowned && entry.importance >= Self.leastOfLargeCity && name > .partial
    }

    private static let leastOfLargeCity = 0.71

    /// Returns whether the words are Chinese characters by which a quarter nearby may be called, too: those of a place abroad,
    /// or in Japan two before 町.
    private func isInCharactersOfQuarter(from isAbroad: Bool, in neighbourhood: Neighbourhood) -> Bool {
        guard isInChineseCharacters, let matched = matched.first else { return false }
        guard isAbroad else { return matched.hasSuffix("町") && !Self.isMunicipality(matched) }
        return !isLargeAndRenowned || neighbourhood.countryCode.map(Self.ofChineseCharacters.contains) ?? true
    }

    private static let notableDoubt = 0.1
    /// The minimum number of places that share a name which most towns have: 本町 means the main quarter of a town.
    private static let ofCommonName = 5

    /// Whether the words are its name in the characters of its country, and not a name in another language.
    var isInOwnCharacters: Bool {
        isInChineseCharacters && entry.countryCode.map(Self.ofChineseCharacters.contains) ?? false
    }

    /// Whether the words are Chinese characters for a town of less than a million people in a country of another script.
    var isInForeignCharacters: Bool { isInChineseCharacters && !isInOwnCharacters && !isLargeAndRenowned }

    /// Whether a house with a number may be in the place, though the words do not name its town: it is a street, or a village
    /// nearby.
    var mayHaveHouse: Bool { ![.city, .suburb].contains(entry.kind) || distance.map { $0 < Self.near } ?? false }

    static let ofChineseCharacters: Set<String> = ["JP", "CN", "TW", "HK", "MO"]

    /// Whether the words are only Chinese characters. Towns of China, Taiwan and Japan are called by the same ones: in Tokyo,
    /// “中山” is not Zhongshan.
    private var isInChineseCharacters: Bool {
        matched.first?.unicodeScalars.allSatisfy { (0x4E00...0x9FFF).contains($0.value) } ?? false
    }

    /// Whether the words are one Chinese character, which is a word and a part of many names, and not that of a city such as 津市.
    private var isOneCharacter: Bool {
        guard isInChineseCharacters, let character = matched.first, character.count == 1 else { return false }
        return !entry.alternates.contains(character + "市")
    }

    /// Whether it is a town over 10 km away, and the words are only its name, without its state, country or river.
    var isFarByName: Bool {
        guard let distance, matched.count == 1, [.city, .suburb].contains(entry.kind), !isByLongName else {
            return false
        }
        return distance > Self.nearby
    }

    /// Whether the words are its own name, and so many that hardly another place is called so: “Rothenburg ob der Tauber”,
    /// “Frankfurt (Oder)”.
    private var isByLongName: Bool {
        guard let matched = matched.first else { return false }
        if isInOwnCharacters, Self.isMunicipality(matched) { return true }
        guard name == .ownName else { return false }
        return matched.hasSuffix(")") || WordFolding.words(of: matched).count > 3
    }

    /// Returns whether Japanese characters are the full name of a municipality, which hardly another place has: 川崎市,
    /// 東海村, 八千代町. A quarter often has two characters before 町, as 小川町 and 有楽町 have.
    private static func isMunicipality(_ name: String) -> Bool {
        switch name.last {
        case "市": name.count > 2 && !name.hasSuffix("日市")
        case "村": name.count > 2
        case "町": name.count > 3
        default: false
        }
    }

    /// Returns whether the beginning of its name, if it is the only word, may mean it. Three letters mean no town far away,
    /// nor are they another name of a small one. Four letters mean only a large one.
    func isPlausible(for words: [String]) -> Bool {
        // An airport has a code, and characters of other scripts say more.
        guard entry.kind != .airport, words.count == 1, name < .ownName, let length = words.first?.utf8.count,
            length <= Self.fragment,
            words[0].utf8.allSatisfy({ $0 < 0x80 })
        else { return true }
        if name == .otherName {
            return length == Self.fragment || distance ?? .infinity <= Self.far || !isUnusual(words)
        }
        let isLarge = entry.importance >= Self.leastOfFragment
        guard let distance else { return length == Self.fragment || isLarge }
        return distance <= Self.far || length == Self.fragment && isLarge
    }

    /// The longest fragment of a name, in letters, and the minimum importance of a far town that it may mean: that of one of
    /// five million people.
    static let (fragment, leastOfFragment) = (4, 0.8)

    /// Distances from the user in metres: of the user's own town, of everyday journeys, of towns, and of other
    /// countries.
    static let (nearby, near, far, veryFar) = (10_000.0, 100_000.0, 500_000.0, 1_000_000.0)
    /// The distance in metres beyond which a trip to another country by land is implausible.
    static let overland = 3_000_000.0

    /// Returns whether it is a town of less than about 200,000 people by a rarely used name: the first words of its
    /// own, or a short one. In Tokyo, “Ueno” is not Ueno-ebisumachi, and in Cologne, “Dom” not Dome in Ghana.
    private func isUnusual(_ words: [String]) -> Bool {
        let own = WordFolding.words(of: entry.name)
        guard entry.importance < Self.leastOfOtherNames, own != words else { return false }
        // Two Chinese characters are a whole name: 箱根 is Hakone.
        let letters = words.joined().utf8
        let isShort = letters.count <= Self.shortName && letters.allSatisfy { $0 < 0x80 }
        return isByBeginning(words) || name == .otherName && isShort || own.joined() == words.joined()
    }

    /// Returns whether it is a town of less than about 200,000 people by the first words of its own name.
    private func isByBeginning(_ words: [String]) -> Bool {
        let own = WordFolding.words(of: entry.name)
        return entry.importance < Self.leastOfOtherNames && own != words && name == .otherName
            && own.starts(with: words)
    }

    /// The longest short name, in letters.
    private static let shortName = 6

    /// Returns the factor for the weight of a place among several: people travel less to distant places, and abroad.
    /// From Columbus, Dublin in Ohio precedes that in Ireland.
    ///
    /// - Parameter home: the code of the user's country, if it is known.
    func pull(from home: String?) -> Double {
        guard let distance else { return 1 }
        let isAbroad = home != nil && entry.countryCode != home
        return pow(Self.near / max(distance, Self.near), 0.75) * (isAbroad ? Self.shareAbroad : 1)
    }

    private static let shareAbroad = 0.3

    /// Returns whether a city of the country may be meant that has ten times as many people as this quarter or town nearby: in
    /// Tokyo, “Nagasaki” is not certainly the quarter.
    private func isBesideCity(among places: [PlaceMatch]) -> Bool {
        guard entry.importance < Self.leastOfOtherNames, matched.count == 1, name > .partial else { return false }
        // The name of 長崎 in Chinese characters is listed as another name of the city and of the quarter.
        return places.contains { place in
            place.entry.kind == .city && place.name >= name && place.entry.countryCode == entry.countryCode
                && place.entry.importance >= max(Self.leastOfOtherNames, entry.importance + Self.tenfold)
        }
    }

    /// Returns whether a town of the same name, of some size compared with this one, is less than half as far: from
    /// Tokyo, “Kusatsu” is not certainly the city in Shiga, because the spa in Gunma is nearer.
    private func isBehindNamesake(among places: [PlaceMatch]) -> Bool {
        guard isFarByName, let distance, distance > 2 * Self.near else { return false }
        return places.contains { place in
            guard let nearer = place.distance, nearer < distance / 2, place.matched.count == 1 else { return false }
            return place.isVillageOfThatName && place.entry.importance > entry.importance - Self.someSize
        }
    }

    /// The difference in importance of towns of which one has thirty times as many people.
    private static let someSize = 0.16

    /// The minimum importance of a town: that of one of 5,000 people.
    private static let leastOfTown = 0.45

    /// The difference in importance of towns of which one has ten times as many people.
    static let tenfold = 0.11

    /// Returns whether another town may be meant: one with the words as its own name if this one has another, or a town of
    /// that name within 250 km of the user, or a village within 100 km, if this one is over 500 km away, such as Lima, Berlin
    /// and Baltimore in Ohio.
    func hasRival(among places: [PlaceMatch]) -> Bool {
        let isSimilar = onlyResembles
        if name == .otherName, places.contains(where: { $0.isTownOfThatName && (isSimilar || !$0.isSmallAndFar) }) {
            return true
        }
        if isByForeignName, places.contains(where: \.isVillageOfThatName) { return true }
        // “Mosel” is another name of Mosul, and the river in the names of towns that are nearer.
        if isSimilar, let distance, distance > Self.far,
            places.contains(where: { !$0.isWhole && !$0.isRespelled && $0.isSettlement && $0.isMuchNearer(than: self) })
        {
            return true
        }
        // A list has the misspelling for another town: “Mansfeild” for Mansfield in Texas.
        if name == .otherName, differs(atMost: 0), places.contains(where: { $0.onlyResembles && isSmaller(than: $0) }) {
            return true
        }
        if isBesideCity(among: places) || isBehindNamesake(among: places) { return true }
        guard entry.kind == .city, matched.count == 1, let distance, distance > Self.far else { return false }
        return places.contains { place in
            guard let distance = place.distance, place.matched.count == 1 else { return false }
            return distance < 250_000 && place.isTownOfThatName || distance < 100_000 && place.isVillageOfThatName
        }
    }

    /// Returns whether another town, in the country of the user, has the words as its own name if this one is abroad and over
    /// 1,000 km away. Where small towns are known, it has to be near, and in a country whose towns are named after others.
    func hasNamesake(in neighbourhood: Neighbourhood, among places: [PlaceMatch]) -> Bool {
        guard let distance, distance > Self.veryFar, neighbourhood.isAbroad(entry.countryCode) else { return false }
        return places.contains { place in
            guard let distance = place.distance, !neighbourhood.isAbroad(place.entry.countryCode) else { return false }
            guard neighbourhood.knowsSmallTowns else { return place.isTownOfThatName }
            // From Ohio, Hamburg may be in New York rather than overseas.
            let reach = self.distance ?? 0 > Self.overland ? Self.veryFar : 250_000
            return neighbourhood.isSettled && distance < reach && place.isVillageOfThatName
        }
    }

    /// Returns whether it is less than half as far from the user as another match.
    func isMuchNearer(than other: PlaceMatch) -> Bool {
        guard let distance, let others = other.distance else { return false }
        return distance < others / 2
    }

    private func isSmaller(than other: PlaceMatch) -> Bool { entry.importance < other.entry.importance }

    private var isSmallAndFar: Bool {
        entry.importance < (entry.isApproximate ? 0.53 : 0.58) && distance.map { $0 > Self.far } ?? false
    }

    /// Whether it is a town of about 5,000 people or more, and the words are its own name.
    private var isTownOfThatName: Bool {
        name == .ownName && entry.kind == .city && entry.importance >= Self.leastOfTown
    }

    private var isVillageOfThatName: Bool { name == .ownName && entry.kind == .city && entry.importance >= 0.3 }

    /// Whether it is a town of less than about 15,000 people beyond 100 km, or of 200,000 beyond 500 km by another name.
    var isUnlikely: Bool {
        guard let distance, distance > Self.near, isSettlement else { return false }
        let isByOtherName = name == .otherName && distance > Self.far
        return entry.importance < (isByOtherName ? Self.leastOfOtherNames : Neighbourhood.ofSmallTown)
    }

    /// Whether the words are a name in lower case of the list, which is a machine's transliteration or a misspelling.
    var isByTransliteration: Bool { matched.first.map(entry.doubtfulNames.contains) ?? false }

    /// The same match for words with an unfinished word.
    var completed: PlaceMatch {
        var match = inPart
        match.isRespelled = true
        return match
    }

    /// The same match for words with a corrected typing error. `nil` if they resemble only a machine's transliteration, the name
    /// of a far town of less than 200,000 people, or another name of a far city with which its own has nothing in common:
    /// “Phillidelphia” is not Amman.
    var respelled: PlaceMatch? {
        if isByTransliteration { return nil }
        guard [.city, .suburb].contains(entry.kind) else { return completed }
        let isSmall = !entry.isApproximate && entry.importance < Self.leastOfOtherNames
        let isOther = distance.map { $0 > Self.far && (isSmall || isByForeignName) } ?? isByForeignName
        return isOther ? nil : completed
    }

    /// Returns whether a town or an airport has the letters of a mistyped or unfinished name, most of them at their places, and
    /// is not too far for its size, or is nearby: “Setagaya” is not Bukhara, and “Alexanderplatz” is not Alexander City.
    func resembles(_ text: String) -> Bool {
        // “白馬” is not 白馬市, which is Whitehorse.
        if isRespelled, isInForeignCharacters { return false }
        guard isRespelled, let matched = matched.first, distance.map({ $0 > Self.nearby }) ?? true,
            [.city, .suburb, .airport, .weatherStation].contains(entry.kind)
        else { return true }
        let areas = Set(self.matched.dropFirst().flatMap { WordFolding.words(of: $0) })
        let words = WordFolding.words(of: text).filter { !areas.contains($0) }
        let (typed, name) = (words.joined(), WordFolding.joined(matched))
        // The name of an airport is long.
        let isCity = [.city, .suburb].contains(entry.kind)
        let isMost = !isCity || typed.count * 5 >= name.count * 3
        let isPart = isMost && name.hasPrefix(typed)
        if isPart { return true }
        let limit = typed.count < Self.longName ? 1 : 2
        let beginning = Self.beginning(of: matched, words.count)
        let isWhole = Self.differ(typed, name, atMost: limit)
        guard isWhole || Self.differ(WordFolding.letters(of: text), beginning, atMost: limit) else { return false }
        // An airport is not meant by the mistyped name of its city.
        guard isCity || Self.differ(typed, WordFolding.joined(entry.name), atMost: limit) else { return false }
        // A village nearby is as likely as any town.
        guard let distance, distance > Self.near else { return true }
        return entry.importance >= leastOfGuess(for: typed, named: isWhole ? name : beginning, at: distance)
    }

    /// Returns the importance that a town needs to be a guess for a mistyped name. The farther it is, and the more of the
    /// letters differ, the larger it has to be: “Costco” is not Cusco. The first letter is seldom mistyped, and another name
    /// of a town is typed less often than its own, all the less if it has nothing in common with it.
    private func leastOfGuess(for typed: String, named name: String, at distance: Double) -> Double {
        let steps = log10(max(distance, Self.near) / Self.near)
        let own = WordFolding.joined(entry.name)
        let ofOtherName = own.hasPrefix(name) ? 0 : Self.differ(typed, own, atMost: (typed.count - 1) / 2) ? 0.5 : 1
        let ofLetters = (typed.first == name.first ? 0.0 : 1) + (Self.differ(typed, name, atMost: 1) ? 1 : 2)
        let errors = ofLetters + ofOtherName
        return 0.31 + 0.1 * steps + errors / Double(max(typed.count, 1))
    }

    /// Returns the letters of the first words of a name: “Rothenbrug” is Rothenburg ob der Tauber.
    private static func beginning(of name: String, _ count: Int) -> String {
        WordFolding.letters(of: name.split(separator: " ").prefix(count).joined(separator: " "))
    }

    /// The minimum length in letters of a name with two typing errors.
    private static let longName = 8
}
