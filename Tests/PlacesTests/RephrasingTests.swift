import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Places

@Suite("Names that are written in other ways")
struct RephrasingTests {
    @Test(
        "A preposition parts a place from its area, and an East Asian address has parts",
        arguments: [
            ("Alexanderplatz in Berlin", ["Alexanderplatz, Berlin"]), ("Louvre à Paris", ["Louvre, Paris"]),
            ("Heathrow near London", ["Heathrow | London"]), ("Café close to Big Ben", ["Café | Big Ben"]),
            ("Hotel in der Nähe von Ulm", ["Hotel | Ulm", "Hotel, der Nähe von Ulm"]),
            ("東京都千代田区丸の内1丁目", ["東京都 千代田区 丸の内1丁 目"]), ("In Berlin", ["Berlin"]),
            ("directions to Ulm", ["Ulm"]), ("nach Köln", ["Köln"]), ("In Salah", ["Salah"]), ("Stoke-on-Trent", []),
            ("Berlin", []), ("in", []), ("", []),
        ])
    func wordings(text: String, expected: [String]) {
        let wordings = Rephrasing(text).wordings.map { $0.text + ($0.landmark.map { " | " + $0 } ?? "") }
        #expect(wordings == expected)
    }

    @Test(
        "A text that no place bears as a whole finds the place in its area",
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
        "A text names both ends of a route by words for them, or by an arrow",
        arguments: [
            ("from Berlin to Potsdam", "Berlin > Potsdam"), ("From New York to St. Louis", "New York > St. Louis"),
            ("von Berlin nach München", "Berlin > München"), ("de Lyon à Paris", "Lyon > Paris"),
            ("Paris → Lyon", "Paris > Lyon"),
            ("52.5,13.4 -> 48.9,2.3", "52.5,13.4 > 48.9,2.3"), ("从北京到上海", "北京 > 上海"),
            ("東京から大阪まで", "東京 > 大阪"), ("서울에서 부산까지", "서울 > 부산"),
        ])
    func routes(text: String, expected: String) {
        #expect(RouteWords(text).map { "\($0.source) > \($0.destination)" } == expected)
    }

    @Test(
        "What has a place between, lacks an end or is a name is no route",
        arguments: [
            "London to Paris", "Gateway to India", "A -> B -> C", "from to", "from Berlin", "→ Berlin", "Berlin →",
            "de Pere", "从前", "Von der Tann to", "from Ulm to Bonn to Kiel",
        ])
    func noRoutes(text: String) {
        #expect(RouteWords(text) == nil)
    }

    @Test("Capitals are an airport's code, and not a town's name in another language")
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
