import BulkFiles
import HunchModel
import Localization
import Glibc

/// Converts an OpenStreetMap file to a GeoJSON text sequence with the program `osmium` from Debian's `osmium-tool`.
struct OsmiumExport {
    let path: String
    let environment: [String: String]

    /// The tags to export. osmium omits objects that have none of them.
    private static let tags = [
        "name", "name:*", "alt_name", "old_name", "official_name", "short_name", "int_name", "loc_name", "place",
        "highway",
        "population", "capital", "admin_level", "boundary", "amenity", "shop", "tourism", "leisure", "office",
        "aeroway",
        "railway", "public_transport", "historic", "natural", "waterway", "craft", "healthcare", "iata", "icao",
        "wikidata",
        "building", "postal_code", "addr:housenumber", "addr:street", "addr:place", "addr:city", "addr:postcode",
        "addr:state", "addr:country", "addr:suburb", "religion", "station", "sport", "water",
    ]

    /// Returns the path of the program; `nil` if it is not installed.
    static func program(_ environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/osmium" }.first { access($0, X_OK) == 0 }
    }

    /// Starts the program and returns its output.
    ///
    /// - Throws: ``ImportError`` with `missingProgram` if it is not installed, `unreadable` if it cannot be started.
    func start() throws -> any ByteStream {
        guard let program = Self.program(environment) else {
            throw ImportError(
                .missingProgram,
                localized(
                    """
                    %1 needs the program osmium, which is not installed; install osmium-tool, or convert the file \
                    elsewhere with “osmium export -f geojsonseq”
                    """, path))
        }
        let quoted = Self.tags.map { "\"\($0)\"" }.joined(separator: ",")
        return try ProgramStream(
            program, ["export", "--no-progress", "-c", "/dev/fd/3", "-f", "geojsonseq", "-o", "-", path],
            third: "{\"include_tags\":[\(quoted)]}", name: "osmium", input: path)
    }
}
