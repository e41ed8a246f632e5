import BulkFiles
import Gazetteers

/// A reader of a file in a foreign format, possibly in an archive.
protocol SourceReader {
    var kind: SourceKind { get }

    /// Passes all places of the file to the writer.
    ///
    /// - Parameter progress: called with the read fraction, 0…1.
    /// - Returns: the number of invalid entries that were skipped.
    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int
}

/// The publisher and the licence of a file.
struct SourceKind: Equatable {
    /// The prefix of the source's name, before the file's name.
    let prefix: String
    let licence: String
    let attribution: String

    static let placeList = SourceKind(
        prefix: "gnome-", licence: "GPL-2.0-or-later",
        attribution: "GNOME libgweather contributors, https://gitlab.gnome.org/GNOME/libgweather")
    static let geoNames = SourceKind(
        prefix: "geonames-", licence: "CC BY 4.0", attribution: "GeoNames, https://www.geonames.org/")
    /// The airports that Hunch installs.
    static let airports = SourceKind(
        prefix: "hunch-", licence: "MIT", attribution: "airportsdata, https://pypi.org/project/airportsdata/")
    static let geoNamesCodes = SourceKind(
        prefix: "geonames-postal-", licence: "CC BY 4.0", attribution: "GeoNames, https://www.geonames.org/")
    static let openStreetMap = SourceKind(
        prefix: "openstreetmap-", licence: "ODbL 1.0",
        attribution: "© OpenStreetMap contributors, https://www.openstreetmap.org/copyright")
    static let openAddresses = SourceKind(
        prefix: "openaddresses-", licence: "as each source says",
        attribution: "OpenAddresses and its sources, https://openaddresses.io/")
}

/// An input that is read line by line: a file, compressed or not, a file in an archive, or the output of a program.
struct SourceInput {
    /// The name in errors.
    let name: String
    /// The names of the folders that contain it: all folders within an archive, or the last two of a file's path.
    let folders: [String]
    /// Opens the input at its beginning. May be called several times.
    let open: () throws -> any ByteStream
}
