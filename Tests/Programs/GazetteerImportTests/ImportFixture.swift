import FoundationEssentials
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport

/// A gazetteer in a folder of the test's own, and shorthands for asking it.
struct ImportFixture {
    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    let directory: TemporaryDirectory
    let file: GazetteerFile

    private let environment: [String: String]

    /// - Parameter data: the folder of installed lists; `nil` for none.
    init(_ directory: TemporaryDirectory, data: String? = nil) {
        self.directory = directory
        environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_DATA_DIRS": data ?? directory.file("nothing")]) { $1 }
        file = GazetteerFile(path: directory.file("data/gazetteer.sqlite"))
    }

    /// Writes a file and imports it.
    @discardableResult
    func add(_ content: String, as name: String) throws -> GazetteerImport.Outcome {
        try add(Array(content.utf8), as: name)
    }

    @discardableResult
    func add(_ content: [UInt8], as name: String) throws -> GazetteerImport.Outcome {
        try add(at: directory.write(content, to: name))
    }

    /// Imports a file.
    @discardableResult
    func add(at path: String) throws -> GazetteerImport.Outcome {
        try GazetteerImport(into: file, environment: environment).importFile(at: path, date: Self.date)
    }

    /// Returns the results of a query as `NAME | STATE | COUNTRY | KIND`.
    func found(_ text: String) throws -> [String] {
        try Gazetteer(file).candidates(for: GeocodingQuery(text)).map { candidate in
            let address = candidate.item.address
            return [candidate.item.name, address?.state, address?.country, candidate.kind.rawValue]
                .map { $0 ?? "-" }.joined(separator: " | ")
        }
    }
}

/// A row of a GeoNames dump.
func geoNamesRow(
    _ name: String, ascii: String? = nil, alternates: String = "", latitude: String = "1.5", longitude: String = "2.5",
    feature: String = "P", code: String = "PPL", country: String = "US", state: String = "",
    population: String = "1000",
    number: Int = 1
) -> String {
    [
        "\(number)", name, ascii ?? name, alternates, latitude, longitude, feature, code, country, "", state, "", "",
        "",
        population,
        "", "10", "America/Chicago", "2024-01-01",
    ].joined(separator: "\t")
}

/// A compiled message catalogue as the GNU gettext manual lays it out.
func messageCatalog(_ messages: [String: String], bigEndian: Bool = false) -> [UInt8] {
    let sorted = messages.map { (Array($0.key.utf8), Array($0.value.utf8)) }
        .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    func word(_ value: Int) -> [UInt8] {
        let value = UInt32(value)
        return withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }
    let tables = 28
    let strings = tables + 16 * sorted.count
    var originals: [UInt8] = []
    var translations: [UInt8] = []
    var text: [UInt8] = []
    for (original, _) in sorted {
        originals += word(original.count) + word(strings + text.count)
        text += original + [0]
    }
    for (_, translation) in sorted {
        translations += word(translation.count) + word(strings + text.count)
        text += translation + [0]
    }
    let header = [0x9504_12DE, 0, sorted.count, tables, tables + 8 * sorted.count, 0, strings].flatMap(word)
    return header + originals + translations + text
}
