import Geocoding
import HunchModel
import Gazetteers
import SeededRandom
import TestSupport
import Testing

@Suite struct GazetteerSearchTests {
    private func withFixture(_ body: (Gazetteer) throws -> Void) async throws {
        try await withTemporaryDirectory { directory in try body(Gazetteer(GazetteerFixture.make(in: directory))) }
    }

    @Test("Plus Codes are found")

    func plusCodes() async throws {
        try await withFixture { gazetteer throws in
            // From the Open Location Code specification: a code in Zürich, shortened.
            let short = try #require(try gazetteer.candidates(for: GeocodingQuery("9G8F+6X Zürich")).first)
            let full = try #require(try gazetteer.candidates(for: GeocodingQuery("8FVC9G8F+6X")).first)
            #expect(short.item.coordinate == full.item.coordinate)
            #expect(short.item.coordinate == (try Coordinate(latitude: 47.3655625, longitude: 8.5249375)))
            #expect(short.matched == ["9G8F+6X", "Zürich"] && full.confidence == 1)
            let texas = try #require(try gazetteer.candidates(for: GeocodingQuery("MC6R+22 Paris, Texas")).first)
            #expect(try #require(texas.item.coordinate).longitude < -95)
            // Springfield in Illinois and in Missouri are too far apart for one area.
            let springfield = try gazetteer.candidates(for: GeocodingQuery("RC6R+22 Springfield"))
            #expect(Set(springfield.map(\.item.coordinate)).count == springfield.count)
            #expect(try gazetteer.candidates(for: GeocodingQuery("9G8F+6X")).isEmpty)
            #expect(try gazetteer.candidates(for: GeocodingQuery("9G8F+6X Atlantis")).isEmpty)
        }
    }

    @Test(
        "Places are found",
        arguments: [
            ("Paris", ["Paris, France", "Paris, Texas", "Paris, Illinois", "Paris-Plage, France"]),
            ("PARIS", ["Paris, France", "Paris, Texas", "Paris, Illinois", "Paris-Plage, France"]),
            ("Paris, Texas", ["Paris, Texas"]),
            ("texas paris", ["Paris, Texas"]),
            ("Paris TX", ["Paris, Texas"]),
            ("Paris TX USA", ["Paris, Texas"]),
            ("Paris, Texas, Vereinigte Staaten", ["Paris, Texas"]),
            ("Paris Frankreich", ["Paris, France", "Paris-Plage, France"]),
            ("Paris USA", ["Paris, Texas", "Paris, Illinois"]),
            ("lutece", ["Paris, France"]),
            ("Springfield MO", ["Springfield, Missouri"]),
            ("springfield", ["Springfield, Illinois", "Springfield, Missouri"]),
            ("munchen", ["Munich, Germany"]),
            ("MÜNCHEN, Deutschland", ["Munich, Germany"]),
            ("baviera monaco", ["Munich, Germany"]),
            ("zurich", ["Zürich"]),
            ("New York NY", ["New York, New York"]),
            ("York", ["York, Illinois", "New York, New York"]),
            ("new yo", ["New York, New York"]),
            ("muni", ["Munich, Germany", "Munich Airport, Germany"]),
            ("Saint-Louis", ["St. Louis, Missouri"]),
            ("st louis", ["St. Louis, Missouri"]),
            ("EDDM", ["Munich Airport, Germany"]),
            ("12 Rue de Rivoli, 75001 Paris, France", ["Paris, France"]),
            ("75001 Paris", ["Paris, France"]),
            ("12 Rue de Rivoli, 75001 Paris", ["Paris, France"]),
            ("Mun 3B", []),
            ("The long table in the back of the third room, Paris", []),
            ("Pa", []), ("NY", []), ("de", []), ("YO", []), ("パリ", ["Paris, France"]), ("パ", ["Paris, France"]),
            ("Atlantis", []),
            ("Paris Atlantis", []),
        ])
    func finds(text: String, expected: [String]) async throws {
        try await withFixture { gazetteer throws in
            let found = try gazetteer.candidates(for: GeocodingQuery(text)).map(GazetteerFixture.summary)
            #expect(found == expected)
        }
    }

    @Test("Candidates have a confidence and the matched words")

    func tellsConfidenceAndWhatMatched() async throws {
        try await withFixture { gazetteer throws in
            let paris = try gazetteer.candidates(for: GeocodingQuery("Paris"))
            #expect(paris[0].confidence > 0.9)
            #expect(paris[1].confidence < 0.1)
            #expect(paris[0].matched == ["Paris"])
            #expect(paris[0].item.address == PostalAddress(city: "Paris", country: "France", countryCode: "FR"))
            #expect(paris[0].kind == .city)

            let springfield = try gazetteer.candidates(for: GeocodingQuery("Springfield"))
            #expect(springfield.allSatisfy { abs($0.confidence - 0.5) < 0.01 })

            let munich = try gazetteer.candidates(for: GeocodingQuery("münchen deutschland"))
            #expect(munich.first?.matched == ["München", "Deutschland"])
            #expect(munich.first?.confidence ?? 0 > 0.99)

            let address = try gazetteer.candidates(for: GeocodingQuery("Nowhere Street 5, Paris, Texas"))
            #expect(address.first.map(GazetteerFixture.summary) == "Paris, Texas")
            #expect(address.allSatisfy { $0.confidence <= 0.5 })
        }
    }

    @Test("The nearer of equal candidates comes first")

    func theNearerOfEqualsComesFirst() async throws {
        try await withFixture { gazetteer throws in
            for (latitude, longitude, expected) in [(37.0, -93.0, "Missouri"), (40.0, -89.0, "Illinois")] {
                let near = try Coordinate(latitude: latitude, longitude: longitude)
                let found = try gazetteer.candidates(for: GeocodingQuery("Springfield", near: near))
                #expect(found.first?.item.address?.state == expected)
                #expect(found.first?.distance ?? .infinity < 100_000)
            }
        }
    }

    @Test(arguments: [
        "\"", "\"Paris\" OR *", "Paris*", "words:paris", "Paris NEAR(a b)", "{whole} : x", "a AND b", "NOT", "^Paris",
        "-Paris",
        "Paris\u{0}", "'; DROP TABLE place; --", "%_", "((((", "\u{301}", "a\u{FFFF}b",
    ])
    func noQueryIsSyntax(text: String) async throws {
        try await withFixture { gazetteer throws in
            let result = Result { () throws(GeocoderError) in try gazetteer.candidates(for: GeocodingQuery(text)) }
            if case .failure(let error) = result { #expect(error.code == .emptyQuery) }
            #expect(try gazetteer.candidates(for: GeocodingQuery("Suva")).count == 1)
        }
    }

    @Test("The limits of a query hold")

    func limitsHold() async throws {
        try await withFixture { gazetteer throws in
            #expect(try gazetteer.candidates(for: GeocodingQuery("Paris", limit: 1)).count == 1)
            #expect(GeocodingQuery("x", limit: 0).limit == 1)
            #expect(GeocodingQuery("x", limit: 5_000).limit == GeocodingQuery.maximumLimit)
            for (text, code) in [
                (String(repeating: "a", count: 1_025), GeocoderError.Code.tooLong),
                (String(repeating: "a ", count: 40), .tooLong), ("", .emptyQuery), (" ,.", .emptyQuery),
            ] {
                let error = #expect(throws: GeocoderError.self) { try gazetteer.candidates(for: GeocodingQuery(text)) }
                #expect(error?.code == code)
            }
            _ = try gazetteer.candidates(for: GeocodingQuery(String(repeating: "a", count: 1_024)))
            _ = try gazetteer.candidates(for: GeocodingQuery(String(repeating: "b ", count: 32)))
        }
    }

    @Test("Random queries cause no trap")

    func randomQueriesNeverTrap() async throws {
        try await withFixture { gazetteer throws in
            var random = SplitMix64(seed: 3)
            let pieces = [
                "Paris", "TX", "new", "york", "\"", "*", " ", ",", "ü", "(", ")", "AND", "75001", "\u{0}", "パ",
            ]
            for _ in 0..<500 {
                let text = (0..<Int.random(in: 1...12, using: &random))
                    .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined(separator: " ")
                let found = (try? gazetteer.candidates(for: GeocodingQuery(text))) ?? []
                #expect(found.allSatisfy { (0...1).contains($0.confidence) && !$0.matched.isEmpty })
            }
        }
    }
}
