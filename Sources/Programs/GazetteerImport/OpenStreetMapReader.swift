import HunchModel
import Gazetteers
import JourneyWords

/// A GeoJSON text sequence of OpenStreetMap objects, as written by `osmium export -f geojsonseq`, or any sequence
/// whose properties are OpenStreetMap tags.
///
/// Source: "Key:addr:*", "Key:place", "Names" and "Map features" in OpenStreetMap's wiki.
struct OpenStreetMapReader: SourceReader {
    /// The maximum length of a line, in bytes. Lines with country borders are long.
    private static let maximumLineLength = 256 << 20

    let kind = SourceKind.openStreetMap
    let input: SourceInput

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        var areas = AreaTable(states: [:], writer: writer)
        var skipped = 0
        let reader = LineReader(try input.open(), name: input.name, limit: Self.maximumLineLength)
        try reader.forEachLine(progress: progress) { line in
            guard !line.isEmpty else { return }
            guard let feature = try? GeoJSONFeature(line), let coordinate = feature.coordinate else {
                skipped += 1
                return
            }
            try Self.add(OpenStreetMapObject(tags: feature.properties), coordinate, &areas, writer)
        }
        return skipped
    }

    private static func add(
        _ object: OpenStreetMapObject, _ coordinate: Coordinate, _ areas: inout AreaTable, _ writer: GazetteerWriter
    ) throws {
        let area = try areas.area(
            country: object.countryCode ?? "", state: object.state ?? "", named: object.state)
        if let street = object.street, let number = object.houseNumber {
            // "12;14" and "12,14" are two houses at one point.
            for part in number.split(whereSeparator: { $0 == ";" || $0 == "," }).prefix(16) {
                try writer.add(
                    GazetteerHouse(
                        number: String(part).trimmingSpaces, street: street, city: object.city,
                        postalCode: object.postalCode, coordinate: coordinate, area: area))
            }
        }
        guard let name = object.name else { return }
        if object.isRoad {
            return try writer.add(
                GazetteerHouse(
                    number: nil, street: name, postalCode: object.postalCode, coordinate: coordinate, area: area))
        }
        guard let (kind, importance) = object.meaning else { return }
        let line = object.street.map { street in
            object.houseNumber.map {
                GazetteerHouse.line(number: $0, street: street, countryCode: object.countryCode)
            } ?? street
        }
        try writer.add(
            GazetteerPlace(
                name: name, alternates: object.furtherNames, doubtfulNames: object.doubtfulNames, kind: kind,
                coordinate: coordinate, importance: importance, area: area, street: line, city: object.city,
                postalCode: object.postalCode, category: PlaceCategory.category(ofTags: object.tags)))
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let rest = drop { $0 == " " }
        return String(rest.reversed().drop { $0 == " " }.reversed())
    }
}
