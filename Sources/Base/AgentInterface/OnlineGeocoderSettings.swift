public import HunchModel
import FoundationEssentials

/// The settings of online requests: whether the agent may search for places online and with which service, follow short
/// links, fetch covers, and exchange the popularity of public content. Everything is off by default. The addresses of
/// the servers of `hunch gazetteer get` are kept here too, which needs no permission other than the command itself.
///
/// `hunch online` writes them to `$XDG_STATE_HOME/hunch/online-geocoder.json`.
public struct OnlineGeocoderSettings: Hashable, Sendable, Codable {
    /// The geocoding services.
    public enum Service: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nominatim. The public server is run by the OpenStreetMap Foundation.
        case nominatim
        /// Photon. The public server is run by komoot.
        case photon

        /// The address of the public server.
        public var publicURL: String {
            switch self {
            case .nominatim: "https://nominatim.openstreetmap.org"
            case .photon: "https://photon.komoot.io"
            }
        }
    }

    /// The longest address in bytes.
    public static let maximumURLLength = 1_024

    /// Whether places may be searched for online.
    public var isEnabled: Bool
    /// The geocoding service.
    public var service: Service
    /// The address of the service, without a slash at the end.
    public private(set) var url: String
    /// Whether the servers of short links (``HunchModel/ShortLinks``) may be asked for the targets.
    public var followsLinks = false
    /// Whether covers may be fetched from the addresses that players give.
    public var fetchesCovers = false
    /// Whether the popularity of public content may be exchanged with ``aggregatorURL``.
    public private(set) var exchangesPopularity = false
    /// The address of the aggregator of popularity, without a slash at the end; `nil` if the user named none.
    public private(set) var aggregatorURL: String?
    /// The largest privacy loss of a day, ε, that reports of popularity may have; `nil` for ``usualBudget``.
    public private(set) var privacyBudget: Double?
    /// The address of the folder of GeoNames' dumps, without a slash at the end; `nil` for ``publicGeoNames``.
    public var geoNamesURL: String?
    /// The address of the server of Geofabrik's extracts, without a slash at the end; `nil` for ``publicGeofabrik``.
    public var geofabrikURL: String?

    /// The privacy loss of a day that is allowed unless the user says otherwise.
    public static let usualBudget = 1.0
    /// The privacy losses of a day that can be allowed.
    public static let budgets = 0.1...8.0

    /// The folder of the dumps at GeoNames.
    public static let publicGeoNames = "https://download.geonames.org/export/dump"
    /// Geofabrik's server of extracts of OpenStreetMap.
    public static let publicGeofabrik = "https://download.geofabrik.de"

    /// Returns the address of a server without slashes at the end; `nil` if it is not an `http://` or `https://` address
    /// or has a query.
    public static func server(_ address: String) -> String? {
        var url = address
        while url.hasSuffix("/") { url.removeLast() }
        let isWeb = url.hasPrefix("https://") || url.hasPrefix("http://")
        let host = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let isPlain = url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3F && $0 != 0x23 }
        guard isWeb, isPlain, !host.isEmpty, !host.hasPrefix("/"), url.utf8.count <= maximumURLLength else {
            return nil
        }
        return url
    }

    /// Creates settings.
    ///
    /// - Parameter url: the `http://` or `https://` address of the service, without a query; `nil` for the public server.
    /// - Returns: `nil` if `url` is not such an address.
    public init?(isEnabled: Bool, service: Service = .nominatim, url: String? = nil) {
        guard let url = Self.server(url ?? service.publicURL) else { return nil }
        self.isEnabled = isEnabled
        self.service = service
        self.url = url
    }

    /// Allows or forbids the exchange of popularity.
    ///
    /// - Parameters:
    ///   - aggregator: the address of an aggregator; `nil` for the one that is set.
    ///   - budget: the largest privacy loss of a day; `nil` for the one that is set.
    /// - Returns: whether the settings are valid: there is an `https` address (`http` only on this machine), and the budget is
    ///   within ``budgets``. Otherwise nothing has changed.
    public mutating func setPopularity(_ isAllowed: Bool, aggregator: String? = nil, budget: Double? = nil) -> Bool {
        let url = aggregator.map { Self.server($0) } ?? aggregatorURL
        if isAllowed || aggregator != nil {
            // A user name would identify the user.
            guard let url, WebAddress.isConfidential(url), !url.contains("@") else { return false }
        }
        guard Self.budgets.contains(budget ?? Self.usualBudget) else { return false }
        (exchangesPopularity, aggregatorURL, privacyBudget) = (isAllowed, url, budget ?? privacyBudget)
        return true
    }

    private init() { (isEnabled, service, url) = (false, .nominatim, Service.nominatim.publicURL) }

    /// Decodes settings that ``save(_:)`` wrote. All but the service and its address may be missing.
    ///
    /// - Throws: `DecodingError` for an invalid value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let settings = Self(
                isEnabled: try container.decode(Bool.self, forKey: .isEnabled),
                service: try container.decode(Service.self, forKey: .service),
                url: try container.decode(String.self, forKey: .url))
        else {
            throw DecodingError.dataCorruptedError(forKey: .url, in: container, debugDescription: "not a valid address")
        }
        self = settings
        followsLinks = try container.decodeIfPresent(Bool.self, forKey: .followsLinks) ?? false
        fetchesCovers = try container.decodeIfPresent(Bool.self, forKey: .fetchesCovers) ?? false
        _ = setPopularity(
            try container.decodeIfPresent(Bool.self, forKey: .exchangesPopularity) ?? false,
            aggregator: try container.decodeIfPresent(String.self, forKey: .aggregatorURL),
            budget: try container.decodeIfPresent(Double.self, forKey: .privacyBudget))
        geoNamesURL = try container.decodeIfPresent(String.self, forKey: .geoNamesURL).flatMap(Self.server)
        geofabrikURL = try container.decodeIfPresent(String.self, forKey: .geofabrikURL).flatMap(Self.server)
    }

    /// Returns the saved settings; the defaults when there are none, or when they cannot be read.
    public static func load(_ directories: BaseDirectories) -> OnlineGeocoderSettings {
        (try? read(directories)) ?? OnlineGeocoderSettings()
    }

    /// Returns the path of the settings if they cannot be read, so that nothing is allowed.
    public static func unreadablePath(_ directories: BaseDirectories) -> String? {
        do {
            _ = try read(directories)
            return nil
        } catch {
            return path(directories)
        }
    }

    private static func read(_ directories: BaseDirectories) throws -> OnlineGeocoderSettings? {
        guard let path = path(directories), FileManager.default.fileExists(atPath: path) else { return nil }
        return try JSONDecoder().decode(OnlineGeocoderSettings.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Saves the settings. They apply to the next request.
    ///
    /// - Throws: the file system's error; `CocoaError` `fileNoSuchFile` if there is no state directory.
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
