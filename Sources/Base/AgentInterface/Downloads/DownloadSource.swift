/// A published list of places that the online program can download.
///
///     DownloadSource("cities500")                  // GeoNames: places of 500 people or more
///     DownloadSource("DE")                         // GeoNames: all places of a country
///     DownloadSource("osm:europe/germany/berlin")  // an extract of OpenStreetMap from Geofabrik
public enum DownloadSource: Hashable, Sendable, CustomStringConvertible {
    /// The places of the world with at least 500 people, from GeoNames.
    case cities500
    /// The places of the world with at least 15,000 people, from GeoNames.
    case cities15000
    /// All places of a country, from GeoNames. The value is its ISO 3166-1 alpha-2 code in capital letters.
    case country(String)
    /// An extract of OpenStreetMap from Geofabrik. The value is the path of its page, such as `europe/germany/berlin`.
    case openStreetMap(String)

    /// The prefix of extracts of OpenStreetMap.
    public static let openStreetMapPrefix = "osm:"

    /// The maximum number of names in the path of an extract.
    private static let maximumDepth = 5
    /// The longest name in the path of an extract, in bytes.
    private static let maximumNameLength = 64

    /// Reads a source; `nil` for other texts. Case does not matter.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumDepth * (Self.maximumNameLength + 1) else { return nil }
        let lower = text.lowercased()
        switch lower {
        case "cities500": self = .cities500
        case "cities15000": self = .cities15000
        case let lower where lower.hasPrefix(Self.openStreetMapPrefix):
            let path = lower.dropFirst(Self.openStreetMapPrefix.count)
            let names = path.split(separator: "/", omittingEmptySubsequences: false)
            guard names.count <= Self.maximumDepth, names.allSatisfy(Self.isName) else { return nil }
            self = .openStreetMap(String(path))
        default:
            guard lower.utf8.count == 2, lower.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
            self = .country(lower.uppercased())
        }
    }

    /// The text that ``init(_:)`` reads.
    public var description: String {
        switch self {
        case .cities500: "cities500"
        case .cities15000: "cities15000"
        case .country(let code): code
        case .openStreetMap(let path): Self.openStreetMapPrefix + path
        }
    }

    private static func isName(_ name: Substring) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
