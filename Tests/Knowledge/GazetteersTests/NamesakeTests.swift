@testable import GazetteerImport
import Directions
import Gazetteers
import Geocoding
import HunchModel
import TestSupport
import Testing

/// Names that several places have, and places that have several names.
@Suite("Namesakes") struct NamesakeTests {
    private static func fill(_ writer: GazetteerWriter) throws {
        var areas: [String: GazetteerArea.ID] = [:]
        for (code, name) in [("US", "United States"), ("JP", "Japan"), ("DE", "Germany"), ("PL", "Poland")] {
            areas[code] = try writer.add(
                GazetteerArea(name: name, aliases: [code], countryCode: code, isCountry: true))
        }
        for name in ["Ohio", "Michigan", "Kentucky", "North Carolina", "Texas"] {
            areas[name] = try writer.add(
                GazetteerArea(name: name, aliases: [], countryCode: "US", isCountry: false), in: areas["US"])
        }
        areas["Brandenburg"] = try writer.add(
            GazetteerArea(name: "Brandenburg", aliases: [], countryCode: "DE", isCountry: false), in: areas["DE"])
        func city(
            _ name: String, _ alternates: [String] = [], _ latitude: Double, _ longitude: Double,
            _ importance: Double, _ area: String
        ) throws {
            try writer.add(
                GazetteerPlace(
                    name: name, alternates: alternates, kind: .city,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude), importance: importance,
                    area: areas[area]))
        }
        // Small towns are known around Tokyo, and not around Ohio.
        for index in 1...5 { try city("Tokyo Village \(index)", [], 35.7 + 0.05 * Double(index), 139.7, 0.4, "JP") }
        try city("Mansfield", [], 40.76, -82.52, 0.573, "Ohio")
        try city("Mansfield", ["Mansfeild"], 32.56, -97.14, 0.588, "Texas")
        try city("Columbus", [], 39.96, -83, 0.716, "Ohio")
        try city("Dayton", [], 39.76, -84.19, 0.624, "Ohio")
        try city("Dayton", [], 30.05, -94.89, 0.52, "Texas")
        try city("Chicago", [], 41.85, -87.65, 0.77, "US")
        try city("Shelby", [], 42.67, -83.03, 0.595, "Michigan")
        try city("Shelby", [], 35.29, -81.54, 0.53, "North Carolina")
        try city("Lexington", [], 38.04, -84.5, 0.666, "Kentucky")
        for index in 1...3 { try city("Lexington", [], 33 + Double(index), -80, 0.53, "North Carolina") }
        try city("Lubin", ["Lübben", "Luebben", "Lübben (Spreewald)"], 51.94, 13.89, 0.516, "Brandenburg")
        try city("Lubin", ["Lüben"], 51.4, 16.2, 0.597, "PL")
        try city("Tokyo", ["東京"], 35.69, 139.69, 0.95, "JP")
        try city("Maebashi", ["前橋"], 36.4, 139.08, 0.667, "JP")
        try city("Mabashi", ["馬橋"], 35.81, 139.92, 0.48, "JP")
        try city("Funabashi", ["本町", "船橋"], 35.7, 139.99, 0.7, "JP")
        for index in 1...4 { try city("Honmachi \(index)", ["本町"], 41 + Double(index), 142, 0.45, "JP") }
        try city("Nagasaki", ["長崎"], 35.73, 139.64, 0.526, "JP")
        try city("Nagasaki", ["長崎"], 32.75, 129.88, 0.677, "JP")
        try city("Yachiyo", ["八千代"], 35.74, 140.12, 0.643, "JP")
        try city("Yachiyo", ["八千代町"], 36.18, 139.89, 0.533, "JP")
        try city("Isehara", ["伊勢原"], 35.4, 139.31, 0.61, "JP")
        try city("Chichibu", [], 35.99, 139.08, 0.58, "JP")
    }

    private static let ohio = (40.554, -82.306)
    private static let tokyo = (35.69, 139.7)

    private func outcome(_ text: String, from here: (Double, Double)? = nil) async throws -> GeocodingOutcome {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("data/gazetteer.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("namesakes"), read: Self.fill)
            let near = try here.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
            return GeocodingOutcome(try Gazetteer(file).candidates(for: GeocodingQuery(text, near: near)))
        }
    }

    @Test("Where small towns are not known, a town of another state with namesakes is ambiguous")
    func otherState() async throws {
        for words in ["Shelby", "Lexington"] {
            #expect(try await !outcome(words, from: Self.ohio).isCertain, "\(words)")
        }
        for words in ["Columbus", "Dayton", "Chicago", "Shelby, Michigan"] {
            #expect(try await outcome(words, from: Self.ohio).isCertain, "\(words)")
        }
    }

    @Test("A town with two languages has both names, and is shown by the typed one", arguments: ["Lübben", "Luebben"])
    func bilingual(words: String) async throws {
        let outcome = try await outcome(words)
        #expect(outcome.isCertain && outcome.candidates.first?.item.name == "Lübben", "\(outcome)")
        #expect(outcome.candidates.first?.item.address?.city == "Lübben")
        let polish = try await self.outcome("Lubin, Poland")
        #expect(polish.isCertain && polish.candidates.first?.item.name == "Lubin", "\(polish)")
    }

    @Test("A misspelling that a list has for a far town may mean the one nearby")
    func listedMisspelling() async throws {
        let outcome = try await outcome("Mansfeild", from: Self.ohio)
        #expect(!outcome.isCertain && outcome.candidates.count == 2)
        #expect(outcome.candidates.first?.item.address?.state == "Ohio", "\(outcome)")
    }

    @Test(
        "Chinese characters mean the place that has exactly these", arguments: [("馬橋", "Mabashi"), ("前橋", "Maebashi")])
    func characters(words: String, name: String) async throws {
        let outcome = try await outcome(words, from: Self.tokyo)
        #expect(outcome.isCertain && outcome.candidates.map(\.item.name) == [name], "\(outcome)")
    }

    @Test("Of two towns in Latin letters, the one with the typed characters is meant")
    func town() async throws {
        let first = try await outcome("八千代町", from: Self.tokyo).candidates.first
        #expect(first?.matched == ["八千代町"], "\(String(describing: first))")
    }

    @Test("Characters that many towns have, or a far city, are ambiguous", arguments: ["本町", "長崎"])
    func common(words: String) async throws {
        #expect(try await !outcome(words, from: Self.tokyo).isCertain)
    }

    @Test("Around a metropolis whose quarters are not known, a town of 70,000 people with a name of its own is certain")
    func outskirts() async throws {
        for words in ["Isehara", "伊勢原"] { #expect(try await outcome(words, from: Self.tokyo).isCertain, "\(words)") }
        #expect(try await !outcome("Chichibu", from: Self.tokyo).isCertain)
    }
}
