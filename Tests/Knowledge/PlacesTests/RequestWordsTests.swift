import HunchModel
import Testing

@testable import JourneyWords
@testable import MapLinks
@testable import Places

/// Phrases around the places of a request: which of them are understood, and which are named as ignored.
@Suite("Words of requests")
struct RequestWordsTests {
    /// Returns the parts of a request in one line: the start, the destination, the modes, the time and the ignored words.
    static func reading(_ text: String) throws -> String {
        let place = try PlaceParser().parse(text)
        let modes = place.modes.map(\.rawValue).sorted().joined(separator: ",")
        let time = place.time.map { time in
            JourneyTimeTests.text(time.seconds(after: JourneyTimeTests.now)) + (time.isArrival ? " arriving" : "")
        }
        return [place.source?.query, place.item.query, modes, time, place.ignored.map { "ignored: \($0)" }]
            .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " | ")
    }

    @Test(
        "A span of hours begins with the time, and its end is named as ignored",
        arguments: [
            ("Potsdam 9 bis 17 Uhr", "Potsdam | 11-29 09:00 | ignored: bis 17 Uhr"),
            ("Potsdam von 9 bis 17 Uhr", "Potsdam | 11-29 09:00 | ignored: bis 17 Uhr"),
            ("nach Potsdam 9-17 Uhr", "Potsdam | 11-29 09:00 | ignored: – 17 Uhr"),
            ("to Potsdam from 9 to 5", "Potsdam | 11-29 09:00 | ignored: to 5"),
            ("Potsdam between 5 and 6", "Potsdam | 11-28 17:00 | ignored: and 6"),
            ("Potsdam zwischen 17 und 18 Uhr", "Potsdam | 11-28 17:00 | ignored: und 18 Uhr"),
            ("morgen zwischen 17 und 18 Uhr nach Potsdam", "Potsdam | 11-29 17:00 | ignored: und 18 Uhr"),
            ("Potsdam 17:00-18:00", "Potsdam | 11-28 17:00 | ignored: – 18:00"),
            ("Potsdam 5-6pm", "Potsdam | 11-28 17:00 | ignored: – 6pm"),
            ("Potsdam 11am to 1pm", "Potsdam | 11-28 11:00 | ignored: to 1pm"),
            ("von Berlin nach Potsdam von 9 bis 17 Uhr", "Berlin | Potsdam | 11-29 09:00 | ignored: bis 17 Uhr"),
            ("from Berlin to Potsdam from 9 to 5", "Berlin | Potsdam | 11-29 09:00 | ignored: to 5"),
            ("Potsdam at 5 to 7", "Potsdam | 11-28 18:55"), ("Potsdam from 4 pm", "Potsdam | 11-28 16:00"),
            ("Potsdam from noon", "Potsdam | 11-28 12:00"),
            ("Potsdam, Saturday 10-12", "Potsdam | 12-05 10:00 | ignored: – 12"),
            ("Hauptstraße 9-17", "Hauptstraße 9-17"), ("Studio 9 bis 17", "Studio 9 bis 17"),
            ("9時から11時の間に新宿へ", "新宿 | 11-29 09:00 | ignored: 11時の間に"),
            ("明日13時〜15時に横浜へ", "横浜 | 11-29 13:00 | ignored: 15時に"),
            ("Hauptstraße 7a", "Hauptstraße 7a"), ("9 to 5 Bar", "9 to 5 Bar"), ("Units 1 to 4", "Units 1 to 4"),
        ])
    func span(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "A time that no day has is named as ignored",
        arguments: [
            ("Rostock at 25:00", "Rostock | ignored: at 25:00"),
            ("nach Rostock um 9:75 Uhr", "Rostock | ignored: um 9:75 Uhr"),
            ("to Rostock at 13pm by train", "Rostock | train | ignored: at 13pm"),
            ("Rostock 25 Uhr", "Rostock | ignored: 25 Uhr"), ("Hauptstraße 75", "Hauptstraße 75"),
            ("Rostock at 24:00", "Rostock | 11-29 00:00"),
            ("heute 25 Uhr nach Potsdam", "Potsdam | ignored: heute 25 Uhr"),
            ("am 31.11. nach Potsdam", "Potsdam | ignored: am 31.11."),
            ("nach Potsdam am 31.11.", "Potsdam | ignored: am 31.11."),
            ("on 31 November to Potsdam", "Potsdam | ignored: on 31 November"),
            ("nach Potsdam 31.11. um 9", "Potsdam | 11-29 09:00 | ignored: 31.11."),
            ("am 31.11. um 9 nach Potsdam", "Potsdam | ignored: am 31.11. um 9"),
            ("um 25 Uhr von Berlin nach Potsdam", "Berlin | Potsdam | ignored: um 25 Uhr"),
            ("morgen um 25 Uhr mit dem Zug nach Potsdam", "Potsdam | train | ignored: morgen um 25 Uhr"),
            ("nach Potsdam 2026-02-30", "Potsdam | ignored: 2026-02-30"), ("Berlin 24.12.1234", "Berlin 24.12.1234"),
        ])
    func impossible(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "A stop on the way and the way back are named as ignored",
        arguments: [
            ("nach Leipzig über Halle", "Leipzig | ignored: über Halle"),
            ("nach Leipzig und zurück", "Leipzig | ignored: und zurück"),
            ("to Leipzig via Halle", "Leipzig | ignored: via Halle"),
            ("from Berlin to Leipzig and back by train", "Berlin | Leipzig | train | ignored: and back"),
            ("von Berlin über Halle nach Leipzig", "Berlin | Leipzig | ignored: über Halle"),
            ("über Halle nach Leipzig", "Leipzig | ignored: über Halle"),
            (
                "mit dem Zug nach Leipzig über Halle morgen um 9",
                "Leipzig | train | 11-29 09:00 | ignored: über Halle"
            ),
            ("wie komme ich über Halle nach Leipzig", "Leipzig | ignored: über Halle"),
            ("mit dem Zug über Halle nach Leipzig", "Leipzig | train | ignored: über Halle"),
            ("morgen um 9 über Halle nach Leipzig", "Leipzig | 11-29 09:00 | ignored: über Halle"),
            ("Restaurant Zum Bach über Land", "Restaurant Zum Bach über Land"),
            ("nach Haus über dem See", "nach Haus über dem See"), ("Hin und zurück", "Hin und zurück"),
            ("Berlin to Munich via Leipzig", "Berlin to Munich | ignored: via Leipzig"),
            ("Berlin via Leipzig to Munich", "Berlin to Munich | ignored: via Leipzig"),
            ("Berlin über Leipzig nach München", "Berlin nach München | ignored: über Leipzig"),
            ("Berlin → Munich via Leipzig", "Berlin | Munich | ignored: via Leipzig"),
            ("from Berlin to Munich with a stop in Leipzig", "Berlin | Munich | ignored: with a stop in Leipzig"),
            ("von Kiel nach Ulm mit Halt in Fulda um 9", "Kiel | Ulm | 11-29 09:00 | ignored: mit Halt in Fulda"),
            ("de Paris à Nice via Lyon", "Paris | Nice | ignored: via Lyon"),
            ("de Paris à Nice en passant par Lyon", "Paris | Nice | ignored: en passant par Lyon"),
            ("de Madrid a Sevilla pasando por Córdoba", "Madrid | Sevilla | ignored: pasando por Córdoba"),
            ("de Madrid a Sevilla vía Córdoba en tren", "Madrid | Sevilla | train | ignored: vía Córdoba"),
            ("da Roma a Milano passando per Bologna", "Roma | Milano | ignored: passando per Bologna"),
            ("van Gent via Brussel naar Luik", "Gent | Luik | ignored: via Brussel"),
            ("från Malmö till Stockholm via Linköping", "Malmö | Stockholm | ignored: via Linköping"),
            ("z Warszawy do Gdańska przez Toruń", "Warszawy | Gdańska | ignored: przez Toruń"),
            ("из Москвы в Сочи через Ростов", "Москвы | Сочи | ignored: через Ростов"),
            ("東京から名古屋経由で大阪", "東京 | 大阪 | ignored: 名古屋経由で"),
            ("東京から大阪まで名古屋経由で", "東京 | 大阪 | ignored: 名古屋経由で"),
            ("名古屋経由で大阪へ電車で", "大阪 | train | ignored: 名古屋経由で"),
            ("大阪へ 名古屋経由", "大阪 | ignored: 名古屋経由"),
            ("从北京经由天津到上海", "北京 | 上海 | ignored: 经由天津"), ("从北京经天津去上海", "北京 | 上海 | ignored: 经天津"),
            ("经开区", "经开区"), ("Café Via Mala", "Café Via Mala"), ("Haus über dem Tal", "Haus über dem Tal"),
            ("to Rome Via Appia", "to Rome Via Appia"), ("from Via Roma to Via Milano", "Via Roma | Via Milano"),
        ])
    func detour(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "A word before an hour that is not a weekday is ignored",
        arguments: [
            ("so gegen 8 nach Potsdam", "Potsdam | 11-29 08:00"), ("nach Potsdam so um 8 rum", "Potsdam | 11-29 08:00"),
            ("Potsdam um 6:40 mit dem Zug", "Potsdam | train | 11-29 06:40"),
            ("nach Potsdam So um 8", "Potsdam | 11-29 08:00"), ("nach Potsdam Mo um 8", "Potsdam | 11-30 08:00"),
        ])
    func about(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "Each of several modes may have a preposition, and Japanese ones need no particle",
        arguments: [
            ("東京スカイツリー 徒歩", "東京スカイツリー | pedestrian"), ("大阪 車", "大阪 | car"),
            ("新大阪 新幹線 明日7時", "新大阪 | train | 11-29 07:00"), ("東海道 新幹線歴史館", "東海道 新幹線歴史館"),
            ("Berlin to Hamburg by bus or by train", "Berlin to Hamburg | bus,train"),
            ("from Berlin to Hamburg by bus or by train", "Berlin | Hamburg | bus,train"),
            ("nach Potsdam mit dem Bus oder mit der Bahn", "Potsdam | bus,train"),
        ])
    func severalPrepositions(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "A time may stand before a common noun",
        arguments: [
            ("tomorrow 9am dentist", "dentist | 11-29 09:00"), ("12:30 Zahnarzt", "Zahnarzt | 11-28 12:30"),
            ("9 Uhr Zahnarzt", "Zahnarzt | 11-29 09:00"), ("at 9 dentist", "dentist | 11-29 09:00"),
            ("10:15 church", "church | 11-28 10:15"), ("24h Apotheke", "24h Apotheke"),
            ("Midnight Cinema", "Midnight Cinema"), ("9 to 5 Bar", "9 to 5 Bar"),
            ("Mansfield after 3", "Mansfield | 11-28 15:00"), ("After Eight", "After Eight"),
        ])
    func timeBeforeNoun(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "Two modes in different wordings are both kept",
        arguments: [
            ("Potsdam zu Fuß oder mit dem Rad", "Potsdam | bike,pedestrian"),
            ("nach Potsdam mit dem Rad oder zu Fuß", "Potsdam | bike,pedestrian"),
            ("by bus and on foot to Potsdam", "Potsdam | bus,pedestrian"),
            ("横浜 バスと電車で", "横浜 | bus,train"), ("徒歩か自転車で渋谷に行く", "渋谷 | bike,pedestrian"),
            ("千葉 快速で", "千葉 | train"),
            ("Berlin to Potsdam by train,bike", "Berlin to Potsdam | bike,train"),
            ("from Berlin to Potsdam by bus, tram or train", "Berlin | Potsdam | bus,streetcar,train"),
            ("nach Potsdam mit Bus/Bahn", "Potsdam | bus,train"),
            ("nach Potsdam mit dem Rad, zu Fuß", "Potsdam | bike,pedestrian"),
            ("Café Bus, Bahn", "Café Bus, Bahn"), ("Rad/Weg", "Rad/Weg"),
        ])
    func severalModes(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "Japanese words for this and the next weekday count, and those for each day are named as ignored",
        arguments: [
            ("今週の土曜日15時 鎌倉", "鎌倉 | 11-28 15:00"), ("次の月曜日 新宿", "新宿 | 11-30 09:00"),
            ("鎌倉 次の月曜日", "鎌倉 | 11-30 09:00"), ("横浜 毎日9時", "横浜 | 11-29 09:00 | ignored: 毎日"),
            ("毎朝8時に横浜へ", "横浜 | 11-29 08:00 | ignored: 毎朝"), ("毎日新聞社まで", "毎日新聞社"),
            ("次の駅まで電車で", "次の駅 | train"),
        ])
    func easternDays(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "Home and work before a word such as “to” begin a route",
        arguments: [
            ("home to work", "home | work"), ("home to Dublin by train", "home | Dublin | train"),
            ("work to Potsdam at 9", "work | Potsdam | 11-29 09:00"), ("Zuhause nach Potsdam", "Zuhause | Potsdam"),
            ("zu Hause nach Potsdam", "zu Hause | Potsdam"),
            ("家から横浜", "家 | 横浜"), ("自宅から横浜まで", "自宅 | 横浜"), ("会社から渋谷", "会社 | 渋谷"),
            ("Home Depot to Potsdam", "Home Depot to Potsdam"), ("Nach Hause bitte", "Hause"),
        ])
    func fromOwnPlace(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "Words about the journey count before and behind a link",
        arguments: [
            ("by bike https://osm.org/?mlat=52.4&mlon=13", "bike"),
            ("https://osm.org/?mlat=52.4&mlon=13 by bike", "bike"),
            ("mit dem Rad zu https://osm.org/?mlat=52.4&mlon=13", "bike"),
            ("tomorrow at 9 by train to https://osm.org/?mlat=52.4&mlon=13", "train | 11-29 09:00"),
            ("by train tomorrow at 9 https://osm.org/?mlat=52.4&mlon=13", "train | 11-29 09:00"),
            ("電車で https://osm.org/?mlat=52.4&mlon=13 まで", "train"),
            ("Dinner at 8: https://osm.org/?mlat=52.4&mlon=13", "11-29 08:00 | ignored: Dinner"),
            ("Meet tomorrow at 6pm here: https://osm.org/?mlat=52.4&mlon=13", "11-29 18:00"),
            ("Treffen morgen um 18 Uhr hier: https://osm.org/?mlat=52.4&mlon=13", "11-29 18:00"),
            ("https://osm.org/?mlat=52.4&mlon=13 see you tomorrow at 6pm there", "11-29 18:00"),
            ("Treffpunkt morgen 10:00 52.5163, 13.3777", "11-29 10:00 | ignored: Treffpunkt"),
            ("mit dem Rad morgen 10:00 Treff 52.5163, 13.3777", "bike | 11-29 10:00 | ignored: Treff"),
            ("Feier um 19:30 bei uns https://osm.org/?mlat=52.4&mlon=13 morgen", "11-29 19:30 | ignored: Feier"),
            (
                "Treffen von 10 bis 12 Uhr dort: https://osm.org/?mlat=52.4&mlon=13",
                "11-29 10:00 | ignored: bis 12 Uhr"
            ),
            ("Treffen um 25 Uhr: https://osm.org/?mlat=52.4&mlon=13", "ignored: 25 Uhr"),
            ("Room 12 at https://osm.org/?mlat=52.4&mlon=13", "ignored: Room 12"),
        ])
    func besideLink(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "The stops of a link are named as ignored, and the last one is the destination",
        arguments: [
            ("https://www.google.com/maps/dir/Berlin/Leipzig/Munich", "Berlin | Munich | ignored: via Leipzig"),
            (
                "https://www.google.com/maps/dir/?api=1&origin=Berlin&destination=Munich&waypoints=Leipzig%7CHof",
                "Berlin | Munich | ignored: via Leipzig, Hof"
            ),
            ("https://maps.google.com/?saddr=Berlin&daddr=Leipzig+to:Munich", "Berlin | Munich | ignored: via Leipzig"),
            (
                "https://maps.apple.com/?saddr=Berlin&daddr=Leipzig&daddr=Munich",
                "Berlin | Munich | ignored: via Leipzig"
            ),
            (
                "https://maps.apple.com/directions?source=Berlin&waypoint=Leipzig&destination=Munich",
                "Berlin | Munich | ignored: via Leipzig"
            ),
        ])
    func stops(_ link: String, reading: String) throws { #expect(try Self.reading(link) == reading) }

    @Test(
        "A vehicle without a travel mode is named with the mode that replaces it",
        arguments: [
            ("mit dem Motorrad nach Potsdam", "Potsdam | car | ignored: Motorrad"),
            ("Potsdam by motorcycle at 9", "Potsdam | car | 11-29 09:00 | ignored: motorcycle"),
            ("mit dem Roller nach Potsdam", "Potsdam | bike | ignored: Roller"),
            ("by e-scooter to Potsdam", "Potsdam | bike | ignored: e-scooter"),
            ("mit dem Mofa von Werder nach Potsdam", "Werder | Potsdam | bike | ignored: Mofa"),
            ("Potsdam mit dem Lkw", "Potsdam | car | ignored: Lkw"),
            ("wheelchair to Potsdam", "Potsdam | pedestrian | ignored: wheelchair"),
            ("by kayak tomorrow at 9 to Potsdam", "Potsdam | 11-29 09:00 | ignored: by kayak"),
            ("mit dem Kanu nach Potsdam", "Potsdam | ignored: mit dem Kanu"),
            ("on horseback to Potsdam", "Potsdam | ignored: on horseback"),
            ("nach Potsdam mit dem letzten Zug", "Potsdam | train | ignored: letzten Zug"),
            ("Potsdam not by car", "Potsdam | ignored: not by car"),
            ("nach Potsdam ohne Autobahn", "Potsdam | ignored: ohne Autobahn"),
            ("take an Uber to Potsdam", "Potsdam | rideShare"), ("Potsdam mit dem Taxi", "Potsdam | taxi"),
            ("Fähre nach Dublin", "Dublin | ferry"), ("plane to Dublin", "Dublin | plane"),
            ("Berlin → Potsdam by scooter", "Berlin | Potsdam | bike | ignored: scooter"),
            ("Scooter Store", "Scooter Store"), ("Motorradmuseum Augsburg", "Motorradmuseum Augsburg"),
            ("Taxi-Stand am Zoo", "Taxi-Stand am Zoo"), ("Ferry Building", "Ferry Building"),
            ("Gasthaus mit dem Garten", "Gasthaus mit dem Garten"),
        ])
    func vehicle(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "The words that ask for directions are not part of the place",
        arguments: [
            "Fahr mich nach Potsdam", "bring mich nach Potsdam", "wie weit ist es nach Potsdam",
            "wie komme ich am besten zu Potsdam", "wie komme ich nach Potsdam?", "wie lange brauche ich nach Potsdam",
            "wie lange dauert die Fahrt nach Potsdam", "get me to Potsdam", "how far is it to Potsdam",
            "how far is Potsdam", "how long to Potsdam", "how long will it take to get to Potsdam",
            "navigate to Potsdam", "navigiere mich nach Potsdam", "Route nach Potsdam", "zeig mir den Weg nach Potsdam",
            "let's go to Potsdam", "zurück nach Potsdam", "lass uns nach Potsdam fahren",
            "kannst du mich nach Potsdam bringen", "what's the best way to Potsdam", "I'd like to go to Potsdam",
            "los nach Potsdam", "Weg zu Potsdam", "wo geht es nach Potsdam", "bringst du mich nach Potsdam",
            "give me directions to Potsdam",
        ])
    func opening(_ text: String) throws { #expect(try Self.reading(text) == "Potsdam") }

    @Test(
        "A name that begins like a request stays whole, also next to a time",
        arguments: [
            "Bike Shop Potsdam", "Walk of Fame", "Auto Museum", "Route 66", "Am Weg 5", "The Ritz", "Take Me Out",
            "Way to Go",
        ])
    func nameLikeOpening(_ name: String) throws {
        #expect(try PlaceParser().parse(name).item.query == name)
        let timed = try PlaceParser().parse("\(name) tomorrow at 9:00")
        #expect(timed.item.query == name)
        #expect(timed.modes.isEmpty && timed.time != nil)
    }

    @Test(
        "Times of day, days and spans in further wordings are understood",
        arguments: [
            ("Dayton 7:45a", "Dayton | 11-29 07:45"), ("Dayton 7p", "Dayton | 11-28 19:00"),
            ("Dayton monday after next at 9", "Dayton | 12-07 09:00"),
            ("Potsdam übernächsten Montag um 10", "Potsdam | 12-07 10:00"),
            ("nach Potsdam übernächste Woche", "Potsdam | 12-12 09:00"),
            ("Potsdam Heiligabend um 18 Uhr", "Potsdam | 12-24 18:00"),
            ("Potsdam on New Year's Eve at 8pm", "Potsdam | 12-31 20:00"),
            ("Dayton every monday at 9", "Dayton | 11-29 09:00 | ignored: every monday"),
            ("Dayton at 8ish", "Dayton | 11-29 08:00"), ("Dayton quarter of five", "Dayton | 11-28 16:45"),
            ("Dayton quarter past five pm", "Dayton | 11-28 17:15"), ("Dayton on the 5th", "Dayton | 12-05 09:00"),
            ("Potsdam am 5.", "Potsdam | 12-05 09:00"), ("Potsdam am 5. um 18 Uhr", "Potsdam | 12-05 18:00"),
            ("Potsdam on the 27th", "Potsdam | 12-27 09:00"),
            ("Potsdam on Friday the 4th at 9", "Potsdam | 12-04 09:00"),
            ("Potsdam at the weekend", "Potsdam | 12-05 09:00"), ("Potsdam am Wochenende", "Potsdam | 12-05 09:00"),
            ("Potsdam in 1h30", "Potsdam | 11-28 11:30"), ("Potsdam in 1.5 hours", "Potsdam | 11-28 11:30"),
            ("Potsdam in 1 h 30 min", "Potsdam | 11-28 11:30"),
            ("in zweieinhalb Stunden nach Potsdam", "Potsdam | 11-28 12:30"),
            ("Potsdam 20 minutes from now", "Potsdam | 11-28 10:20"),
            ("Potsdam um 9:30 Uhr ab", "Potsdam | 11-29 09:30"),
            ("Potsdam an 9:30", "Potsdam | 11-29 09:30 arriving"), ("Potsdam early tomorrow", "Potsdam | 11-29 07:00"),
            ("Potsdam am späten Nachmittag", "Potsdam | 11-28 17:00"),
            ("Potsdam yesterday at 9", "Potsdam | 11-27 09:00"),
            ("wann muss ich los, um um 9 in Potsdam zu sein", "Potsdam | 11-29 09:00 arriving"),
            ("Potsdam jeden Tag um 9", "Potsdam | 11-29 09:00 | ignored: jeden Tag"),
            ("Potsdam on Monday and Tuesday", "Potsdam | 11-30 09:00 | ignored: and Tuesday"),
            ("to Potsdam later", "Potsdam | ignored: later"), ("Potsdam next month", "Potsdam | ignored: next month"),
            ("on the 5th Avenue", "on the 5th Avenue"), ("Later", "Later"), ("Am Mittag 5", "Am Mittag 5"),
            ("Weg zum Bahnhof", "Bahnhof"), ("Weg zum See", "Weg zum See"),
            ("Table for Two", "Table for Two"), ("eine Verbindung nach Graz für morgen früh", "Graz | 11-29 09:00"),
            ("Graz um drei viertel neun", "Graz | 11-29 08:45"), ("Graz in about an hour", "Graz | 11-28 11:00"),
            ("Graz at noon sharp", "Graz | 11-28 12:00"), ("Graz noch vor 9", "Graz | 11-29 09:00 arriving"),
            ("Hotel Weekend", "Hotel Weekend"),
        ])
    func time(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }

    @Test(
        "Japanese and Chinese times, travel modes and particles are understood",
        arguments: [
            ("東京駅から新宿まで電車で", "東京駅 | 新宿 | train"), ("明日9時に大阪へ", "大阪 | 11-29 09:00"),
            ("明日の朝大阪へ", "大阪 | 11-29 09:00"), ("午後3時半に京都へ", "京都 | 11-28 15:30"),
            ("今夜新宿へ", "新宿 | 11-28 19:00"), ("来週京都へ", "京都 | 12-05 09:00"), ("歩いて渋谷まで", "渋谷 | pedestrian"),
            ("自転車で渋谷に行く", "渋谷 | bike"), ("京都への行き方", "京都"), ("東京から大阪への行き方", "東京 | 大阪"),
            ("東京から大阪まで新幹線で明日9時に", "東京 | 大阪 | train | 11-29 09:00"), ("家に帰る", "家"),
            ("明日の午前10時に渋谷駅へ行きたい", "渋谷駅 | 11-29 10:00"), ("2026年12月24日18時に札幌へ", "札幌 | 12-24 18:00"),
            ("9時までに新宿へ", "新宿 | 11-29 09:00 arriving"),
            ("12月5日18時に大阪へ", "大阪 | 12-05 18:00"), ("30分後に新宿へ", "新宿 | 11-28 10:30"),
            ("バイクで京都へ", "京都 | car | ignored: バイクで"), ("夜8時に新宿へ", "新宿 | 11-28 20:00"),
            ("明天9点坐火车去上海", "上海 | train | 11-29 09:00"), ("从北京到上海坐高铁", "北京 | 上海 | train"),
            ("東京駅", "東京駅"), ("明日香村へ", "明日香村"), ("車折神社", "車折神社"), ("三時知恩寺", "三時知恩寺"),
            ("横浜まで電車", "横浜 | train"), ("自宅まで電車", "自宅 | train"), ("電車 横浜", "横浜 | train"),
            ("東京から京都まで新幹線 明日9時発", "東京 | 京都 | train | 11-29 09:00"),
            ("深夜1時に渋谷", "渋谷 | 11-29 01:00"), ("夜12時に渋谷", "渋谷 | 11-29 00:00"),
            ("横浜に10時に着きたい", "横浜 | 11-29 10:00 arriving"), ("10時に横浜に着きたい", "横浜 | 11-29 10:00 arriving"),
            ("渋谷から横浜 電車", "渋谷 | 横浜 | train"),
            ("電車とバスの博物館", "電車とバスの博物館"), ("着物美術館", "着物美術館"),
            ("朝霞", "朝霞"), ("明日", "明日"), ("きょうと", "きょうと"),
        ])
    func eastern(_ text: String, reading: String) throws { #expect(try Self.reading(text) == reading) }
}
