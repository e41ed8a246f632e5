import Directions
import Gazetteers
import HunchModel
import Places
import TestSupport
import Testing

/// Places that the words only may mean, so that the user is asked.
@Suite("Doubt") struct DoubtTests {
    private static func fill(_ writer: GazetteerWriter) throws {
        var areas: [String: GazetteerArea.ID] = [:]
        for (code, name) in [
            ("US", "United States"), ("CA", "Canada"), ("FR", "France"), ("IT", "Italy"), ("DE", "Germany"),
            ("GR", "Greece"), ("AU", "Australia"), ("JP", "Japan"), ("CN", "China"),
        ] {
            areas[code] = try writer.add(
                GazetteerArea(name: name, aliases: [code], countryCode: code, isCountry: true))
        }
        let ohio = try writer.add(
            GazetteerArea(name: "Ohio", aliases: ["OH"], countryCode: "US", isCountry: false),
            in: areas["US"])
        func city(
            _ name: String, _ alternates: [String], _ latitude: Double, _ longitude: Double, _ importance: Double,
            _ area: String, kind: PlaceKind = .city
        ) throws {
            try writer.add(
                GazetteerPlace(
                    name: name, alternates: alternates, kind: kind,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude), importance: importance,
                    area: area == "OH" ? ohio : areas[area]))
        }
        try city("Strasbourg", ["Strasburg", "Straßburg"], 48.58, 7.75, 0.66, "FR")
        try city("Athens", ["Athen"], 37.98, 23.73, 0.8, "GR")
        try city("Rome", ["Rom", "Roma"], 41.89, 12.51, 0.9, "IT")
        try city("Fostoria", ["Rome", "Risdon"], 41.16, -83.42, 0.5, "OH")
        try city("Bressanone", ["Brixen"], 46.72, 11.66, 0.5, "IT")
        try city("Kitchener", ["Berlin"], 43.43, -80.51, 0.66, "CA")
        try city("Berlin", [], 52.52, 13.4, 0.95, "DE")
        try city("Sydney", ["Sidney"], -33.87, 151.21, 0.9, "AU")
        try city("Sidney", [], 40.28, -84.16, 0.5, "OH")
        try city("Tokyo", ["東京都", "東京"], 35.69, 139.69, 0.95, "JP")
        try city("Minato", ["港区"], 35.66, 139.75, 0.6, "JP")
        try city("Osaka", ["大阪市", "大阪"], 34.69, 135.5, 0.9, "JP")
        try city("Nakano", [], 36.74, 138.37, 0.5, "JP")
        try city("Kita", ["北区"], 34.71, 135.51, 0.55, "JP", kind: .suburb)
        try city("Naniwa", [], 34.66, 135.49, 0.5, "JP", kind: .suburb)
        try city("Tennoji", [], 34.65, 135.51, 0.5, "JP", kind: .suburb)
        try city("Beijing", ["北京市", "北京"], 39.91, 116.4, 0.95, "CN")
        try city("Haidian", ["海淀区"], 39.96, 116.3, 0.6, "CN")
    }

    private static let ohio = (40.8, -83.0)
    private static let berlin = (52.52, 13.4)
    private static let tokyo = (35.68, 139.76)
    private static let osaka = (34.7, 135.5)
    private static let nebraska = (41.1, -102.98)

    private func outcome(_ text: String, from here: (Double, Double)? = nil) async throws -> GeocodingOutcome {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("data/gazetteer.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("doubt"), read: Self.fill)
            let near = try here.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
            return GeocodingOutcome(try Gazetteer(file).candidates(for: GeocodingQuery(text, near: near)))
        }
    }

    @Test("A far town whose name only resembles the words is a question")
    func resembling() async throws {
        for words in ["Strasburg", "Straßburg"] {
            let far = try await outcome(words, from: Self.ohio)
            #expect(!far.isCertain && far.candidates.first?.item.name == "Strasbourg", "\(words)")
            #expect(try await outcome(words, from: Self.berlin).isCertain, "\(words)")
        }
        #expect(try await outcome("Strasbourg", from: Self.ohio).isCertain)
        // Names of large cities in other languages are known everywhere.
        for words in ["Athen", "Rom", "Roma"] {
            #expect(try await outcome(words, from: Self.berlin).isCertain, "\(words)")
        }
        #expect(try await !outcome("Sidney", from: Self.nebraska).isCertain)
    }

    @Test(
        "A former name is a question",
        arguments: ["Rome, Ohio", "Rome, OH", "Risdon", "Risdon, Ohio", "Berlin, Canada"])
    func former(_ words: String) async throws {
        let outcome = try await outcome(words)
        #expect(!outcome.isCertain && outcome.candidates.first?.match == .otherName, "\(outcome)")
    }

    @Test(
        "A name in another language is certain",
        arguments: ["Brixen", "Brixen, Italy", "Rom, Italy", "Berlin", "Fostoria, Ohio"])
    func current(_ words: String) async throws { #expect(try await outcome(words).isCertain) }

    @Test(
        "An address is not the middle of its city",
        arguments: [
            "東京都港区芝公園4丁目2-8", "東京都港区1-1", "大阪市北区梅田3-1-1", "大阪市北区1-1", "北京市海淀区中关村大街27号", "東京都港区芝公園4丁目2番8号",
            "東京 4-2-8", "Tokyo Minato 4-2-8", "〒105-0011 東京都港区芝公園4丁目2-8", "東京都港区芝公園４丁目２−８",
        ])
    func eastern(_ words: String) async throws { #expect(try await !outcome(words).isCertain) }

    @Test("A small far town is a question in a large city whose quarters are not known")
    func unknownQuarter() async throws {
        #expect(try await !outcome("Nakano", from: Self.tokyo).isCertain)
        // Quarters of Osaka are known.
        #expect(try await outcome("Nakano", from: Self.osaka).isCertain)
        #expect(try await outcome("Nakano").isCertain)
    }

    @Test("A quarter in its city is certain", arguments: ["東京都港区", "Minato, Tokyo", "Tokyo Minato"])
    func quarter(_ words: String) async throws {
        let outcome = try await outcome(words)
        #expect(outcome.isCertain && outcome.candidates.first?.item.name == "Minato", "\(outcome)")
    }
}
