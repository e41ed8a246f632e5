internal import JSON
internal import Localization

/// A reader for a GeoJSON Feature or FeatureCollection of areas (RFC 7946).
///
/// Members may come in any order. Elevations and foreign members are ignored.
struct CoverageReader {
    private var positions = 0
    private var features: [CoverageFeature] = []

    /// Returns the features of a document.
    ///
    /// - Parameter text: the bytes of the file, followed by a NUL.
    /// - Throws: ``RegionError`` with the line and column of the first fault.
    static func features(in text: [UInt8]) throws(RegionError) -> [CoverageFeature] {
        let result = text.withUnsafeBufferPointer { bytes -> Result<[CoverageFeature], RegionError> in
            var scanner = JSONScanner(nulTerminated: bytes)
            var reader = CoverageReader()
            do throws(JSONScanner.Fault) {
                try reader.document(&scanner)
                return .success(reader.features)
            } catch {
                let (line, column) = scanner.place(of: error.offset)
                return .failure(
                    RegionError(error.code, localized("line %1, column %2: %3", line, column, error.reason)))
            }
        }
        return try result.get()
    }

    private mutating func document(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var type: String?
        var single = CoverageFeature()
        var members: Set<String> = []
        guard scanner.peek() == UInt8(ascii: "{") else {
            throw scanner.fault(localized("a GeoJSON document must be an object"), code: .notCoverage)
        }
        try scanner.members { (name, scanner) throws(JSONScanner.Fault) in
            members.insert(name)
            switch name {
            case "type": type = try scanner.string()
            case "features":
                try scanner.elements { (scanner) throws(JSONScanner.Fault) in try self.member(&scanner) }
            default: try self.featureMember(name, of: &single, &scanner)
            }
        }
        try scanner.finish()
        switch type {
        case "Feature":
            guard members.contains("geometry") else { throw noGeometry(scanner) }
            features = [single]
        case "FeatureCollection":
            guard members.contains("features") else {
                throw scanner.fault(localized("a FeatureCollection has no \"features\""), code: .notCoverage)
            }
            guard !features.isEmpty else {
                throw scanner.fault(localized("a FeatureCollection has no feature in it"), code: .empty)
            }
        default:
            let reason =
                type.map {
                    localized("the document is not a Feature or FeatureCollection: its type is \"%1\"", $0)
                } ?? localized("the document is not a Feature or FeatureCollection: it has no type")
            throw scanner.fault(reason, code: .notCoverage)
        }
    }

    private func noGeometry(_ scanner: JSONScanner) -> JSONScanner.Fault {
        scanner.fault(
            localized("a Feature has no \"geometry\"; write null if it covers the whole earth"), code: .notCoverage)
    }

    private mutating func member(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        guard features.count < CoverageLimits.features else {
            throw scanner.fault(
                localized("the file has more than %1 features", CoverageLimits.features), code: .tooLarge)
        }
        var type: String?
        var hasGeometry = false
        var feature = CoverageFeature()
        try scanner.members { (name, scanner) throws(JSONScanner.Fault) in
            if name == "type" {
                type = try scanner.string()
            } else {
                hasGeometry = hasGeometry || name == "geometry"
                try self.featureMember(name, of: &feature, &scanner)
            }
        }
        guard type == "Feature" else {
            throw scanner.fault(localized("a member of \"features\" is not a Feature"), code: .notCoverage)
        }
        guard hasGeometry else { throw noGeometry(scanner) }
        features.append(feature)
    }

    private mutating func featureMember(
        _ name: String, of feature: inout CoverageFeature, _ scanner: inout JSONScanner
    ) throws(JSONScanner.Fault) {
        switch name {
        case "id":
            switch try scanner.value() {
            case .string(let id): feature.id = id.isEmpty ? nil : id
            case .number(let number):
                feature.id = Int(exactly: number).map(String.init) ?? String(number)
            // Some programs write null for a feature without an id.
            case .null: feature.id = nil
            default:
                throw scanner.fault(localized("the id of a Feature must be a string or a number"), code: .notCoverage)
            }
        case "properties":
            switch try scanner.value() {
            case .object(let properties): feature.properties = properties
            case .null: feature.properties = [:]
            default:
                throw scanner.fault(
                    localized("the properties of a Feature must be an object or null"), code: .notCoverage)
            }
        case "geometry":
            if scanner.peek() == UInt8(ascii: "n") {
                try scanner.word("null")
                feature.polygons = nil
            } else {
                var polygons: [RingPolygon] = []
                feature.mayOverlap = try geometry(into: &polygons, &scanner)
                feature.polygons = polygons
            }
        default: try scanner.skip()
        }
    }

    // MARK: Geometry

    /// Reads a geometry object. Returns whether it was a collection.
    private mutating func geometry(
        into polygons: inout [RingPolygon], _ scanner: inout JSONScanner
    ) throws(JSONScanner.Fault) -> Bool {
        var type: String?
        var coordinates: Int?
        var read = false
        var hasMembers = false
        let start = scanner.offset
        try scanner.members { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "type": type = try scanner.string()
            case "coordinates":
                _ = scanner.peek()
                guard coordinates == nil else {
                    throw scanner.fault(localized("a geometry has \"coordinates\" twice"), code: .notCoverage)
                }
                coordinates = scanner.offset
                // The type determines the nesting of the coordinates. If it comes later, read them afterwards.
                read = try self.coordinates(type, into: &polygons, &scanner)
                if !read { try scanner.skip() }
            case "geometries":
                hasMembers = true
                try scanner.elements { (scanner) throws(JSONScanner.Fault) in
                    _ = try self.geometry(into: &polygons, &scanner)
                }
            default: try scanner.skip()
            }
        }
        switch type {
        case "Polygon", "MultiPolygon":
            guard let coordinates else {
                throw scanner.fault(localized("a geometry has no \"coordinates\""), code: .notCoverage, at: start)
            }
            if !read {
                let end = scanner.offset
                scanner.offset = coordinates
                _ = try self.coordinates(type, into: &polygons, &scanner)
                scanner.offset = end
            }
            return false
        case "GeometryCollection":
            guard hasMembers else {
                throw scanner.fault(
                    localized("a GeometryCollection has no \"geometries\""), code: .notCoverage, at: start)
            }
            return true
        default:
            let reason =
                type.map {
                    localized(
                        "a geometry must be a Polygon, a MultiPolygon or a GeometryCollection of them, not a %1", $0)
                }
                ?? localized(
                    """
                    a geometry must be a Polygon, a MultiPolygon or a GeometryCollection of them, but this one has \
                    no type
                    """)
            throw scanner.fault(reason, code: .notCoverage, at: start)
        }
    }

    /// Reads the coordinates of a Polygon or MultiPolygon. Reads nothing and returns `false` if the type is another one
    /// or not known yet.
    private mutating func coordinates(
        _ type: String?, into polygons: inout [RingPolygon], _ scanner: inout JSONScanner
    ) throws(JSONScanner.Fault) -> Bool {
        switch type {
        case "Polygon": polygons.append(try polygon(&scanner))
        case "MultiPolygon":
            try scanner.elements { (scanner) throws(JSONScanner.Fault) in
                polygons.append(try self.polygon(&scanner))
            }
        default: return false
        }
        return true
    }

    private mutating func polygon(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> RingPolygon {
        var polygon = RingPolygon()
        try scanner.elements { (scanner) throws(JSONScanner.Fault) in
            polygon.rings.append(try self.ring(&scanner))
        }
        return polygon
    }

    private mutating func ring(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Ring {
        var ring = Ring()
        try scanner.elements { (scanner) throws(JSONScanner.Fault) in
            var ordinate = 0
            try scanner.elements { (scanner) throws(JSONScanner.Fault) in
                let number = try scanner.number()
                if ordinate < 2 { ring.values.append(number) }
                ordinate += 1
            }
            guard ordinate >= 2 else {
                throw scanner.fault(localized("a position needs a longitude and a latitude"), code: .badPosition)
            }
        }
        positions += ring.count
        guard positions <= CoverageLimits.positions else {
            throw scanner.fault(
                localized("the file has more than %1 positions", CoverageLimits.positions), code: .tooLarge)
        }
        return ring
    }
}

extension JSONScanner {
    fileprivate func fault(_ reason: String, code: RegionError.Code, at offset: Int? = nil) -> Fault {
        fault(reason, .content(code.rawValue), at: offset)
    }
}

extension JSONScanner.Fault {
    fileprivate var code: RegionError.Code {
        switch kind {
        case .syntax: .notJSON
        case .depth: .tooLarge
        case .content(let code): RegionError.Code(rawValue: code)
        }
    }
}
