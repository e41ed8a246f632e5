import Foundation
import HunchModel
import Places

/// A GeoNames dump: `cities500.txt`, `allCountries.txt`, a country's file. Tab-separated UTF-8 of 19 columns.
///
/// Source: the "geoname" table in GeoNames' `readme.txt`.
struct GeoNamesReader: SourceReader {
    static let columnCount = 19

    private enum Column {
        static let name = 1
        static let asciiName = 2
        static let alternateNames = 3
        static let latitude = 4
        static let longitude = 5
        static let featureClass = 6
        static let featureCode = 7
        static let countryCode = 8
        static let admin1 = 10
        static let population = 14
    }

    let path: String
    let licence = "CC BY 4.0"
    let attribution = "GeoNames, https://www.geonames.org/"

    init(path: String) { self.path = path }

    var sourceName: String {
        "geonames-" + URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        var areas = GeoNamesAreas(states: try states(), writer: writer)
        var skipped = 0
        try LineReader(path: path).forEachLine(progress: progress) { line in
            guard !line.isEmpty else { return }
            guard let place = try Self.place(TabSeparated(line), &areas) else {
                skipped += 1
                return
            }
            try writer.add(place)
        }
        return skipped
    }

    /// Names of states by `COUNTRY.CODE`: from the list beside the dump, and from the states in the dump itself.
    private func states() throws -> [String: [String]] {
        var states: [String: [String]] = [:]
        let list = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("admin1CodesASCII.txt")
        if FileManager.default.isReadableFile(atPath: list.path) {
            try LineReader(path: list.path).forEachLine { line in
                let columns = TabSeparated(line)
                guard columns.count >= 3, let key = columns.text(0), let name = columns.text(1) else { return }
                states[key] = [name, columns.text(2)].compactMap { $0 }
            }
        }
        try LineReader(path: path).forEachLine { line in
            let columns = TabSeparated(line)
            guard columns.count == Self.columnCount, columns[Column.featureCode].elementsEqual("ADM1".utf8),
                let name = columns.text(Column.name), let country = columns.text(Column.countryCode),
                let code = columns.text(Column.admin1), let alternates = columns.text(Column.alternateNames)
            else { return }
            states["\(country).\(code)", default: [name]] += alternates.split(separator: ",").map(String.init)
        }
        return states
    }

    private static func place(_ columns: TabSeparated, _ areas: inout GeoNamesAreas) throws -> GazetteerPlace? {
        guard columns.count == columnCount,
            let name = columns.text(Column.name), !name.isEmpty, let ascii = columns.text(Column.asciiName),
            let alternates = columns.text(Column.alternateNames),
            let latitude = columns.text(Column.latitude).flatMap(Double.init),
            let longitude = columns.text(Column.longitude).flatMap(Double.init),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude),
            let feature = columns.text(Column.featureClass), let code = columns.text(Column.featureCode),
            let country = columns.text(Column.countryCode), let admin1 = columns.text(Column.admin1)
        else { return nil }
        let population = columns.text(Column.population).flatMap(Int.init) ?? 0
        let meaning = GeoNamesFeature(class: feature, code: code, population: population)
        var names = ascii == name || ascii.isEmpty ? [] : [ascii]
        names += alternates.split(separator: ",").map(String.init)
        return GazetteerPlace(
            name: name, alternates: names, kind: meaning.kind, coordinate: coordinate,
            importance: meaning.importance, area: try areas.area(country: country, state: admin1))
    }
}

/// The countries and states of a dump, added to the gazetteer as they first occur.
private struct GeoNamesAreas {
    /// More names than this say nothing to a query, and cost room with every place.
    private static let mostAliases = 24

    private let states: [String: [String]]
    private let writer: GazetteerWriter
    private var countryIDs: [String: GazetteerWriter.AreaID] = [:]
    private var stateIDs: [String: GazetteerWriter.AreaID] = [:]

    init(states: [String: [String]], writer: GazetteerWriter) {
        self.states = states
        self.writer = writer
    }

    mutating func area(country: String, state: String) throws -> GazetteerWriter.AreaID? {
        guard !country.isEmpty else { return nil }
        let countryID = try countryIDs[country] ?? addCountry(country)
        let key = "\(country).\(state)"
        // GeoNames writes 00 for places of no state.
        guard !state.isEmpty, state != "00" else { return countryID }
        if let known = stateIDs[key] { return known }
        let postal = PostalAbbreviations.name(of: state, country: country)
        guard let names = states[key] ?? postal.map({ [$0] }), let name = names.first else { return countryID }
        let code = state.allSatisfy(\.isLetter) ? [state] : PostalAbbreviations.codes(of: name, country: country)
        let aliases = code + names.dropFirst().prefix(Self.mostAliases)
        let added = try writer.add(
            GazetteerArea(name: name, aliases: aliases, countryCode: country, isCountry: false), in: countryID)
        stateIDs[key] = added
        return added
    }

    private mutating func addCountry(_ code: String) throws -> GazetteerWriter.AreaID {
        let names = CountryNames.names(of: code)
        let added = try writer.add(
            GazetteerArea(
                name: names.first ?? code, aliases: [code] + names.dropFirst(), countryCode: code, isCountry: true))
        countryIDs[code] = added
        return added
    }
}
