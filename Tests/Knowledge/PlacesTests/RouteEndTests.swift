import Coordinates
import HunchModel
import Testing

@testable import JourneyWords
@testable import MapLinks
@testable import Places

/// The ends of routes in words: coordinates, codes and places of one's own, and the words between the ends.
@Suite("Ends of routes")
struct RouteEndTests {
    /// Returns the start and the destination of a text in one line, with coordinates where they are known.
    private static func ends(_ text: String) throws -> String {
        let place = try PlaceParser().parse(text)
        return [place.source, place.item].compactMap(\.self).map { item in
            item.coordinate.map { "\($0.latitude),\($0.longitude)" } ?? item.query ?? "-"
        }.joined(separator: " | ")
    }

    @Test(
        "A coordinate, a code or a link may be either end of a route",
        arguments: [
            ("9F4MGC4V+XX nach Leipzig mit dem Zug", "52.5074375,13.4449375 | Leipzig"),
            ("geo:52.5163,13.3777 to Potsdam", "52.5163,13.3777 | Potsdam"),
            ("52.5163,13.3777 to 52.4,13.1", "52.5163,13.3777 | 52.4,13.1"),
            ("52.5163, 13.3777 nach Potsdam mit dem Rad", "52.5163,13.3777 | Potsdam"),
            ("Potsdam to 52.5163,13.3777", "Potsdam | 52.5163,13.3777"),
            ("Leipzig nach 9F4MGC4V+XX", "Leipzig | 52.5074375,13.4449375"),
            ("52.5163,13.3777 from Potsdam", "Potsdam | 52.5163,13.3777"),
            ("from geo:52.5163,13.3777 to 9F4MGC4V+XX", "52.5163,13.3777 | 52.5074375,13.4449375"),
            ("https://osm.org/?mlat=52.4&mlon=13 to Potsdam", "52.4,13.0 | Potsdam"),
            ("nach 9F4MGC4V+XX", "52.5074375,13.4449375"), ("drive to 52.5163,13.3777", "52.5163,13.3777"),
            ("I will walk you to 52.5163,13.3777", "52.5163,13.3777"),
            ("meet me at 52.5163,13.3777 tomorrow from 9 to 5", "52.5163,13.3777"),
        ])
    func exact(_ text: String, ends: String) throws { #expect(try Self.ends(text) == ends) }

    @Test(
        "Words for a mode or a time between the ends count",
        arguments: [
            ("Hamburg by train from Leipzig", "Leipzig | Hamburg | train"),
            ("Hamburg tomorrow 9:00 from Leipzig", "Leipzig | Hamburg | 11-29 09:00"),
            ("to Hamburg arriving by 8pm from Leipzig", "Leipzig | Hamburg | 11-28 20:00 arriving"),
            ("Potsdam 18 Uhr von Leipzig", "Leipzig | Potsdam | 11-28 18:00"),
            ("nach Potsdam mit dem Rad von Werder", "Werder | Potsdam | bike"),
            (
                "Columbus by bike tomorrow at 9 from Mansfield by bus",
                "Mansfield | Columbus | bus | 11-29 09:00"
            ),
            ("Leipzig mit dem Zug nach Potsdam", "Leipzig | Potsdam | train"),
            ("東京から明日9時に電車で大阪へ", "東京 | 大阪 | train | 11-29 09:00"),
            ("横浜から電車で18時に千葉", "横浜 | 千葉 | train | 11-28 18:00"),
            ("大阪へ電車で東京から", "東京 | 大阪 | train"), ("電車で大阪まで東京から", "東京 | 大阪 | train"),
            ("Greetings from Potsdam", "Greetings from Potsdam"), ("Gateway to India", "Gateway to India"),
            ("Potsdam tomorrow from 9 to 5", "Potsdam | 11-29 09:00 | ignored: to 5"),
        ])
    func between(_ text: String, reading: String) throws {
        #expect(try RequestWordsTests.reading(text) == reading)
    }

    @Test("A time before the dash between two places counts")
    func dash() throws {
        let route = try #require(RouteWords.possible(in: "Leipzig 18:00 - Potsdam").first)
        #expect(route.source == "Leipzig" && route.destination == "Potsdam")
        #expect(route.time.map { JourneyTimeTests.text($0.seconds(after: JourneyTimeTests.now)) } == "11-28 18:00")
    }

    @Test(
        "A route home from a place keeps its mode and time",
        arguments: [
            ("drive home from work", "work | home | car"), ("walk home from here", "here | home | pedestrian"),
            ("train home from Columbus", "Columbus | home | train"),
            ("bike home from work tomorrow at 5", "work | home | bike | 11-29 05:00"),
            ("taxi home from the airport", "the airport | home | taxi"),
            ("home at 6pm from Leipzig by train", "Leipzig | home | train | 11-28 18:00"),
            ("from Columbus back home", "Columbus | back home"), ("Columbus to home", "Columbus | home"),
            ("歩いて帰る", "家 | pedestrian"), ("東京から電車で帰る", "東京 | 家 | train"), ("家に帰る", "家"),
            ("hike to Columbus", "Columbus | pedestrian"), ("wandern nach Potsdam", "Potsdam | pedestrian"),
            ("leave Potsdam at 9 for Berlin", "Potsdam | Berlin | 11-29 09:00"),
            ("leave work for home", "work | home"), ("leaving home to Potsdam", "home | Potsdam"),
            ("leave for work at 8", "work | 11-29 08:00"), ("leave at nine for Potsdam", "Potsdam | 11-29 09:00"),
        ])
    func homeward(_ text: String, reading: String) throws {
        #expect(try RequestWordsTests.reading(text) == reading)
    }

    @Test(
        "A text that names only the start asks where to",
        arguments: [
            ("leave work at 5 by bike", "work"), ("leaving work at 5", "work"), ("when should I leave home", "home"),
            ("from work", "work"), ("vom Büro", "Büro"), ("von Potsdam aus", "Potsdam"), ("from Potsdam", "Potsdam"),
            ("会社から", "会社"),
        ])
    func onlyStart(_ text: String, start: String) throws {
        let error = #expect(throws: PlaceError.self) { try PlaceParser().parse(text) }
        #expect(error?.message == "“\(start)” is only the start; say where to")
    }

    @Test("A text that only says when to leave names no place")
    func noPlace() {
        let error = #expect(throws: PlaceError.self) { try PlaceParser().parse("leave at 5") }
        #expect(error?.message == "“leave at 5” has no place; say where to")
    }

    @Test(
        "A name that begins like the start of a route stays whole",
        arguments: ["Vom Fass", "From Dusk", "Von der Heydt-Museum", "Zur Sonne"])
    func nameLikeStart(_ name: String) throws { #expect(try PlaceParser().parse(name).item.query == name) }
}
