import FoundationEssentials
import HunchModel
import TestSupport
import Testing
import Gazetteers

@testable import Geocoding
@testable import JourneyWords
@testable import MapLinks

@Suite("Rephrased place names")
struct RephrasingTests {
    @Test(
        "Prepositions and East Asian addresses split into parts",
        arguments: [
            ("Alexanderplatz in Berlin", ["Alexanderplatz, Berlin"]), ("Louvre à Paris", ["Louvre, Paris"]),
            ("Heathrow near London", ["Heathrow | London"]), ("Café close to Big Ben", ["Café | Big Ben"]),
            ("Hotel in der Nähe von Ulm", ["Hotel | Ulm", "Hotel, der Nähe von Ulm"]),
            ("東京都千代田区丸の内1丁目", ["目 丸の内1丁 千代田区 東京都"]), ("In Berlin", ["Berlin"]),
            ("directions to Ulm", ["Ulm"]), ("best way to Ulm", ["Ulm"]), ("show Ulm", ["Ulm"]), ("Best Pizza", []),
            ("nach Köln", ["Köln"]), ("札幌", ["札幌市"]), ("In Salah", ["Salah"]),
            ("Stoke-on-Trent", []),
            ("Berlin", []), ("in", []), ("", []),
        ])
    func wordings(text: String, expected: [String]) {
        let wordings = Rephrasing(text).wordings.map { $0.text + ($0.landmark.map { " | " + $0 } ?? "") }
        #expect(wordings == expected)
    }

    @Test(
        "An unmatched text finds the place within its area",
        arguments: [
            ("Munich in Germany", "Munich, Germany"), ("Paris à France", "Paris, France"),
            ("Munich Airport near Munich", "Munich Airport, Germany"), ("Paris, Texas", "Paris, Texas"),
        ])
    func found(text: String, expected: String) async throws {
        try await withTemporaryDirectory { directory in
            let gazetteer = try Gazetteer(GazetteerFixture.make(in: directory))
            let candidates = try gazetteer.candidates(for: GeocodingQuery(text))
            #expect(candidates.first.map(GazetteerFixture.summary) == expected)
            #expect(candidates.first.map { $0.match > .partial } == true)
        }
    }

    @Test(
        "Route words or an arrow separate source and destination",
        arguments: [
            ("from Berlin to Potsdam", "Berlin > Potsdam"), ("From New York to St. Louis", "New York > St. Louis"),
            ("von Berlin nach München", "Berlin > München"), ("de Lyon à Paris", "Lyon > Paris"),
            ("Paris → Lyon", "Paris > Lyon"),
            ("52.5,13.4 -> 48.9,2.3", "52.5,13.4 > 48.9,2.3"), ("从北京到上海", "北京 > 上海"),
            ("東京から大阪まで", "東京 > 大阪"), ("서울에서 부산까지", "서울 > 부산"),
            ("How do I get to Edinburgh from London?", "London > Edinburgh"),
            ("Wie komme ich von Wien nach Graz?", "Wien > Graz"), ("d’Avignon à Nice", "Avignon > Nice"),
            ("de Lisboa para o Porto", "Lisboa > Porto"), ("train from A Coruña to Vigo", "A Coruña > Vigo"),
            ("de la București la Cluj", "București > Cluj"), ("จากกรุงเทพไปเชียงใหม่", "กรุงเทพ > เชียงใหม่"),
        ])
    func routes(text: String, expected: String) {
        #expect(RouteWords(text).map { "\($0.source) > \($0.destination)" } == expected)
    }

    @Test(
        "A stop between, a missing end or a name is not a route",
        arguments: [
            "London to Paris", "Gateway to India", "A -> B -> C", "from to", "from Berlin", "→ Berlin", "Berlin →",
            "de Pere", "从前", "Von der Tann to", "from Ulm to Bonn to Kiel",
        ])
    func noRoutes(text: String) {
        #expect(RouteWords(text) == nil)
    }

    @Test(
        "A single preposition, dash or suffix is a possible route",
        arguments: [
            ("London to Paris", "London > Paris"), ("Lyon from Paris", "Paris > Lyon"),
            ("Paris – Lyon", "Paris > Lyon"),
            ("Berlin nach Hamburg", "Berlin > Hamburg"), ("Berlin nach Hamburg Zug", "Berlin > Hamburg"),
            ("北京到上海", "北京 > 上海"),
            ("İstanbul'dan Ankara’ya", "İstanbul > Ankara"), ("Budapestről Debrecenbe", "Budapest > Debrecen"),
            ("מתל אביב לירושלים", "תל אביב > ירושלים"),
        ])
    func possibleRoutes(text: String, expected: String) {
        #expect(RouteWords.possible(in: text).map { "\($0.source) > \($0.destination)" }.contains(expected))
    }

    @Test(
        "A name is not even a possible route",
        arguments: ["Stoke-on-Trent", "Berlin", "Rue de Lyon", "", "to"])
    func names(text: String) {
        #expect(RouteWords.possible(in: text).isEmpty)
    }

    @Test(
        "A travel mode is read before or after the places",
        arguments: [
            ("train from London to Paris", "train"), ("von Ulm nach Bonn mit dem Rad", "bike"),
            ("from London to Paris tomorrow at 9", nil),
            ("train from London to Paris at 18:00", "train"), ("von London nach Paris um 18 Uhr", nil),
            ("de Lyon à Paris en voiture", "car"),
        ])
    func modes(text: String, expected: String?) throws {
        let route = try #require(RouteWords(text))
        #expect(route.modes.map(\.rawValue) == (expected.map { [$0] } ?? []))
        #expect(["Paris", "Bonn"].contains(route.destination))
    }

    @Test(
        "An inflected name is reduced to its nominative",
        arguments: [
            ("Москвы", "Москва"), ("Казани", "Казань"), ("Лондона", "Лондон"), ("Warszawy", "Warszawa"),
            ("Brna", "Brno"),
            ("Krakowa", "Krakow"), ("Katowic", "Katowice"), ("Києва", "Київ"),
        ])
    func nominatives(name: String, expected: String) {
        #expect(NameCases.nominatives(of: name).contains(expected))
        #expect(NameCases.nominatives(of: name).count <= 7)
    }

    @Test("Capitals match airport codes, not translated town names")
    func codes() async throws {
        try await withTemporaryDirectory { directory in
            let gazetteer = try Gazetteer(GazetteerFixture.make(in: directory))
            func match(_ text: String) throws -> NameMatch? {
                try gazetteer.candidates(for: GeocodingQuery(text)).first?.match
            }
            #expect(try match("EDDM") == .otherName)
            #expect(try match("NYC") == .otherName)
            #expect(try match("YORK") == .ownName)
        }
    }
}
