internal import HunchModel
public import Foundation
public import Places

/// Fills the gazetteer from files of other programs: GNOME's place list and GeoNames dumps.
public struct GazetteerImport {
    /// What an import did.
    public struct Outcome: Hashable, Sendable {
        /// The source as it now is in the gazetteer.
        public var source: GazetteerSource
        /// How many entries of the file were left out, since they were broken.
        public var skipped: Int
    }

    private let file: GazetteerFile

    /// Makes an import into a gazetteer file, which need not exist yet.
    public init(into file: GazetteerFile) { self.file = file }

    /// GNOME's place list, where a package of the system has installed it.
    ///
    /// - Parameter environment: `XDG_DATA_DIRS` names the folders to look in; XDG Base Directory Specification.
    /// - Returns: the path of `libgweather-4/Locations.xml`, or `nil` when there is none.
    public static func installedPlaceList(environment: [String: String]) -> String? {
        let folders = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        return folders.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
            .map { "\($0)/libgweather-4/Locations.xml" }
            .first { FileManager.default.isReadableFile(atPath: $0) }
    }

    /// Imports one file, in place of what an earlier import of the same name left there.
    ///
    /// Beside a GeoNames dump, `admin1CodesASCII.txt` in the same folder gives the names of states. Beside GNOME's list,
    /// the translations in `../locale` give names in other languages.
    ///
    /// - Parameters:
    ///   - path: the file; its format is told from its content.
    ///   - date: now; kept as the date of the import.
    ///   - progress: called now and then.
    /// - Throws: ``ImportError`` for the file, ``GeocoderError`` for the gazetteer, which is then as it was.
    public func importFile(
        at path: String, date: Date, progress: (GazetteerProgress) -> Void = { _ in }
    ) throws -> Outcome {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            throw ImportError(
                .unreadable, "\(path) cannot be read; check the name and its permissions", underlying: error)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw ImportError(.unreadable, "\(path) is not a file; name the file to import")
        }
        let reader = try reader(of: path)
        let source = GazetteerSource(
            name: reader.sourceName, file: path, fileDate: attributes[.modificationDate] as? Date ?? date,
            importDate: date, licence: reader.licence, attribution: reader.attribution)
        var skipped = 0
        let imported = try file.importSource(source, progress: progress) { writer in
            skipped = try reader.read(into: writer) { progress(.reading(fraction: $0, places: writer.placeCount)) }
            guard writer.placeCount > 0 else {
                throw ImportError(.malformed, "\(path) has no place that can be read")
            }
        }
        return Outcome(source: imported, skipped: skipped)
    }

    private func reader(of path: String) throws -> any SourceReader {
        let head: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            head = try Array(handle.read(upToCount: 65_536) ?? Data())
            try handle.close()
        } catch {
            throw ImportError(.unreadable, "\(path) cannot be read; check its permissions", underlying: error)
        }
        if head.starts(with: Array("PK".utf8)) {
            throw ImportError(
                .unknownFormat, "\(path) is compressed; unpack it (“unzip”) and import the .txt file in it")
        }
        let firstLine = head.prefix { $0 != 0x0A }
        if firstLine.count(where: { $0 == 0x09 }) == GeoNamesReader.columnCount - 1 {
            return GeoNamesReader(path: path)
        }
        if head.starts(with: Array("<".utf8)) || head.starts(with: [0xEF, 0xBB, 0xBF, 0x3C]) {
            return PlaceListReader(path: path)
        }
        throw ImportError(
            .unknownFormat, "\(path) is neither a GeoNames dump (tab-separated) nor GNOME's Locations.xml")
    }
}

/// One foreign format.
protocol SourceReader {
    var sourceName: String { get }
    var licence: String { get }
    var attribution: String { get }

    /// Hands all places of the file to the writer.
    ///
    /// - Parameter progress: called with the fraction 0…1 that was read.
    /// - Returns: how many entries were left out, since they were broken.
    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int
}
