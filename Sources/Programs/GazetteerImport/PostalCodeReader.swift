import Geocoding
import HunchModel
import Gazetteers

/// GeoNames' postal codes: `DE.txt`, `allCountries.txt` of its folder `zip`. Tab-separated UTF-8 of 12 columns.
///
/// Source: `readme.txt` in https://download.geonames.org/export/zip/.
struct PostalCodeReader: SourceReader {
    static let columnCount = 12

    let kind = SourceKind.geoNamesCodes
    let input: SourceInput

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        var areas = AreaTable(states: [:], writer: writer)
        var skipped = 0
        try LineReader(try input.open(), name: input.name).forEachLine(progress: progress) { line in
            guard !line.isEmpty else { return }
            let columns = TabSeparated(line)
            guard columns.count == Self.columnCount, let country = columns.text(0), let code = columns.text(1),
                !code.isEmpty, let town = columns.text(2), let state = columns.text(3), let stateCode = columns.text(4),
                let latitude = columns.number(9), let longitude = columns.number(10),
                let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
            else {
                skipped += 1
                return
            }
            let joined = code.filter { $0 != " " }
            let area = try areas.area(
                country: country, state: stateCode.isEmpty ? state : stateCode, named: state.isEmpty ? nil : state)
            try writer.add(
                GazetteerPlace(
                    name: code, alternates: joined == code ? [] : [joined], kind: .postalCode, coordinate: coordinate,
                    importance: 0.1, area: area, city: town))
        }
        return skipped
    }
}
