internal import Localization

/// An error in a coverage file or in one of its features.
///
/// `message` is one sentence that names the file, the feature, the ring and the position as far as they are known.
public struct RegionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault. New kinds may be added, so a `switch` needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word used in JSON output.
        public let rawValue: String
        /// Creates a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A limit of ``CoverageLimits`` is exceeded.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The text is not JSON.
        public static let notJSON = Code(rawValue: "notJSON")
        /// The JSON is not a GeoJSON Feature or FeatureCollection of areas.
        public static let notCoverage = Code(rawValue: "notCoverage")
        /// Two features have the same identifier.
        public static let duplicate = Code(rawValue: "duplicate")
        /// A collection without features, or a geometry or polygon without rings or positions.
        public static let empty = Code(rawValue: "empty")
        /// A ring with fewer than four positions.
        public static let ringTooShort = Code(rawValue: "ringTooShort")
        /// A ring whose last position differs from its first.
        public static let ringNotClosed = Code(rawValue: "ringNotClosed")
        /// A position with an infinite number, or a latitude or longitude out of range.
        public static let badPosition = Code(rawValue: "badPosition")
        /// A ring or polygon that GEOS rejects, for example because it crosses itself.
        public static let invalidGeometry = Code(rawValue: "invalidGeometry")
        /// A GEOS operation failed.
        public static let operationFailed = Code(rawValue: "operationFailed")
    }

    /// A position as written in the file, in degrees. Unlike a coordinate it may be out of range.
    public struct Position: Hashable, Sendable {
        /// Degrees east.
        public let longitude: Double
        /// Degrees north.
        public let latitude: Double
    }

    /// The kind of fault.
    public let code: Code
    /// Path of the file.
    public internal(set) var file: String
    /// Identifier of the feature, if the fault belongs to one.
    public internal(set) var feature: String?
    /// Number of the polygon within the feature, from 1.
    public internal(set) var polygon: Int?
    /// Number of the ring within the polygon, from 1. The first is the outer ring.
    public internal(set) var ring: Int?
    /// The position of the fault.
    public let position: Position?
    /// The fault, without its location.
    public let reason: String
    /// Whether the previous, valid version of the file is still used.
    public internal(set) var keepsFormer = false

    init(
        _ code: Code, _ reason: String, file: String = "", feature: String? = nil, polygon: Int? = nil,
        ring: Int? = nil, position: Position? = nil
    ) {
        self.code = code
        self.reason = reason
        self.file = file
        self.feature = feature
        self.polygon = polygon
        self.ring = ring
        self.position = position
    }

    /// One sentence for people.
    public var message: String {
        var places: [String] = []
        if !file.isEmpty { places.append(file) }
        if let feature { places.append(localized("feature \"%1\"", feature)) }
        switch (polygon, ring) {
        case (let polygon?, let ring?): places.append(localized("polygon %1, ring %2", polygon, ring))
        case (let polygon?, nil): places.append(localized("polygon %1", polygon))
        case (nil, let ring?): places.append(localized("ring %1", ring))
        case (nil, nil): break
        }
        var sentence = reason
        if let position {
            sentence = localized(
                "%1 at longitude %2, latitude %3", sentence, position.longitude, position.latitude)
        }
        if keepsFormer { sentence = localized("%1; the previous version is still used", sentence) }
        return (places + [sentence]).joined(separator: ": ")
    }

    /// The message.
    public var description: String { message }

    func located(polygon: Int, ring: Int? = nil) -> RegionError {
        var copy = self
        copy.polygon = polygon
        copy.ring = ring ?? copy.ring
        return copy
    }

    func inFile(_ file: String, feature: String? = nil) -> RegionError {
        var copy = self
        copy.file = file
        copy.feature = copy.feature ?? feature
        return copy
    }
}
