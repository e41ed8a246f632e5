import BulkFiles
import HunchModel
import Localization
import Foundation

/// Recognises the format of a file by its first bytes.
enum SourceFormat {
    private static let headLength = 65_536
    private static let endings = [
        "zip", "gz", "txt", "csv", "tsv", "pbf", "osm", "geojson", "geojsonseq", "geojsonl", "ndjson", "jsonl", "json",
        "xml",
    ]

    /// Returns the name of a file without its extensions: `berlin` of `berlin.osm.pbf`.
    static func name(of path: String) -> String {
        var parts = (path.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
        while parts.count > 1, let last = parts.last, endings.contains(last.lowercased()) { parts.removeLast() }
        let name = parts.joined(separator: ".")
        return name == "Locations" ? "places" : name
    }

    /// Returns the readers of a file: one, or one for each supported file of an archive, all of one kind.
    ///
    /// - Throws: ``ImportError``; `unknownFormat` for other formats.
    static func readers(of path: String, environment: [String: String]) throws -> [any SourceReader] {
        let head = try head(of: FileStream(path: path))
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            return try readers(ofArchive: path, environment: environment)
        }
        let folders = path.split(separator: "/").dropLast().suffix(2).map(String.init)
        if head.starts(with: [0x1F, 0x8B]) {
            let input = SourceInput(name: path, folders: folders) {
                try InflatingStream(FileStream(path: path), .gzip, name: path)
            }
            if let reader = try reader(of: input, beside: path, environment: environment) { return [reader] }
            throw unknown(path)
        }
        if head.dropFirst(4).starts(with: [0x0A, 0x09] + Array("OSMHeader".utf8)) {
            let osmium = OsmiumExport(path: path, environment: environment)
            return [OpenStreetMapReader(input: SourceInput(name: path, folders: folders) { try osmium.start() })]
        }
        if head.starts(with: Array("<".utf8)) || head.starts(with: [0xEF, 0xBB, 0xBF, 0x3C]) {
            return [PlaceListReader(path: path)]
        }
        let input = SourceInput(name: path, folders: folders) { try FileStream(path: path) }
        guard let reader = try reader(of: input, beside: path, environment: environment) else { throw unknown(path) }
        return [reader]
    }

    private static func readers(ofArchive path: String, environment: [String: String]) throws -> [any SourceReader] {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let archive = try ZipArchive(path: path, size: size)
        var readers: [any SourceReader] = []
        for entry in archive.entries {
            let input = SourceInput(
                name: localized("%1 in %2", entry.name, path),
                folders: entry.name.split(separator: "/").dropLast().map(String.init)
            ) { try archive.open(entry) }
            guard let reader = try reader(of: input, beside: path, environment: environment) else { continue }
            // In GeoNames' archives, one file is the dump and the others describe it.
            if readers.isEmpty || readers[0].kind == reader.kind { readers.append(reader) }
        }
        guard !readers.isEmpty else { throw unknown(path) }
        return readers
    }

    private static func unknown(_ path: String) -> ImportError {
        ImportError(
            .unknownFormat,
            localized(
                """
                %1 has an unsupported format; give a GeoNames dump, a GeoJSON text sequence of OpenStreetMap or \
                OpenAddresses, .osm.pbf, OpenAddresses CSV or GNOME's Locations.xml
                """, path))
    }

    /// Returns the reader for an input with lines of text; `nil` for an unknown format.
    ///
    /// - Parameter path: the path of the file. For a GeoNames dump, its folder may contain the names of states.
    private static func reader(
        of input: SourceInput, beside path: String, environment: [String: String]
    ) throws -> (any SourceReader)? {
        var head = try head(of: input.open())[...]
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
        let isJSON = head.first == 0x1E || head.first == 0x7B
        let line = head.prefix { $0 != 0x0A }
        if isJSON {
            guard !String(decoding: line.prefix(400), as: UTF8.self).contains("\"FeatureCollection\"") else {
                throw ImportError(
                    .unknownFormat,
                    localized(
                        """
                        %1 is a GeoJSON FeatureCollection; convert it to a text sequence, as “osmium export -f \
                        geojsonseq” writes
                        """, input.name))
            }
            let first = line.withUnsafeBytes { try? GeoJSONFeature($0) }
            let isAddress = first.map { OpenAddressesReader.isAddress($0.properties) } ?? false
            return isAddress ? OpenAddressesReader(input: input, form: .sequence) : OpenStreetMapReader(input: input)
        }
        switch line.count(where: { $0 == 0x09 }) + 1 {
        case GeoNamesReader.columnCount: return GeoNamesReader(input: input, beside: path, environment: environment)
        case PostalCodeReader.columnCount: return PostalCodeReader(input: input)
        case 8, 10: return AlternateNamesReader.isRow(line) ? AlternateNamesReader(input: input) : nil
        default:
            return CSVReader.firstRow(of: line).flatMap(OpenAddressesReader.Columns.init).map {
                OpenAddressesReader(input: input, form: .table($0))
            }
        }
    }

    private static func head(of stream: any ByteStream) throws -> [UInt8] {
        var head = [UInt8](repeating: 0, count: headLength)
        var filled = 0
        while filled < head.count {
            let count = try head.withUnsafeMutableBytes {
                try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(head.prefix(filled))
    }
}
