import BulkFiles
import Foundation
import Geocoding
import HunchModel
import Gazetteers
import JourneyWords

/// A GeoNames dump: `cities500.txt`, `allCountries.txt`, a country's file. Tab-separated UTF-8 of 19 columns.
///
/// Source: the "geoname" table in GeoNames' `readme.txt`.
struct GeoNamesReader: SourceReader {
    static let columnCount = 19

    private enum Column {
        static let number = 0
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

    /// The names of the file with the states: GeoNames' own, and the one in libtimezonemap-data.
    private static let stateLists = ["admin1CodesASCII.txt", "admin1Codes.txt"]

    let kind: SourceKind
    private let input: SourceInput
    /// The dump, and the installed lists of towns.
    private let lists: [String]

    /// - Parameters:
    ///   - path: the dump. The names of states are in the same folder, or in that of the installed list of towns.
    ///   - environment: the environment, which names the folders of installed lists.
    init(input: SourceInput, beside path: String, environment: [String: String]) {
        self.input = input
        lists = [path] + GazetteerImport.installedPlaceLists(environment: environment)
        kind = path.hasSuffix(GazetteerImport.airports) ? .airports : .geoNames
    }

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        var areas = AreaTable(states: try states(), writer: writer)
        var skipped = 0
        try LineReader(try input.open(), name: input.name).forEachLine(progress: progress) { line in
            guard !line.isEmpty else { return }
            let columns = TabSeparated(line)
            guard !Self.isMisplacedWard(columns) else { return }
            guard let place = try Self.place(columns, &areas) else {
                skipped += 1
                return
            }
            try writer.add(place)
        }
        return skipped
    }

    /// Returns the names of states by `COUNTRY.CODE`, from the list next to the dump and from the dump itself.
    private func states() throws -> [String: [String]] {
        var states: [String: [String]] = [:]
        let lists = lists.flatMap { list in
            Self.stateLists.map { URL(fileURLWithPath: list).deletingLastPathComponent().appendingPathComponent($0) }
        }
        if let list = lists.first(where: { FileManager.default.isReadableFile(atPath: $0.path) }) {
            try LineReader(try FileStream(path: list.path), name: list.path).forEachLine { line in
                let columns = TabSeparated(line)
                guard columns.count >= 3, let key = columns.text(0), let name = columns.text(1) else { return }
                states[key] = [name, columns.text(2)].compactMap { $0 }
            }
        }
        try LineReader(try input.open(), name: input.name).forEachLine { line in
            guard TabSeparated.has("ADM1", inColumn: Column.featureCode, of: line) else { return }
            let columns = TabSeparated(line)
            guard columns.count == Self.columnCount, columns[Column.featureCode].elementsEqual("ADM1".utf8),
                let name = columns.text(Column.name), let country = columns.text(Column.countryCode),
                let code = columns.text(Column.admin1), let alternates = columns.list(Column.alternateNames)
            else { return }
            states["\(country).\(code)", default: [name]] += alternates
        }
        return states
    }

    /// Returns whether an alternate name is probably not in use. A Latin name in lower case is a machine
    /// transliteration, such as “porto” for Bordeaux. Up to four capitals are the code of an airport, which is a name
    /// in use only if the place is that airport.
    private static func isDoubtful(_ name: String, of kind: PlaceKind) -> Bool {
        let letters = name.unicodeScalars.filter(\.properties.isAlphabetic)
        guard letters.allSatisfy(isLatin) else { return false }
        let hasSmall = letters.contains(where: \.properties.isLowercase)
        let hasCapital = letters.contains(where: \.properties.isUppercase)
        return hasSmall && !hasCapital || hasCapital && !hasSmall && letters.count <= 4 && kind != .airport
    }

    /// Returns whether a letter is in the blocks from Basic Latin to Latin Extended-B, or in Latin Extended Additional.
    private static func isLatin(_ letter: Unicode.Scalar) -> Bool {
        letter.value < 0x250 || (0x1E00..<0x1F00).contains(letter.value)
    }

    /// Returns whether a record is a ward of Tokyo outside of Tokyo. GeoNames has the names and the people of four wards in
    /// records of villages of that name, the farthest 889 km away. Only these wards are cities in English, and not in Japanese.
    private static func isMisplacedWard(_ columns: TabSeparated) -> Bool {
        guard columns.count == columnCount, columns.text(Column.countryCode) == "JP",
            columns.text(Column.admin1) != tokyo, let name = columns.text(Column.asciiName),
            let names = columns.list(Column.alternateNames)
        else { return false }
        return names.contains("\(name) City") && !names.contains { $0.hasSuffix("市") || $0.hasSuffix("-shi") }
    }

    /// GeoNames' code of the prefecture.
    private static let tokyo = "40"

    private static func place(_ columns: TabSeparated, _ areas: inout AreaTable) throws -> GazetteerPlace? {
        guard columns.count == columnCount,
            let name = columns.text(Column.name), !name.isEmpty, let ascii = columns.text(Column.asciiName),
            let alternates = columns.list(Column.alternateNames), let latitude = columns.number(Column.latitude),
            let longitude = columns.number(Column.longitude),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude),
            let feature = columns.text(Column.featureClass), let code = columns.text(Column.featureCode),
            let country = columns.text(Column.countryCode), let admin1 = columns.text(Column.admin1)
        else { return nil }
        let population = columns.text(Column.population).flatMap(Int.init) ?? 0
        let meaning = GeoNamesFeature(class: feature, code: code, population: population)
        let names = ascii == name || ascii.isEmpty ? alternates : [ascii] + alternates
        return GazetteerPlace(
            name: name, alternates: names.filter { !isDoubtful($0, of: meaning.kind) },
            doubtfulNames: names.filter { isDoubtful($0, of: meaning.kind) },
            kind: meaning.kind, coordinate: coordinate, importance: meaning.importance,
            area: try areas.area(country: country, state: admin1),
            origin: columns.text(Column.number).flatMap(Int64.init), category: PlaceCategory.category(ofFeature: code))
    }
}
