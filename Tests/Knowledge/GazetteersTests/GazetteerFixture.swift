@testable import GazetteerImport
import FoundationEssentials
import Geocoding
import HunchModel
import Gazetteers
import TestSupport

/// A few places whose names, areas and positions distinguish the rules of search.
enum GazetteerFixture {
    static let epoch = Date(timeIntervalSince1970: 1_700_000_000)

    static func source(_ name: String) -> GazetteerSource {
        GazetteerSource(
            name: name, file: "/data/\(name).txt", fileDate: epoch, importDate: epoch, licence: "CC0-1.0",
            attribution: "Nobody")
    }

    static func make(in directory: TemporaryDirectory) throws -> GazetteerFile {
        let file = GazetteerFile(path: directory.file("data/gazetteer.sqlite"))
        _ = try file.importSource(source("fixture"), read: fill)
        return file
    }

    static func fill(_ writer: GazetteerWriter) throws {
        let us = try writer.add(
            GazetteerArea(
                name: "United States", aliases: ["US", "USA", "Vereinigte Staaten"], countryCode: "US", isCountry: true)
        )
        let france = try writer.add(
            GazetteerArea(name: "France", aliases: ["FR", "Frankreich"], countryCode: "FR", isCountry: true))
        let germany = try writer.add(
            GazetteerArea(name: "Germany", aliases: ["DE", "Deutschland"], countryCode: "DE", isCountry: true))
        func state(_ name: String, _ code: String, in country: GazetteerArea.ID) throws -> GazetteerArea.ID {
            try writer.add(GazetteerArea(name: name, aliases: [code], countryCode: "US", isCountry: false), in: country)
        }
        let texas = try state("Texas", "TX", in: us)
        let illinois = try state("Illinois", "IL", in: us)
        let missouri = try state("Missouri", "MO", in: us)
        let newYork = try state("New York", "NY", in: us)
        func city(
            _ name: String, _ alternates: [String] = [], _ latitude: Double, _ longitude: Double, _ importance: Double,
            _ area: GazetteerArea.ID?, kind: PlaceKind = .city
        ) throws {
            try writer.add(
                GazetteerPlace(
                    name: name, alternates: alternates, kind: kind,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude), importance: importance,
                    area: area))
        }
        try city("Paris", ["パリ", "Lutèce", "Parigi"], 48.86, 2.33, 0.9, france)
        try city("Paris", [], 33.66, -95.56, 0.5, texas)
        try city("Paris", [], 39.61, -87.7, 0.4, illinois)
        try city("Paris-Plage", [], 50.52, 1.59, 0.3, france)
        try city("Springfield", [], 39.8, -89.64, 0.55, illinois)
        try city("Springfield", [], 37.22, -93.3, 0.55, missouri)
        try city("New York", ["NYC", "New York City", "Nueva York"], 40.71, -74.01, 0.95, newYork)
        try city("York", [], 40.87, -97.59, 0.3, illinois)
        try city("Munich", ["München", "Monaco di Baviera"], 48.14, 11.58, 0.8, germany)
        try city("Zürich", ["Zurigo"], 47.38, 8.54, 0.75, nil)
        try city("St. Louis", ["Saint Louis"], 38.63, -90.2, 0.7, missouri)
        try city("Suva", [], -18.14, 178.44, 0.6, nil)
        try city("Apia", [], -13.83, -171.77, 0.6, nil)
        try city("Longyearbyen", [], 78.22, 15.65, 0.4, nil)
        try city("Munich Airport", ["EDDM"], 48.35, 11.78, 0.35, germany, kind: .airport)
    }

    /// A candidate as one line: name, state or country.
    static func summary(_ candidate: GeocodingCandidate) -> String {
        [candidate.item.name, candidate.item.address?.state ?? candidate.item.address?.country].compactMap { $0 }
            .joined(separator: ", ")
    }
}
