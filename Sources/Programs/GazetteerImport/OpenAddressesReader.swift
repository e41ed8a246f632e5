import BulkFiles
import HunchModel
import Gazetteers

/// Addresses published by OpenAddresses: formerly comma-separated values, one file per source; now GeoJSON, one
/// feature per line. Either may be compressed.
///
/// Source: openaddresses.io, "Data". The columns are `LON, LAT, NUMBER, STREET, UNIT, CITY, DISTRICT, REGION, POSTCODE,
/// ID, HASH`. Features have properties of the same names in lower case.
struct OpenAddressesReader: SourceReader {
    /// The indices of a table's columns.
    struct Columns {
        fileprivate let indices: [String: Int]

        /// Creates the indices; `nil` if these are not the headings of an OpenAddresses table.
        init?(_ headings: [String]) {
            var indices: [String: Int] = [:]
            for (index, heading) in headings.enumerated() { indices[heading.lowercased()] = index }
            guard ["lon", "lat", "number", "street"].allSatisfy({ indices[$0] != nil }) else { return nil }
            self.indices = indices
        }
    }

    enum Form {
        case table(Columns)
        case sequence
    }

    private static let maximumLineLength = 8 << 20

    let kind = SourceKind.openAddresses
    private let input: SourceInput
    private let form: Form

    init(input: SourceInput, form: Form) {
        self.input = input
        self.form = form
    }

    /// Returns whether the properties of a feature are those of an address.
    static func isAddress(_ properties: [String: String]) -> Bool {
        properties["street"] != nil && properties["number"] != nil
    }

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        var areas = AreaTable(states: [:], writer: writer)
        let country = country
        var skipped = 0
        switch form {
        case .table(let columns):
            var isFirst = true
            let reader = CSVReader(try input.open(), name: input.name)
            try reader.forEachRow(progress: progress) { row in
                defer { isFirst = false }
                guard !isFirst else { return }
                func field(_ name: String) -> String? { columns.indices[name].flatMap(row.text) }
                let coordinate = try? Coordinate(
                    latitude: Double(field("lat") ?? "") ?? .nan, longitude: Double(field("lon") ?? "") ?? .nan)
                try add(coordinate, country, &areas, writer, &skipped, field)
            }
        case .sequence:
            let reader = LineReader(try input.open(), name: input.name, limit: Self.maximumLineLength)
            try reader.forEachLine(progress: progress) { line in
                guard !line.isEmpty else { return }
                guard let feature = try? GeoJSONFeature(line) else {
                    skipped += 1
                    return
                }
                try add(feature.coordinate, country, &areas, writer, &skipped) { feature.properties[$0] }
            }
        }
        return skipped
    }

    private func add(
        _ coordinate: Coordinate?, _ country: String?, _ areas: inout AreaTable, _ writer: GazetteerWriter,
        _ skipped: inout Int, _ field: (String) -> String?
    ) throws {
        guard let coordinate, let street = field("street"), !street.isEmpty else {
            skipped += 1
            return
        }
        let region = field("region") ?? ""
        let area = try country.flatMap { try areas.area(country: $0, state: region.isEmpty ? regionFolder : region) }
        let city = [field("city"), field("district")].compactMap { $0 }.first { !$0.isEmpty }
        try writer.add(
            GazetteerHouse(
                number: field("number"), street: street, city: city, postalCode: field("postcode"),
                coordinate: coordinate, area: area))
    }

    /// The country code, from the folder of the file, such as `us/ca/berkeley.csv`; `nil` if no folder is a country.
    private var country: String? {
        input.folders.lazy.filter { $0.utf8.count == 2 }.map { $0.uppercased() }
            .first { !CountryNames.names(of: $0).isEmpty }
    }

    /// The folder within the country's folder, in upper case: the code of the state. Empty if there is none.
    private var regionFolder: String {
        guard let country, let index = input.folders.firstIndex(where: { $0.uppercased() == country }) else {
            return ""
        }
        let next = input.folders.index(after: index)
        return input.folders.indices.contains(next) ? input.folders[next].uppercased() : ""
    }
}
