import FoundationEssentials
import HunchModel

@testable import Regions

/// A folder that is removed when the test lets go of it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/hunch-regions-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        let folder = file.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}

func feature(_ id: String, type: String = "Polygon", _ coordinates: String, properties: String = "{}") -> String {
    """
    {"type": "Feature", "id": "\(id)", "properties": \(properties),
     "geometry": {"type": "\(type)", "coordinates": \(coordinates)}}
    """
}

/// An index of one document.
func index(_ document: String, makingValid: Bool = false) throws -> RegionIndex {
    let folder = try TemporaryFolder()
    return try RegionIndex(files: [try folder.write(document, to: "area.geojson")], makingValid: makingValid)
}

extension RegionIndex {
    func holds(_ latitude: Double, _ longitude: Double) throws -> Bool {
        try !regions(containing: Coordinate(latitude: latitude, longitude: longitude)).isEmpty
    }
}
