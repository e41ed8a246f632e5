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

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
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
