@testable import GazetteerImport
import Directions
import Gazetteers
import Geocoding
import HunchModel
import TestSupport
import Testing

/// Places that have some letters of the words, and are not meant by them.
@Suite("Absurd guesses")
struct AbsurdGuessTests {
    private static let ohio = (40.8, -83.0)
    private static let tokyo = (35.68, 139.76)

    private func candidates(_ text: String, from here: (Double, Double)? = nil) async throws -> [GeocodingCandidate] {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns")) { writer in
                for (name, alternates, doubtful, country, latitude, longitude, importance) in [
                    ("South Bend", ["サウスベンド"], ["nan ben de"], "US", 41.68, -86.25, 0.6),
                    ("Stuttgart", ["STR", "シュトゥットガルト"], [], "DE", 48.78, 9.18, 0.69),
                    ("Hangzhou", ["Hang", "杭州"], [], "CN", 30.29, 120.16, 0.85),
                    ("Hang", [], [], "US", 40.9, -83.0, 0.3),
                    ("Whitehorse", ["白馬市"], [], "CA", 60.72, -135.05, 0.53),
                    ("Central", ["中央"], [], "US", 30.55, -91.04, 0.55),
                    ("Rome", ["ROM", "Rom", "Рим", "روما"], [], "IT", 41.89, 12.51, 0.9),
                    ("Sapporo", ["札幌市"], [], "JP", 43.07, 141.35, 0.75),
                    ("Chiyoda", [], [], "JP", 35.69, 139.75, 0.5), ("Western", [], [], "FJ", -17.8, 177.4, 0.4),
                    ("Western", [], [], "GH", 5.5, -2.2, 0.4), ("Lake", [], [], "US", 32.3, -89.3, 0.3),
                    ("Lake", [], [], "US", 43.1, -89.3, 0.3), ("Potsdam", [], [], "DE", 52.4, 13.07, 0.6),
                ] as [(String, [String], [String], String, Double, Double, Double)] {
                    let area = try writer.add(
                        GazetteerArea(name: "Country \(country)", aliases: [], countryCode: country, isCountry: true))
                    try writer.add(
                        GazetteerPlace(
                            name: name, alternates: alternates, doubtfulNames: doubtful, kind: .city,
                            coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                            importance: importance, area: area))
                }
            }
            let near = try here.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
            return try Gazetteer(file).candidates(for: GeocodingQuery(text, near: near))
        }
    }

    @Test(
        "A part of a transliteration, a lower-case code and a translation mean no town",
        arguments: [
            ("Big Ben", Self.ohio), ("Lange Straße 12", nil), ("白馬", nil), ("白馬", Self.tokyo), ("中央", Self.tokyo),
        ] as [(String, (Double, Double)?)])
    func parts(_ words: String, from here: (Double, Double)?) async throws {
        #expect(try await candidates(words, from: here).isEmpty)
    }

    @Test("A house address without its town means a village nearby, never a far town")
    func houses() async throws {
        #expect(try await candidates("Am Hang 3").isEmpty)
        #expect(try await candidates("Am Hang 3", from: Self.ohio).map(\.item.address?.countryCode) == ["US"])
        #expect(try await candidates("Am Hang 3 Potsdam").first?.item.name == "Potsdam")
        #expect(try await candidates("Am Hang 3, Hangzhou").first?.item.name == "Hangzhou")
    }

    @Test(
        "A name that begins like a request, and that of a shop, is no other town",
        arguments: ["Best Western", "Long Lake"])
    func requests(_ words: String) async throws {
        #expect(try await candidates(words).allSatisfy { $0.match == .partial })
    }

    @Test(
        "A code in capitals, a name next to a code, and a city of Chinese characters are found",
        arguments: [
            ("STR", "Stuttgart"), ("Rom", "Rome"), ("札幌", "Sapporo"), ("show Potsdam", "Potsdam"), ("杭州", "Hangzhou"),
        ])
    func found(_ words: String, name: String) async throws {
        #expect(try await GeocodingOutcome(candidates(words)).isCertain)
        #expect(try await candidates(words).first?.item.name == name)
    }
}
