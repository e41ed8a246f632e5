public import HunchModel
public import Regions

/// A program or web service that can be asked for a route.
public struct RoutingApp: Hashable, Sendable, Identifiable {
    /// The kind of app.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A program on this machine, known by its desktop entry.
        case native
        /// A web page, opened by the browser.
        case web
    }

    /// The page or view that its link opens.
    public enum Opening: String, Hashable, Sendable, Codable {
        /// A route to the destination.
        case route
        /// The destination on the map, from which the person asks for a route.
        case place
    }

    /// The length of the routes that a service is made for.
    public enum Scope: String, Hashable, Sendable, Codable {
        /// Routes within a city and its surroundings.
        case city
        /// Routes between cities. Within one, a local planner knows more.
        case intercity
    }

    /// A region where it serves some modes, and the links by which it does.
    public struct Service: Hashable, Sendable {
        /// The region that it serves; `nil` means everywhere.
        public var region: Region.ID?
        /// The modes that it serves there; empty where they are not known.
        public var modes: Set<TransportMode>
        /// Whether the region is only an estimate, so that the app may serve places outside of it.
        public var isEstimate: Bool
        /// The size of the region in km², as far as it is known.
        public var squareKilometres: Double?
        /// The length of the routes that it is made for; `nil` means any.
        public var scope: Scope?
        /// The links by which the app is opened there.
        public var template: LaunchTemplate

        /// Makes a service.
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

    /// Desktop identifier of a program, name of a web service's feature.
    public let id: String
    /// The name for people.
    public var name: String
    /// Program or web service.
    public var kind: Kind
    /// Desktop identifiers under which the program may be installed, likeliest first; empty for a web service.
    public var desktopIDs: [String]
    /// The services; at least one.
    public var services: [Service]
    /// Whether its links open a route or only show the place.
    public var opening: Opening
    /// Whether it routes on open data and its links need no account.
    public var usesOpenData: Bool
    /// Whether it is made for few people: a demonstration of software, or a planner for a hobby.
    public var isSpecialised: Bool

    /// Makes a routing app.
    public init(
        id: String, name: String, kind: Kind, desktopIDs: [String], services: [Service],
        opening: Opening = .route, usesOpenData: Bool = false, isSpecialised: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.desktopIDs = desktopIDs
        self.services = services
        self.opening = opening
        self.usesOpenData = usesOpenData
        self.isSpecialised = isSpecialised
    }

    /// All modes that it serves anywhere; empty where they are not known.
    public var modes: Set<TransportMode> { services.reduce(into: []) { $0.formUnion($1.modes) } }

    /// Whether ordering rides is all that it does, so that one gets a ride with it and not directions.
    public var isRideShareOnly: Bool { !modes.isEmpty && modes.isSubset(of: [.rideShare, .taxi]) }
}

/// Something in a coverage file or desktop entry that makes it useless as a routing app.
public struct RoutingAppProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Path of the file.
    public let file: String
    /// The feature or the desktop identifier.
    public let app: String
    /// The fault.
    public let reason: String

    /// One sentence for a person.
    public var description: String { "\(file): \"\(app)\": \(reason)" }
}
