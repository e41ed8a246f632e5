public import HunchModel
public import Regions

/// A program or web service for routes.
public struct RoutingApp: Hashable, Sendable, Identifiable {
    /// The kind of app.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A program on this machine with a desktop entry.
        case native
        /// A web page, opened in the browser.
        case web
    }

    /// The page or view that its link opens.
    public enum Opening: String, Hashable, Sendable, Codable {
        /// A route to the destination.
        case route
        /// The destination on the map, where the user can request a route.
        case place
    }

    /// The length of the routes that a service is made for.
    public enum Scope: String, Hashable, Sendable, Codable {
        /// Routes within a city and its surroundings.
        case city
        /// Routes between cities. Within a city, a local planner is better.
        case intercity
    }

    /// A region where it serves some modes, with the links.
    public struct Service: Hashable, Sendable {
        /// The identifier of the region; `nil` for everywhere.
        public var region: Region.ID?
        /// The modes that it serves there; empty if unknown.
        public var modes: Set<TransportMode>
        /// Whether the region is only an estimate, so that the app may serve places outside it.
        public var isEstimate: Bool
        /// The area of the region in km², if known.
        public var squareKilometres: Double?
        /// The length of the routes that it is made for; `nil` for any.
        public var scope: Scope?
        /// The link templates for that region.
        public var template: LaunchTemplate

        /// Creates a service.
        public init(
            region: Region.ID?, modes: Set<TransportMode>, isEstimate: Bool = false,
            squareKilometres: Double? = nil, scope: Scope? = nil, template: LaunchTemplate
        ) {
            self.region = region
            self.modes = modes
            self.isEstimate = isEstimate
            self.squareKilometres = squareKilometres
            self.scope = scope
            self.template = template
        }
    }

    /// The desktop identifier of a program, or the name of a web service's feature.
    public let id: AppID
    /// The name for people.
    public var name: String
    /// The kind of app.
    public var kind: Kind
    /// The possible desktop identifiers of the program, likeliest first; empty for a web service.
    public var desktopIDs: [AppID]
    /// The services; at least one.
    public var services: [Service] { didSet { modes = Self.modes(of: services) } }
    /// The page or view that its links open.
    public var opening: Opening
    /// Whether it routes on open data and its links need no account.
    public var usesOpenData: Bool
    /// Whether it is useful to few people, such as a demonstration of software or a planner for a hobby.
    public var isSpecialised: Bool

    /// Creates a routing app.
    public init(
        id: AppID, name: String, kind: Kind, desktopIDs: [AppID], services: [Service],
        opening: Opening = .route, usesOpenData: Bool = false, isSpecialised: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.desktopIDs = desktopIDs
        self.services = services
        modes = Self.modes(of: services)
        self.opening = opening
        self.usesOpenData = usesOpenData
        self.isSpecialised = isSpecialised
    }

    /// All modes that it serves anywhere; empty if unknown.
    public private(set) var modes: Set<TransportMode>

    private static func modes(of services: [Service]) -> Set<TransportMode> {
        services.reduce(into: []) { $0.formUnion($1.modes) }
    }

    /// Whether it only orders rides, so that the title is "Get a ride".
    public var isRideShareOnly: Bool { !modes.isEmpty && modes.isSubset(of: [.rideShare, .taxi]) }
}

/// A problem that makes a coverage feature or desktop entry unusable as a routing app.
public struct RoutingAppProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let file: String
    /// The feature or the desktop identifier.
    public let app: String
    /// The description.
    public let reason: String

    /// One sentence for a user.
    public var description: String { "\(file): \"\(app)\": \(reason)" }
}
