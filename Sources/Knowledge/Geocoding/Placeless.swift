internal import DataFiles
package import HunchModel
import JourneyWords
import Localization

/// Recognises locations of calendar events that are not places: online meetings, rooms, and words for "not known
/// yet".
package enum Placeless {
    /// Phrases that are not places with a route.
    private static let phrases: Set<String> = Set(
        CallServices.known.names.map(WordFolding.joined)
            + [
                "online", "on line", "en ligne", "en linea",
                "em linha",
                "онлайн", "virtual", "virtuell", "virtuel", "virtual meeting", "online meeting", "web meeting",
                "webinar",
                "tbd",
                "tba", "tbc", "to be determined", "to be decided", "to be announced", "to be confirmed", "n a", "none",
                "telefon",
                "phone call", "telephone", "by phone", "per telefon", "telefonisch", "par telephone", "video call",
                "video conference",
                "videoconference", "videokonferenz", "visioconference", "conference call", "telefonkonferenz",
                "dial in",
                "livestream", "live stream", "meeting room", "conference room", "board room", "boardroom",
                "besprechungsraum",
                "konferenzraum", "sitzungszimmer", "salle de reunion", "salle de conference", "sala de reuniones",
                "sala riunioni",
                "wird noch bekannt gegeben", "noch offen", "a definir", "da definire", "por definir", "nog te bepalen",
                "remote meeting", "unknown", "unbekannt", "remotely", "会议室", "会議室", "オンライン", "线上", "線上", "未定",
            ].map(WordFolding.joined))
    /// Words that mean a room together with a number, as in "Room 3B".
    private static let rooms: Set<String> = Set(
        [
            "room", "rooms", "rm", "raum", "zimmer", "salle", "sala", "saal", "aula", "stanza", "kamer", "zaal",
            "lokal",
            "floor", "etage", "stock", "stockwerk", "desk", "office", "buro", "booth", "hoersaal", "classroom",
            "auditorium",
            "besprechungsraum", "konferenzraum", "sitzungszimmer", "seminarraum", "gate", "building", "bldg", "suite",
            "комната", "кабинет", "аудитория",
        ].map(WordFolding.joined))
    /// Words before the word for a room.
    private static let kindsOfRoom: Set<String> = Set(
        [
            "meeting", "conference", "conf", "board", "class", "lecture", "seminar", "training", "video", "big",
            "small", "large",
            "main", "virtual", "breakout", "waiting", "chat",
        ].map(WordFolding.joined))
    /// Words that may follow "Zoom", "Teams" and the like in the name of an online meeting.
    private static let meetingWords: Set<String> = Set(
        [
            "online", "meet", "google", "microsoft", "meeting", "call", "link", "id",
            "in",
            "description", "passcode", "password", "code", "details", "see", "the", "invite", "invitation", "via", "on",
            "over",
            "video", "room", "or", "and", "personal", "audio", "tba", "tbd", "us", "join", "below", "follow", "to",
        ].map(WordFolding.joined))
    private static let meetingNames = Set(CallServices.known.apps.map(WordFolding.joined))
    /// Everyday words. Some towns have such names, but the words are not corrected to the names of other towns, and far
    /// towns of these names are not certain.
    private static let everyday: Set<String> = Set(
        [
            "home", "work", "office", "school", "remote", "phone", "call", "lunch", "dinner", "meeting", "here",
            "there", "hall",
            "lobby", "gym", "garage", "kitchen", "cafeteria", "canteen", "kantine", "mensa", "zuhause", "daheim",
            "arbeit", "buero",
            "maison", "bureau", "casa", "teams", "outside", "inside", "various", "anywhere", "everywhere", "somewhere",
            "nowhere", "center", "centre", "city center", "city centre", "the center", "the centre", "the city", "city",
            "downtown", "town", "village", "valley", "uptown", "north", "south", "east", "west", "zentrum",
            "innenstadt",
            "stadt", "stadtmitte", "altstadt", "nord", "süd", "ost", "dom", "papa", "mama", "oma", "opa", "mum", "mom",
            "dad",
            "grandma", "grandpa", "her", "him", "them", "mia", "salon", "car", "bike", "auto", "stuga", "centro",
            "centrum",
        ].map(WordFolding.joined))

    /// The parts of names that a feature of every town may have: “Nordbahnhof”, “Union Station”, “Westfield”.
    private static let (directions, things, parts) = (
        folded("north south east west nord süd ost haupt stadt zentral central union wald alt neu"),
        folded(
            """
            bahnhof friedhof park station gate stadion stadium platz plaza mall square center centre cemetery markt market \
            halle kreuz tor ring
            """),
        folded("field side end land view brook wood lawn stadt vorstadt viertel hill point ridge town village")
    )

    private static func folded(_ words: String) -> [String] {
        words.split(whereSeparator: \.isWhitespace).map { WordFolding.letters(of: String($0)) }
    }

    /// The schemes of links without slashes.
    private static let schemes = ["mailto:", "tel:", "geo:", "maps:"]

    private static let longestRoomCode = 6
    private static let digitsOfTelephone = 7...15

    /// Rejects texts that do not name a place, before any lookup.
    ///
    /// - Parameter words: the folded words of the text.
    /// - Throws: ``GeocoderError`` with `notAPlace`.
    static func check(_ text: String, _ words: [String]) throws(GeocoderError) {
        if text.contains("://") || words.first == "www" || schemes.contains(where: text.lowercased().hasPrefix) {
            throw GeocoderError(
                .notAPlace, localized("a link is not a name; use “hunch place” to read the place in a link"))
        }
        guard isPlaceless(words) || isTelephone(text) else { return }
        throw GeocoderError(
            .notAPlace, localized("“%1” names no place; give an address or the name of a place", text.cut(to: 60)))
    }

    /// Returns whether the words of a place name none: an online meeting, a room, an everyday word, or a telephone number.
    package static func isMeant(by place: MapItem) -> Bool {
        guard place.address == nil, let text = place.query ?? place.name else { return place.address == nil }
        let words = WordFolding.words(of: text)
        return words.isEmpty || isPlaceless(words) || isEveryday(words) || isTelephone(text) || text.contains("://")
    }

    /// Returns whether a text is an international telephone number: `+49 30 1234567`. A text with one hyphen and no
    /// space may be a coordinate instead.
    static func isTelephone(_ text: String) -> Bool {
        let bytes = text.trimmed.utf8
        guard bytes.first == UInt8(ascii: "+"), bytes.last?.isASCIIDigit == true else { return false }
        let others = bytes.dropFirst().filter { !$0.isASCIIDigit }
        return others.allSatisfy(" -()/".utf8.contains) && others != [UInt8(ascii: "-")]
            && digitsOfTelephone.contains(bytes.count - 1 - others.count)
    }

    private static func isPlaceless(_ words: [String]) -> Bool {
        if phrases.contains(words.joined()) { return true }
        if words.count > 1, let first = words.first, meetingNames.contains(first),
            words.allSatisfy({
                meetingNames.contains($0) || meetingWords.contains($0) || $0.utf8.allSatisfy(\.isASCIIDigit)
            })
        {
            return true
        }
        guard let room = words.firstIndex(where: rooms.contains) else { return false }
        // "Etage 2 Raum 5"
        if words.filter(rooms.contains).count > 1, words.contains(where: { isCode([$0]) }),
            words.allSatisfy({ rooms.contains($0) || isCode([$0]) || kindsOfRoom.contains($0) })
        {
            return true
        }
        let before = words[..<room]
        let after = words[(room + 1)...]
        if before.isEmpty { return !after.isEmpty && after.count <= 3 && isCode(after) }
        guard before.allSatisfy(kindsOfRoom.contains) else {
            return before.count == 1 && isCode(before) && after.isEmpty
        }
        return after.isEmpty || isCode(after) || words[room] == "room" && after.count <= 2
    }

    /// Returns whether all words are parts of a room number: "3B", "2.14", "A", "101".
    private static func isCode(_ words: some Collection<String>) -> Bool {
        words.allSatisfy { word in
            word.utf8.count <= longestRoomCode
                && (word.utf8.count == 1 || word.utf8.contains(where: \.isASCIIDigit))
        }
    }

    /// Returns whether every town may have something of that name: a direction with the word for a feature or a part of
    /// a town, or a feature that is named after something, such as “Schiller Park”.
    package static func isOfEachTown(_ text: String) -> Bool {
        let words = folded(text)
        let name = words.joined()
        return words.count > 1 && words.last.map(things.contains) ?? false
            || directions.contains { direction in
                name.hasPrefix(direction)
                    && (things + parts).contains(String(name.dropFirst(direction.count)))
            }
    }

    private static let givenNames = Set(RequestLists.words("given name").map(WordFolding.joined))
    private static let shops = Set(RequestLists.words("shop").map(WordFolding.joined))

    /// Returns whether the only word is a given name.
    package static func isGivenName(_ words: [String]) -> Bool { words.count == 1 && givenNames.contains(words[0]) }

    /// Returns whether the only word is a given name, a shop, a kind of place, or a word about a journey or of every day.
    package static func isKnownWord(_ words: [String]) -> Bool {
        isGivenName(words) || isEveryday(words) || isShop(words) || PlaceCategory.named(words) != nil
            || words.count == 1 && RequestLists.all.contains(words[0])
    }

    /// The most words of the name of a shop.
    private static let longestShop = 4

    /// Returns whether the words are the name of a chain of shops, restaurants or hotels, or of a make.
    package static func isShop(_ words: [String]) -> Bool {
        words.count <= longestShop && shops.contains(words.joined())
    }

    /// Returns whether a text alone more likely means something nearby than a far town: a shop, an everyday word, or a
    /// feature that every town may have.
    package static func isCommon(_ text: String) -> Bool {
        let words = WordFolding.words(of: text)
        return isEveryday(words) || isShop(words) || isOfEachTown(text)
    }

    /// Returns whether the words are an everyday one, which matches only places of exactly that name.
    package static func isEveryday(_ words: [String]) -> Bool {
        words.count <= 2 && everyday.contains(words.joined())
    }
}
