import Glibc
import HunchModel
import Testing

@testable import Coordinates
@testable import JourneyWords
@testable import MapLinks
@testable import Places

/// Times of journeys in words, and the requests that contain them.
@Suite("Times in words")
struct JourneyTimeTests {
    /// Saturday, 28 November 2026, 10:00.
    static let now = seconds(2026, 11, 28, 10, 0)

    private static func seconds(_ year: Int32, _ month: Int32, _ day: Int32, _ hour: Int32, _ minute: Int32) -> Int {
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1_900, month - 1, day)
        (time.tm_hour, time.tm_min, time.tm_isdst) = (hour, minute, -1)
        return Int(mktime(&time))
    }

    /// Returns a time as `MM-DD HH:MM`.
    static func text(_ seconds: Int) -> String {
        var (seconds, time) = (time_t(seconds), tm())
        localtime_r(&seconds, &time)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(time.tm_mon + 1))-\(two(time.tm_mday)) \(two(time.tm_hour)):\(two(time.tm_min))"
    }

    @Test(
        "Days, times of day and spans are understood in English and German",
        arguments: [
            ("tomorrow 9:00", "11-29 09:00"), ("tomorrow at 9", "11-29 09:00"), ("at 9:30 pm", "11-28 21:30"),
            ("at 9", "11-29 09:00"), ("at 11", "11-28 11:00"), ("tonight at 8", "11-28 20:00"),
            ("tonight", "11-28 19:00"), ("heute Abend", "11-28 19:00"), ("ce soir", "11-28 19:00"),
            ("morgen früh", "11-29 09:00"), ("heute Nachmittag", "11-28 15:00"), ("tomorrow night", "11-29 19:00"),
            ("demain matin", "11-29 09:00"), ("in the evening", "11-28 19:00"),
            ("tomorrow at 7 in the evening", "11-29 19:00"),
            ("around noon", "11-28 12:00"), ("heute morgen", "11-28 10:00"), ("this morning", "11-28 10:00"),
            ("Freitag Abend", "12-04 19:00"), ("Freitag morgen", "12-04 09:00"),
            ("Friday evening", "12-04 19:00"),
            ("heute Nacht", "11-28 22:00"), ("heute Nacht um 2", "11-29 02:00"), ("mittags", "11-28 12:00"),
            ("midnight", "11-29 00:00"), ("heute mittag", "11-28 12:00"), ("tomorrow noon", "11-29 12:00"),
            ("on Monday at noon", "11-30 12:00"), ("next Saturday", "12-05 09:00"),
            ("on Saturday at 18:00", "11-28 18:00"),
            ("in 20 minutes", "11-28 10:20"), ("in an hour", "11-28 11:00"), ("in half an hour", "11-28 10:30"),
            ("in two hours", "11-28 12:00"), ("in 3 days at 7am", "12-01 07:00"), ("right now", "11-28 10:00"),
            ("the day after tomorrow at half past nine", "11-30 09:30"), ("at quarter to ten", "11-29 09:45"),
            ("tomorrow morning", "11-29 09:00"), ("tomorrow afternoon at 4", "11-29 16:00"),
            ("tomorrow at 7 in the", nil), ("today at 8", "11-28 20:00"), ("in 2 weeks", "12-12 09:00"),
            ("um dreiviertel neun", "11-29 08:45"), ("on 31 February", nil), ("am 31.4.", nil),
            ("29 February at 9", "02-29 09:00"),
            ("on 24 December at 10", "12-24 10:00"),
            ("December 24 10:15", "12-24 10:15"),
            ("2026-12-01 18:00", "12-01 18:00"), ("at 12 am", "11-29 00:00"), ("at 12 pm", "11-28 12:00"),
            ("leaving at 14:05", "11-28 14:05"), ("on 3 February", "02-03 09:00"), ("at 8pm on Friday", "12-04 20:00"),
            ("morgen um 9 Uhr", "11-29 09:00"), ("morgen um 9", "11-29 09:00"), ("heute Abend um 8", "11-28 20:00"),
            ("übermorgen um halb neun", "11-30 08:30"), ("um Viertel nach elf", "11-28 11:15"),
            ("morgen um zehn vor neun", "11-29 08:50"), ("am Montag um 9 Uhr 30", "11-30 09:30"),
            ("am 24.12. um 18 Uhr", "12-24 18:00"), ("am 3. Dezember um 7", "12-03 07:00"),
            ("in 20 Minuten", "11-28 10:20"),
            ("in einer Stunde", "11-28 11:00"), ("morgen früh um 6", "11-29 06:00"), ("ab 14 Uhr", "11-28 14:00"),
            ("jetzt", "11-28 10:00"), ("morgen Abend", "11-29 19:00"), ("um 21h15", "11-28 21:15"),
            ("um Mitternacht", "11-29 00:00"), ("demain à 9h", "11-29 09:00"), ("domani alle 9", "11-29 09:00"),
            ("at half seven", "11-29 07:30"), ("by half ten", "11-28 10:30"), ("this evening", "11-28 19:00"),
            ("this afternoon at 4", "11-28 16:00"), ("am Nachmittag", "11-28 15:00"), ("gegen Abend", "11-28 19:00"),
            // Not times.
            ("half seven", nil), ("at evening", nil), ("at 5", "11-28 17:00"), ("at quarter to five", "11-28 16:45"),
            ("um halb sieben", "11-28 18:30"), ("at 05:00", "11-29 05:00"), ("um 5 Uhr", "11-29 05:00"),
            ("at 5 am", "11-29 05:00"),
            ("tomorrow at 5", "11-29 05:00"), ("Morning", nil), ("9", nil), ("nine", nil), ("noon", "11-28 12:00"),
            ("in Berlin", nil), ("by bike", nil),
            ("25:00", nil),
            ("abends um 8", "11-28 20:00"), ("nachts um 2", "11-29 02:00"), ("morgens um 7", "11-29 07:00"),
            ("at 8 in the evening", "11-28 20:00"), ("2 at night", "11-29 02:00"), ("8 pm tonight", "11-28 20:00"),
            ("tonight at 2", "11-29 02:00"), ("Friday night at 11", "12-04 23:00"), ("um 9 am Morgen", "11-29 09:00"),
            ("12 Uhr mittags", "11-28 12:00"), ("mittags um 1", "11-28 13:00"), ("12 noon", "11-28 12:00"),
            ("12 midnight", "11-29 00:00"), ("12 Uhr nachts", "11-29 00:00"), ("at 12 at night", "11-29 00:00"),
            ("um 6 in der Früh", "11-29 06:00"), ("8 abends", "11-28 20:00"), ("at 5 o'clock", "11-28 17:00"),
            ("9 a.m.", "11-29 09:00"), ("9 A.M", "11-29 09:00"), ("9p.m.", "11-28 21:00"), ("at 1700", "11-28 17:00"),
            ("1700h", "11-28 17:00"), ("1700 Uhr", "11-28 17:00"), ("930am", "11-29 09:30"), ("17h30", "11-28 17:30"),
            ("17:30h", "11-28 17:30"), ("um 1700", nil), ("1700", nil), ("fünf vor halb neun", "11-29 08:25"),
            ("5 vor 12", "11-28 11:55"), ("20 nach 8", "11-29 08:20"), ("tomorrow 9 to 5", nil),
            ("um viertel acht", "11-29 07:15"), ("at a quarter past 8", "11-29 08:15"),
            ("at twenty past eleven", "11-28 11:20"), ("Fr 14 Uhr", "12-04 14:00"), ("Fri. 9am", "12-04 09:00"),
            ("So um 9", "11-29 09:00"), ("next Mon at 8", "11-30 08:00"), ("Tues at noon", "12-01 12:00"),
            ("Freitagabend", "12-04 19:00"), ("Montagmorgen um 8", "11-30 08:00"), ("Sonntagmittag", "11-29 12:00"),
            ("Friday, 4 December, at 9", "12-04 09:00"), ("Freitag, den 4.12. um 9", "12-04 09:00"),
            ("tomorrow, Sunday, at 9", "11-29 09:00"), ("in einer Woche", "12-05 09:00"), ("in a week", "12-05 09:00"),
            ("heute in acht Tagen", "12-05 09:00"), ("Montag in einer Woche um 9", "12-07 09:00"),
            ("in 14 Tagen", "12-12 09:00"), ("next week Monday at 9", "11-30 09:00"), ("in 90min", "11-28 11:30"),
            ("in anderthalb Stunden", "11-28 11:30"), ("today at 8 am", "11-28 08:00"), ("9 am Monday", "11-30 09:00"),
            ("9 am Montag", nil), ("um 9 am Montag", "11-30 09:00"), ("abends", nil), ("um So", nil),
            ("at 9:75", nil), ("17. Juni 135", nil), ("at", nil), ("May", nil), ("in 20000 minutes", nil), ("", nil),
        ] as [(String, String?)])
    func readTime(_ words: String, expected: String?) {
        #expect(JourneyTime(words).map { Self.text($0.seconds(after: Self.now)) } == expected)
    }

    @Test(
        "The next day of the week is never today",
        arguments: [
            ("next Monday at 10", "12-07 10:00"), ("nächsten Montag um 10", "12-07 10:00"),
            ("am nächsten Montag um 10", "12-07 10:00"), ("nächsten Montag 10:00", "12-07 10:00"),
            ("kommenden Montag 10:00", "12-07 10:00"), ("next Tuesday at 10", "12-01 10:00"),
            ("on Monday at 10", "11-30 10:00"), ("this Monday at 10", "11-30 10:00"),
        ])
    func nextWeekday(_ words: String, expected: String) {
        let monday = Self.seconds(2026, 11, 30, 8, 0)
        #expect(JourneyTime(words).map { Self.text($0.seconds(after: monday)) } == expected)
    }

    @Test(
        "A time with minutes has 24 hours, except in English words where clocks have twelve",
        arguments: [
            ("at 6:40", "GB", "11-29 06:40"), ("at 6:40", nil, "11-29 06:40"), ("at 6:40", "US", "11-28 18:40"),
            ("6:40", "DE", "11-29 06:40"), ("6:40", "US", "11-28 18:40"), ("abfahrt 6:40", "US", "11-29 06:40"),
            ("ankunft 6:40", "US", "11-29 06:40"), ("abfahrt 6:40", "DE", "11-29 06:40"),
            ("um 6.40", "US", "11-29 06:40"), ("heute 6:40", "US", "11-28 06:40"),
            ("today at 6:40", "US", "11-28 18:40"), ("today at 6:40", "GB", "11-28 06:40"),
            ("at 6:40 pm", "DE", "11-28 18:40"), ("at 6:40 in the evening", "GB", "11-28 18:40"),
            ("at 6", "DE", "11-28 18:00"),
        ] as [(String, String?, String)])
    func twelveHours(_ words: String, region: String?, expected: String) {
        let words = words.split(separator: " ").map(String.init)
        let time = JourneyTime(words: words[...], hasTwelveHours: ClockWords.hasTwelveHours(region))
        #expect(time.map { Self.text($0.seconds(after: Self.now)) } == expected)
    }

    @Test("German words around a time with minutes say that it has 24 hours")
    func inGerman() throws {
        let time = try #require(JourneyTime(words: ["6:40"], hasTwelveHours: true))
        #expect(Self.text(time.inGerman.seconds(after: Self.now)) == "11-29 06:40")
        let other = try #require(JourneyTime(words: ["um", "halb", "sieben"], hasTwelveHours: true))
        #expect(other.inGerman == other)
    }

    @Test(
        "Arrival is distinguished from departure",
        arguments: [
            ("by 9:30", true), ("before noon", true), ("arriving at 18:00", true), ("bis 18 Uhr", true),
            ("bis 12 Uhr mittags", true), ("by 12 noon", true), ("bis spätestens 18 Uhr", true), ("vor 9", true),
            ("before 9am", true), ("no later than 9", true), ("um 9 spätestens", true), ("at 9 at the latest", true),
            ("be there by 9", true), ("bis 9", true), ("nicht vor 9", false), ("not before 9", false),
            ("frühestens um 9", false), ("nach 17 Uhr", false), ("after 5pm", false),
            ("Ankunft 9:15", true), ("at 9:30", false), ("ab 9 Uhr", false), ("tomorrow", false),
        ])
    func arrival(_ words: String, isArrival: Bool) { #expect(JourneyTime(words)?.isArrival == isArrival) }

    @Test(
        "A request keeps its places, travel mode and time",
        arguments: [
            ("from Berlin to Hamburg by train tomorrow 9:00", "Berlin", "Hamburg", "train", "11-29 09:00"),
            ("from Berlin to Hamburg tomorrow at 9 by train", "Berlin", "Hamburg", "train", "11-29 09:00"),
            ("How do I get from A Street to B Street on Monday at 8?", "A Street", "B Street", "", "11-30 08:00"),
            ("Wie komme ich am Montag um halb neun von Wien nach Graz?", "Wien", "Graz", "", "11-30 08:30"),
            ("Wie komme ich mit dem Zug von Wien nach Graz?", "Wien", "Graz", "train", nil),
            ("morgen um 9 Uhr mit dem Zug nach Leipzig", nil, "Leipzig", "train", "11-29 09:00"),
            ("morgen nach Leipzig", nil, "Leipzig", "", "11-29 09:00"),
            ("Leipzig mit dem Zug", nil, "Leipzig", "train", nil), ("Potsdam by bike", nil, "Potsdam", "bike", nil),
            ("Hamburg, tomorrow at 9", nil, "Hamburg", "", "11-29 09:00"),
            ("walk to Soho", nil, "Soho", "pedestrian", nil),
            ("drive to Munich at 8pm", nil, "Munich", "car", "11-28 20:00"),
            ("von Trier mit dem Zug morgen um 7 nach Koblenz", "Trier", "Koblenz", "train", "11-29 07:00"),
            ("by bike tomorrow from Delft at 9:30 to Leiden", "Delft", "Leiden", "bike", "11-29 09:30"),
            ("per U-Bahn nach Nürnberg um 15 Uhr", nil, "Nürnberg", "subway", "11-28 15:00"),
            ("Leipzig morgen mit dem Zug", nil, "Leipzig", "train", "11-29 09:00"),
            ("nach Leipzig morgen", nil, "Leipzig", "", "11-29 09:00"),
            ("Sonntag um 10 nach Innsbruck", nil, "Innsbruck", "", "11-29 10:00"),
            ("Straße des 1. Mai zu Fuß", nil, "Straße des 1. Mai", "pedestrian", nil),
            ("von Potsdam zum Platz des 18. März", "Potsdam", "Platz des 18. März", "", nil),
            ("Platz des 18. März um 9", nil, "Platz des 18. März", "", "11-29 09:00"),
            ("Café Morgen mit dem Rad", nil, "Café Morgen", "bike", nil),
            ("by bike to Ruby Tuesday", nil, "Ruby Tuesday", "bike", nil),
            ("tomorrow at 9 by bike to 52.39, 13.06", nil, "52.39,13.06", "bike", "11-29 09:00"),
            ("zu Fuß zum Dom", nil, "Dom", "pedestrian", nil),
            ("Spandau mit der S-Bahn", nil, "Spandau", "train", nil),
            ("von Köln nach Bonn mit der Regionalbahn", "Köln", "Bonn", "train", nil),
            ("Osaka by Shinkansen", nil, "Osaka", "train", nil), ("Prag mit dem Flixbus", nil, "Prag", "bus", nil),
            ("Potsdam not by car", nil, "Potsdam", "", nil),
            ("nach Dresden bis 18 Uhr", nil, "Dresden", "", "11-28 18:00"),
            ("leave at half seven for Potsdam", nil, "Potsdam", "", "11-29 07:30"),
            ("leave for Potsdam tomorrow at 9", nil, "Potsdam", "", "11-29 09:00"),
            ("leave tomorrow at 9 for Leipzig by train", nil, "Leipzig", "train", "11-29 09:00"),
            ("in 45 minutes walk to Potsdam", nil, "Potsdam", "pedestrian", "11-28 10:45"),
            ("Leipzig this evening by train", nil, "Leipzig", "train", "11-28 19:00"),
            ("bike to Potsdam tomorrow morning", nil, "Potsdam", "bike", "11-29 09:00"),
            ("Fahrrad nach Potsdam", nil, "Potsdam", "bike", nil),
            ("am Nachmittag mit dem Rad nach Werder", nil, "Werder", "bike", "11-28 15:00"),
            ("Potsdam tomorrow", nil, "Potsdam", "", "11-29 09:00"),
            ("Potsdam tonight", nil, "Potsdam", "", "11-28 19:00"),
            ("Potsdam noon", nil, "Potsdam", "", "11-28 12:00"),
            ("nach Potsdam mittags", nil, "Potsdam", "", "11-28 12:00"),
            ("Potsdam 24.12.", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam am 24.12.", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam am 24.12", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam am 24. 12.", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam 24.12. um 9", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam on 12/24", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam 12/24 at 8am", nil, "Potsdam", "", "12-24 08:00"),
            ("Potsdam 24/12 8 Uhr", nil, "Potsdam", "", "12-24 08:00"),
            ("Mariahilfer Straße 12/24 um 8", nil, "Mariahilfer Straße 12/24", "", "11-29 08:00"),
            ("Potsdam um 9.30", nil, "Potsdam", "", "11-29 09:30"),
            ("nach Potsdam 2026-12-24", nil, "Potsdam", "", "12-24 09:00"),
            ("Potsdam le 24 décembre", nil, "Potsdam", "", "12-24 09:00"),
            ("zurück nach Hause", nil, "Hause", "", nil), ("back to work by bike", nil, "work", "bike", nil),
            ("vom Hauptbahnhof nach Potsdam", "Hauptbahnhof", "Potsdam", "", nil),
            ("du Louvre à Versailles", "Louvre", "Versailles", "", nil),
            ("Potsdam by train tomorrow", nil, "Potsdam", "train", "11-29 09:00"),
            ("Leipzig morgen Abend mit dem Zug", nil, "Leipzig", "train", "11-29 19:00"),
            ("bis 12 Uhr in Dresden", nil, "Dresden", "", "11-28 12:00"),
            ("Berlin → Hamburg by train at 9", "Berlin", "Hamburg", "train", "11-29 09:00"),
            ("How long does it take to walk from Spandau to Potsdam?", "Spandau", "Potsdam", "pedestrian", nil),
            ("drive home", nil, "home", "car", nil), ("take me home at 18:00", nil, "home", "", "11-28 18:00"),
            ("from https://osm.org/?mlat=52.4&mlon=13.1 to Berlin", "52.4,13.1", "Berlin", "", nil),
            ("geo:52.51,13.39 mit dem Fahrrad um 20 Uhr", nil, "52.51,13.39", "bike", "11-28 20:00"),
            (
                "meet https://www.openstreetmap.org/?mlat=52.51&mlon=13.39 by bike at 20:00", nil, "52.51,13.39",
                "bike", "11-28 20:00"
            ),
            ("9F4MGC5R+QM by bike", nil, "52.5094375,13.4416875", "bike", nil),
            ("Potsdam Fr 14 Uhr", nil, "Potsdam", "", "12-04 14:00"),
            ("Columbus Fri 9am", nil, "Columbus", "", "12-04 09:00"),
            ("Detroit MI 9am", nil, "Detroit MI", "", "11-29 09:00"),
            ("So um 9 nach Potsdam", nil, "Potsdam", "", "11-29 09:00"),
            ("Potsdam abends um 8 mit dem RE", nil, "Potsdam", "train", "11-28 20:00"),
            ("Potsdam mit dem RE1", nil, "Potsdam", "train", nil),
            ("Potsdam mit der S 5", nil, "Potsdam", "train", nil),
            ("mit der U8 nach Wittenau", nil, "Wittenau", "subway", nil),
            ("mit dem Rad an den Wannsee", nil, "Wannsee", "bike", nil),
            ("mit dem Bus in die Stadt", nil, "Stadt", "bus", nil), ("biking to Dayton", nil, "Dayton", "bike", nil),
            ("Potsdam 5 vor 12", nil, "Potsdam", "", "11-28 11:55"),
            ("by RE1 to Potsdam", nil, "Potsdam", "train", nil),
            ("Potsdam by bus 638 at 9", nil, "Potsdam", "bus", "11-29 09:00"),
            ("Potsdam mit S-Bahn und Bus", nil, "Potsdam", "bus,train", nil),
            ("Potsdam by bus or tram", nil, "Potsdam", "bus,streetcar", nil),
            ("home from work at 5:30 pm", "work", "home", "", "11-28 17:30"),
            ("from work home by bike", "work", "home", "bike", nil), ("to work by 9", nil, "work", "", "11-29 09:00"),
            ("zu Fuß heim um 22 Uhr", nil, "heim", "pedestrian", "11-28 22:00"),
            ("vor 9 nach Potsdam", nil, "Potsdam", "", "11-29 09:00"),
            ("Potsdam by tram in 20 minutes please", nil, "Potsdam", "streetcar", "11-28 10:20"),
        ] as [(String, String?, String, String, String?)])
    func request(_ text: String, source: String?, destination: String, modes: String, time: String?) throws {
        let place = try PlaceParser().parse(text)
        func words(_ item: MapItem?) -> String? {
            item?.query ?? item?.coordinate.map { "\($0.latitude),\($0.longitude)" }
        }
        #expect(words(place.source) == source)
        #expect(words(place.item) == destination)
        #expect(TransportMode.allCases.filter(place.modes.contains).map(\.rawValue).joined(separator: ",") == modes)
        #expect(place.time.map { Self.text($0.seconds(after: Self.now)) } == time)
    }

    @Test(
        "Names that contain such words stay whole",
        arguments: [
            "Straße des 17. Juni 135, Berlin", "Straße des 17. Juni", "Café Morgen", "Apocalypse Now",
            "Train Station Potsdam",
            "Bus Terminal, Derry", "High Noon Saloon", "Rue du 8 mai 1945", "Platz der Luftbrücke 5",
            "Hotel Am Markt 9",
            "Zum Goldenen Hirsch", "Area 51", "Studio 54", "Bar at the Corner 12", "Restaurant Sunday", "Um 1900",
            "Straße des 1. Mai 12", "Straße des 18. Oktober 17", "nach Straße des 17. Juni", "Hauptstraße 5 bis 7",
            "Units 1 to 4", "Main Street 5 to 7", "Apotheke 24h", "Gym 24 h", "Hotel The One", "Sunday in Brooklyn",
            "Walk in clinic London", "Drive in Kino Berlin", "Nordic Walking", "Indoor Cycling", "Tren de la Costa",
            "Hotel La Mañana", "Café de Demain", "Nine to Five", "Berlin 24.12.99999999999", "Berlin 24.12.1234",
            "The Good Morning Café", "Walk of Fame", "Bike Shop Potsdam", "Head to Toe", "Half Moon Bay", "Rad am Ring",
            "Auto Museum Prototyp",
            "Leave it for Me", "Via 25 Aprile 9, Milano", "Potsdam 12/24", "Mariahilfer Straße 12/24", "Back Bay",
            "Gym 24/7",
            "Café Midi", "Midnight Sun", "High Noon", "Bad Saarow", "Bath", "Reading", "Radebeul", "Zug", "Zug Hamburg",
            "bike Potsdam", "Potsdam Rad", "Potsdam Fr", "House of the Rising Sun", "Things to Do", "So What",
            "Café Um 1900",
            "After Eight", "Club Night", "Home from Home",
        ])
    func name(_ text: String) throws {
        let place = try PlaceParser().parse(text)
        #expect(place.item.query == text)
        #expect(place.modes.isEmpty)
        #expect(place.time == nil)
    }

    @Test(
        "A request to be at a place at a time is for an arrival time",
        arguments: [
            "be in Potsdam at 9:30", "I need to be in Potsdam by 9:30 by train", "arrive in Potsdam at 9:30",
            "reach Potsdam before 9:30", "Ankunft in Potsdam um 9:30", "um 9:30 in Potsdam sein",
            "ich muss um 9:30 in Potsdam sein", "in Potsdam ankommen um 9:30", "Potsdam um 9:30 ankommen",
            "nach Potsdam, um 9:30 da sein", "arrive Potsdam 9:30", "Potsdam 9:30 arriving",
        ])
    func arrivalRequest(_ text: String) throws {
        let place = try PlaceParser().parse(text)
        #expect(place.item.query == "Potsdam")
        #expect(place.time?.isArrival == true)
        #expect(place.time.map { Self.text($0.seconds(after: Self.now)) } == "11-29 09:30")
    }

    @Test(
        "No coordinate is a date", arguments: ["52.4, 13.07 um 9", "52.4, 13.07 at 9", "52.4000, 12.05 tomorrow at 9"])
    func coordinate(_ text: String) throws {
        let place = try PlaceParser().parse(text)
        #expect(place.item.coordinate?.latitude == 52.4 && place.time?.isArrival == false)
        #expect(place.time.map { Self.text($0.seconds(after: Self.now)).hasSuffix("09:00") } == true)
    }

    @Test("A request to be at a place is not taken for its name", arguments: ["Reach", "Be in Potsdam", "Ankunft"])
    func arrivalName(_ text: String) throws {
        #expect(try PlaceParser().parse(text).item.query == text)
    }

    @Test(
        "A date in numbers follows the region, unless only one order is possible",
        arguments: [
            ("3/4", "US", 3, 4), ("3/4", "DE", 4, 3), ("3/4", nil, 4, 3), ("12/24", "DE", 12, 24),
            ("24/12", "US", 12, 24),
            ("3.4.", "US", 4, 3), ("3/4/2027", "US", 3, 4), ("2027-04-03", "US", 4, 3),
        ] as [(String, String?, Int, Int)])
    func dateOrder(_ word: String, region: String?, month: Int, number: Int) {
        let date = DateWords([word][...], isMonthFirst: DateWords.writesMonthFirst(region))
        guard case .date(number, month, _) = date?.day else {
            Issue.record("\(String(describing: date))")
            return
        }
    }

    @Test("An impossible date is not read", arguments: ["13/13", "0/4", "32.1.", "31.4.", "24/7", "1/2/3/4", "9.30"])
    func noDate(_ word: String) { #expect(DateWords([word][...]) == nil) }

    @Test(
        "Words that may belong to a name are read where they are asked for",
        arguments: [
            ("Potsdam 12/24", "Potsdam", "", "12-24 09:00"), ("Rad Potsdam", "Potsdam", "bike", nil),
            ("Zug Hamburg", "Hamburg", "train", nil), ("Hamburg Zug", "Hamburg", "train", nil),
            ("Bus Spandau", "Spandau", "bus", nil), ("drive Potsdam", "Potsdam", "car", nil),
            ("mit dem Zug Hamburg", "Hamburg", "train", nil), ("Potsdam laufen", "Potsdam", "pedestrian", nil),
            ("Potsdam Fr", "Potsdam", "", "12-04 09:00"), ("Potsdam FR 14 Uhr", "Potsdam", "", "12-04 14:00"),
            ("Potsdam Mitternacht", "Potsdam", "", "11-29 00:00"),
        ] as [(String, String, String, String?)])
    func possibleRequest(_ text: String, destination: String, modes: String, time: String?) throws {
        let place = try #require(PlaceParser.possibleRequest(text))
        #expect(place.item.query == destination)
        #expect(place.modes.map(\.rawValue).joined(separator: ",") == modes)
        #expect(place.time.map { Self.text($0.seconds(after: Self.now)) } == time)
    }

    @Test("A text without such words has no other reading", arguments: ["Potsdam 12", "Radebeul", "Zug", "Bad Saarow"])
    func noPossibleRequest(_ text: String) { #expect(PlaceParser.possibleRequest(text) == nil) }

    @Test("A travel mode alone is not a place", arguments: ["by car", "mit dem Zug", "à pied"])
    func onlyAMode(_ text: String) {
        let error = #expect(throws: PlaceError.self) { try PlaceParser().parse(text) }
        #expect(error?.message == "“\(text)” has no place; say where to")
    }

    @Test("A missing hour on the day of a change of the clocks is the next one")
    func changeOfClocks() {
        let time = JourneyTime("tomorrow at 9")
        // 24 October 2026, the day before the clocks of Europe go back.
        let evening = Self.seconds(2026, 10, 24, 20, 0)
        #expect(time.map { Self.text($0.seconds(after: evening)) } == "10-25 09:00")
    }

    @Test("A code in a sentence with a time is still read")
    func code() throws {
        let place = try PlaceParser().parse("See you at 8FVC9G8F+6X tomorrow at 9")
        #expect(place.item.coordinate != nil && place.time != nil)
        #expect(throws: PlaceError.self) { try PlaceParser().parse("Meet at ///filled.count.soap at 18:00") }
        #expect(try PlaceParser().parse("from Stromness to Hoy").item.query == "Hoy")
    }
}
