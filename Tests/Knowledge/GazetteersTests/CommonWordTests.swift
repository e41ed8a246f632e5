@testable import GazetteerImport
import Directions
import Gazetteers
import Geocoding
import HunchModel
import TestSupport
import Testing

@testable import JourneyWords

/// Words that more likely mean a shop, a place nearby or a road junction than a far town.
@Suite("Common words") struct CommonWordTests {
    private static let ohio = (40.0, -83.0)

    private func outcome(_ text: String, from here: (Double, Double)? = ohio) async throws -> GeocodingOutcome {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns")) { writer in
                let us = try writer.add(
                    GazetteerArea(name: "United States", aliases: ["US"], countryCode: "US", isCountry: true))
                let towns = [
                    ("Chase", 39.4, -76.4, 0.3), ("Chase", 38.4, -98.3, 0.2), ("Marathon", 24.7, -81.1, 0.49),
                    ("Marathon", 42.4, -76.0, 0.38), ("Downtown", 39.3, -76.6, 0.4), ("Downtown", 21.3, -157.8, 0.4),
                    ("Marriott-Slaterville", 41.25, -112.0, 0.38), ("Lawson", 39.4, -94.2, 0.42),
                    ("Lawson", 33.4, -92.4, 0.4), ("Chase", 40.1, -82.9, 0.4), ("Toyota", 40.3, -82.5, 0.62),
                    ("Exeter", 42.98, -70.9, 0.5), ("Afula", 41.0, -82.0, 0.5), ("Sanssouci", 34.9, -82.4, 0.4),
                    ("Sanssouci", 30.0, -95.0, 0.35), ("Columbus", 39.96, -83.0, 0.7),
                ]
                for (name, latitude, longitude, importance) in towns {
                    try writer.add(
                        GazetteerPlace(
                            name: name, alternates: name == "Afula" ? ["Exits", "I"] : [], kind: .city,
                            coordinate: Coordinate(latitude: latitude, longitude: longitude), importance: importance,
                            area: us))
                }
            }
            let near = try here.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
            return GeocodingOutcome(try Gazetteer(file).candidates(for: GeocodingQuery(text, near: near)))
        }
    }

    @Test("Words that only small far towns have as their name go to an app that searches")
    func farTowns() async throws {
        guard case .unresolved(let towns) = try await outcome("Sanssouci") else {
            Issue.record("“Sanssouci” is a question")
            return
        }
        #expect(towns.count == 2 && towns.allSatisfy(\.isByCommonWord))
    }

    @Test(
        "The name of a chain of shops and an everyday word go to an app that searches",
        arguments: ["Marathon", "downtown", "Lawson"])
    func shop(_ words: String) async throws {
        let outcome = try await outcome(words)
        guard case .unresolved(let towns) = outcome else {
            Issue.record("“\(words)” is \(outcome)")
            return
        }
        #expect(towns.count > 1 && towns.allSatisfy { $0.isByCommonWord && $0.match > .partial })
    }

    @Test("Without a position, a small town with the name of a shop is not certain, and a city is")
    func nowhere() async throws {
        #expect(try await !outcome("Chase", from: nil).isCertain)
        #expect(try await !outcome("Marathon", from: nil).isCertain)
        #expect(try await outcome("Toyota", from: nil).isCertain)
    }

    @Test("A town nearby with the name of a shop is certain")
    func town() async throws { #expect(try await outcome("Toyota").isCertain) }

    @Test("The name of a shop is not mistyped or unfinished", arguments: ["Marriott", "Chase Bank", "Burger King"])
    func unfinished(_ words: String) async throws {
        #expect(try await outcome(words).candidates.isEmpty)
        #expect(try await outcome(words, from: nil).candidates.isEmpty)
    }

    @Test(
        "A road junction is not a place of a similar name",
        arguments: [
            "I-71 exit 165", "A9 Ausfahrt 12", "Kreuz Exeter", "Route 33 & Main St", "Exit 12", "M25 junction 10",
            "5th Ave and Columbus St", "US-23 exit 114B", "A 10 Ausfahrt Columbus", "浦和インター",
        ])
    func junction(_ words: String) async throws {
        #expect(RoadWords.isJunction(words))
        for here in [nil, Self.ohio] { #expect(try await outcome(words, from: here).candidates.isEmpty, "\(words)") }
    }

    @Test(
        "Other words are not a junction",
        arguments: ["Exeter", "Columbus", "Exit", "Trinidad and Tobago", "Kreuzlingen", "Main St 12", "A Coruña"])
    func noJunction(_ words: String) { #expect(!RoadWords.isJunction(words)) }
}
