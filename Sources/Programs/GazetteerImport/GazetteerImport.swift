import BulkFiles
internal import HunchModel
internal import Localization
public import Foundation
public import Gazetteers

/// Imports files into the gazetteer: GNOME's place list, GeoNames' dumps, OpenStreetMap and OpenAddresses.
public struct GazetteerImport {
    /// The result of an import.
    public struct Outcome: Hashable, Sendable {
        /// The source as stored in the gazetteer.
        public var source: GazetteerSource
        /// The number of invalid entries that were skipped.
        public var skipped: Int
    }

    private let file: GazetteerFile
    private let environment: [String: String]

    /// Creates an import into a gazetteer file, which need not exist yet.
    ///
    /// - Parameter environment: the environment, whose `PATH` locates `osmium`.
    public init(into file: GazetteerFile, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.file = file
        self.environment = environment
    }

    /// The paths of place lists below a data folder: GeoNames' towns of 15,000 people or more (libtimezonemap-data);
    /// GNOME's list with translated names, smaller towns and airports (libgweather-4-common); and Hunch's large
    /// airports with their IATA codes. The largest come first, so that stopping the import then changes nothing.
    private static let placeLists = [
        "libtimezonemap/ui/cities15000.txt", "libgweather-4/Locations.xml", airports,
    ]

    static let airports = "hunch/places/airports.txt"

    /// Returns the lists of the world's towns and airports that Hunch and system packages have installed.
    ///
    /// - Parameters:
    ///   - environment: the environment, whose `XDG_DATA_DIRS` names the folders; XDG Base Directory Specification.
    ///   - executableFolder: the folder of the program, which also finds lists in `../share`. In a package's build folder
    ///     (`.build…`), it finds those of the package, if it also searches `/usr/share`.
    /// - Returns: paths of at most three files; none if no such package is installed.
    public static func installedPlaceLists(
        environment: [String: String], executableFolder: String? = nil
    ) -> [String] {
        let listed = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        var folders = listed.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
        if let parts = executableFolder?.split(separator: "/") {
            folders.append("/" + parts.dropLast().joined(separator: "/") + "/share")
            if folders.contains("/usr/share"), let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) {
                folders.append("/" + parts[..<build].joined(separator: "/") + "/Sources/Programs/GazetteerImport/Data")
            }
        }
        return placeLists.compactMap { list in
            folders.lazy.map { "\($0)/\(list)" }.first { FileManager.default.isReadableFile(atPath: $0) }
        }
    }

    /// Returns whether there is a list of towns among these. Airports alone do not make a gazetteer.
    public static func haveTowns(_ lists: [String]) -> Bool { lists.contains { !$0.hasSuffix("/\(airports)") } }

    /// Returns whether a file has the path of a list that packages install, below any folder.
    public static func isPlaceList(_ path: String) -> Bool { placeLists.contains { path.hasSuffix("/\($0)") } }

    /// Returns whether files of OpenStreetMap (`.osm.pbf`) can be imported, for which the program `osmium` is needed.
    public static func readsOpenStreetMap(environment: [String: String]) -> Bool {
        OsmiumExport.program(environment) != nil
    }

    /// Imports a file, replacing an earlier import of the same name.
    ///
    /// Files are read as published, including those compressed with ZIP or gzip. For a GeoNames dump,
    /// `admin1CodesASCII.txt` (or
    /// `admin1Codes.txt`) in the same folder provides the names of states. For GNOME's list, the translations in
    /// `../locale` provide names in other languages. A file of OpenStreetMap (`.osm.pbf`) is read through the program
    /// `osmium`.
    ///
    /// - Parameters:
    ///   - path: the file. Its format is recognised by its content.
    ///   - date: the date of the import.
    ///   - origin: the address from which the file was downloaded, to be stored instead of its path.
    ///   - progress: called several times with the current progress.
    /// - Throws: ``ImportError`` for the file, ``GeocoderError`` for the gazetteer, which is then unchanged.
    public func importFile(
        at path: String, date: Date, origin: String? = nil, progress: (GazetteerProgress) -> Void = { _ in }
    ) throws -> Outcome {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            throw ImportError(
                .unreadable, localized("%1 cannot be read; check the name and its permissions", path), underlying: error
            )
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw ImportError(.unreadable, localized("%1 is not a file; name the file to import", path))
        }
        let readers = try SourceFormat.readers(of: path, environment: environment)
        let kind = readers[0].kind
        let source = GazetteerSource(
            name: kind.prefix + SourceFormat.name(of: path), file: origin ?? path,
            fileDate: attributes[.modificationDate] as? Date ?? date, importDate: date, licence: kind.licence,
            attribution: kind.attribution)
        var skipped = 0
        let imported = try file.importSource(source, progress: progress) { writer in
            for (index, reader) in readers.enumerated() {
                skipped += try reader.read(into: writer) { fraction in
                    progress(
                        .reading(
                            fraction: (Double(index) + fraction) / Double(readers.count),
                            places: writer.placeCount + writer.houseCount))
                }
            }
            guard writer.placeCount + writer.houseCount > 0 else {
                throw ImportError(
                    .malformed, localized("%1 contains no valid place; check that it is the right file", path))
            }
        }
        return Outcome(source: imported, skipped: skipped)
    }
}
