public import HunchModel
import FoundationEssentials

/// Whether places may be asked for on the network, and whom, and whether short links may be followed and covers fetched
/// there. Off until the person says otherwise.
///
/// Kept in `$XDG_STATE_HOME/hunch/online-geocoder.json`, where `hunch online` writes it.
public struct OnlineGeocoderSettings: Hashable, Sendable, Codable {
    /// The kind of service.
    public enum Service: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nominatim; the public one is that of the OpenStreetMap Foundation.
        case nominatim
        /// Photon; the public one is komoot's.
        case photon

        /// The address of the public server.
        public var publicURL: String {
            switch self {
            case .nominatim: "https://nominatim.openstreetmap.org"
            case .photon: "https://photon.komoot.io"
            }
        }
    }

    /// The most bytes of an address.
    public static let maximumURLLength = 1_024

    /// Whether the network may be asked.
    public var isEnabled: Bool
    /// The kind of service.
    public var service: Service
    /// Its address without a slash at the end.
    public private(set) var url: String
    /// Whether the servers of short links (``HunchModel/ShortLinks``) may be asked where they lead.
    public var followsLinks = false
    /// Whether the covers that players name by address may be fetched.
    public var fetchesCovers = false

    /// Makes settings; by default those of a fresh installation.
    ///
    /// - Parameter url: where the service is, with `http://` or `https://`, without a query; `nil` for the public server.
    ///   A private server is given here.
    /// - Returns: `nil` when that is no such address.
    public init?(isEnabled: Bool, service: Service = .nominatim, url: String? = nil) {
        var url = url ?? service.publicURL
        while url.hasSuffix("/") { url.removeLast() }
        let isWeb = url.hasPrefix("https://") || url.hasPrefix("http://")
        let host = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let isPlain = url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3F && $0 != 0x23 }
        guard isWeb, isPlain, !host.isEmpty, !host.hasPrefix("/"), url.utf8.count <= Self.maximumURLLength else {
            return nil
        }
        self.isEnabled = isEnabled
        self.service = service
        self.url = url
    }

    private init() { (isEnabled, service, url) = (false, .nominatim, Service.nominatim.publicURL) }

    /// Decodes what ``save(_:)`` wrote, of which some may be missing.
    ///
    /// - Throws: `DecodingError` where a value is not one that can be set.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let settings = Self(
                isEnabled: try container.decode(Bool.self, forKey: .isEnabled),
                service: try container.decode(Service.self, forKey: .service),
                url: try container.decode(String.self, forKey: .url))
        else {
            throw DecodingError.dataCorruptedError(forKey: .url, in: container, debugDescription: "no such address")
        }
        self = settings
        followsLinks = try container.decodeIfPresent(Bool.self, forKey: .followsLinks) ?? false
        fetchesCovers = try container.decodeIfPresent(Bool.self, forKey: .fetchesCovers) ?? false
    }

    /// Reads the person's settings; off if there are none or they cannot be read.
    public static func load(_ directories: BaseDirectories) -> OnlineGeocoderSettings {
        guard let path = path(directories), let content = try? Data(contentsOf: URL(filePath: path)),
            let settings = try? JSONDecoder().decode(OnlineGeocoderSettings.self, from: content)
        else { return OnlineGeocoderSettings() }
        return settings
    }

    /// Keeps the settings; whoever asks next follows them.
    ///
    /// - Throws: the file system's error; `CocoaError` `fileNoSuchFile` when there is no folder for state.
    public func save(_ directories: BaseDirectories) throws {
        guard let path = Self.path(directories) else { throw CocoaError(.fileNoSuchFile) }
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(filePath: path), options: .atomic)
    }

    private static func path(_ directories: BaseDirectories) -> String? {
        directories.stateHome.map { $0 + "/hunch/online-geocoder.json" }
    }
}
