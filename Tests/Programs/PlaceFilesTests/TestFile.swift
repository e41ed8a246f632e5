import Coordinates
import FoundationEssentials
import HunchModel
import MapLinks
import PlaceFiles
import Testing

/// The files in the folder of this suite.
enum TestFile {
    static let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Files"

    static func path(_ name: String) -> String { "\(folder)/\(name)" }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: path(name))))
    }
}

/// Returns the place that a file with these bytes contains, or the reader's error.
func outcome(_ bytes: [UInt8]) -> Result<ParsedPlace, PlaceError> {
    Result { () throws(PlaceError) in try PlaceFileReader().place(in: FileBytes(bytes, named: "it")) }
}

/// Returns the code of the error that a content comes to; `nil` if it has a place.
func failure(_ text: String) -> PlaceError.Code? { failure(Array(text.utf8)) }

func failure(_ bytes: [UInt8]) -> PlaceError.Code? {
    if case .failure(let error) = outcome(bytes) { error.code } else { nil }
}

/// Returns `RULE | LATITUDE,LONGITUDE | NAME`, with "-" for what there is not, and then what else there is.
func summary(_ place: ParsedPlace) -> String {
    var parts = [place.rule, text(place.item.coordinate), place.item.name ?? "-"]
    if let query = place.item.query { parts.append("query: \(query)") }
    if let altitude = place.altitude { parts.append("\(altitude) m") }
    if let uncertainty = place.uncertainty { parts.append("±\(uncertainty) m") }
    if let source = place.source { parts.append("from: \(text(source.coordinate)) \(source.name ?? "-")") }
    return parts.joined(separator: " | ")
}

/// Seven decimals are a centimetre.
private func text(_ coordinate: Coordinate?) -> String {
    guard let coordinate else { return "-" }
    return [coordinate.latitude, coordinate.longitude].map { "\(($0 * 1e7).rounded() / 1e7)" }.joined(separator: ",")
}
