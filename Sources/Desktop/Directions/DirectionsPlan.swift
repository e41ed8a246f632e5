internal import Coordinates
public import HunchModel
internal import Localization

/// The apps that can answer a request, best first, and the reasons why the others cannot.
public struct DirectionsPlan: Sendable {
    /// An app that can answer.
    public struct Offer: Hashable, Sendable {
        /// The app.
        public let app: RoutingApp
        /// The requested modes that it serves between both ends, in the order of ``HunchModel/TransportMode``. If the
        /// request has no modes, all modes that it serves there.
        public let modes: [TransportMode]
        /// The launch of the app.
        public let launch: DirectionsLaunch
        /// The title: "Get directions to X", "Show X", "Get a ride to X", or "Search for X".
        public let title: String
        /// The confidence that it is the wanted app, 0…1. Only the order is comparable across requests.
        public let score: Double
        /// The mode in the link if the request has none; `nil` if the app lets the user choose.
        public let assumedMode: TransportMode?
        /// Whether the user has opened it before.
        public let isLearned: Bool
        /// Whether the app answers with a ride: the request asks for one and its link says so, or it orders only rides.
        public let isRide: Bool
        /// The warnings for the user.
        public let cautions: [Caution]
        /// The explanation of its rank: learned habits, then cautions, then general reasons.
        public let explanation: Explanation

        /// The parts of the request that the app's link cannot carry.
        public var missing: [RequestPart] {
            cautions.flatMap { caution -> [RequestPart] in
                switch caution {
                case .missing(let parts): parts
                case .leavesOut: [.mode]
                default: []
                }
            }
        }
    }

    /// A warning that an app may not do exactly what was requested.
    public enum Caution: Hashable, Sendable, CustomStringConvertible {
        /// An end is outside the estimated coverage, the position of an end is known only roughly, or the route is
        /// longer than the app's usual routes.
        case mayNotServe
        /// The link leads to the middle of the map on which the words were searched.
        case showsSurroundings
        /// The link has only the text of the destination, so the app may find another place.
        case searches
        /// The app's link cannot carry these parts of the request.
        case missing([RequestPart])
        /// The app's link asks for one of several modes, and not for these.
        case leavesOut([TransportMode])

        /// A few words for a user, in their language.
        public var description: String {
            switch self {
            case .mayNotServe: localized("may not serve this place")
            case .showsSurroundings: localized("it shows the surroundings, since the place itself is not known here")
            case .searches: localized("it searches for the words itself")
            case .missing(let parts): Self.lacking(parts.map(\.name))
            case .leavesOut(let modes): localized("its link leaves out %1", TransportMode.list(modes))
            }
        }

        /// Returns the caution about the parts of a request, by their names.
        private static func lacking(_ names: [String]) -> String {
            switch names.count {
            case 0: ""
            case 1: localized("its link cannot carry %1", names[0])
            case 2: localized("its link cannot carry %1 and %2", names[0], names[1])
            default: localized("its link cannot carry %1, %2 and %3", names[0], names[1], names[2])
            }
        }

        static func all(_ fit: RoutingFit) -> [Caution] {
            (fit.mayNotServe ? [.mayNotServe] : []) + (fit.isRough ? [.showsSurroundings] : [])
                + (fit.link.isSearch ? [.searches] : [])
                + (fit.link.missing.isEmpty ? [] : [.missing(fit.link.missing)])
                + (fit.otherModes.isEmpty ? [] : [.leavesOut(fit.otherModes)])
        }
    }

    /// The maximum number of offers shown at once.
    public static let shownOffers = 5

    /// An app that cannot answer.
    public struct Omission: Hashable, Sendable {
        /// The app.
        public let app: RoutingApp
        /// The reasons; at least one.
        public let reasons: [Exclusion]
    }

    /// The request.
    public internal(set) var request: DirectionsRequest
    /// The travel modes of the offers, if no app shows a route by those of the request: a car for a taxi, public transport
    /// for a plane. Otherwise `nil`.
    public internal(set) var modesInstead: [TransportMode]?
    /// The apps that can answer, best first, at most as many as requested.
    public let offers: [Offer]
    /// The number of apps that can answer.
    public let offerCount: Int
    /// Whether one of them shows a route by a requested mode.
    let hasRoute: Bool
    /// The other apps, in ascending order of their identifiers; empty if the offers were limited.
    public let omissions: [Omission]

    /// The apps for certain areas that would answer if the request had a start.
    public var needingStart: [RoutingApp] {
        guard request.source == .unknown else { return [] }
        return omissions.lazy.filter { $0.reasons == [.needsSource] }.map(\.app).filter { app in
            app.services.allSatisfy { $0.region != nil }
        }
    }

    /// The title of the list: that of the first app that shows the route, else that of the first one. `nil` without any.
    public var title: String? { (offers.first { $0.app.opening == .route } ?? offers.first)?.title }

    /// Whether the first offer is clearly wanted: there is no other, or the user has opened it before.
    public var isDecided: Bool { offerCount < 2 || offers[0].isLearned }
}

extension RoutingApp {
    /// Returns the title: "Get directions to X", "Show X" for an app whose link opens no route, or "Get a ride to X"
    /// if the answer is one. If the app gets only the words of a place: "Search for X".
    ///
    /// - Parameter isRide: whether the answer to the request is a ride; by default, whether the app only orders rides.
    public func title(for destination: MapItem, isSearch: Bool = false, isRide: Bool? = nil) -> String {
        let address = destination.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        let position = destination.coordinate.map {
            "\(DecimalNumber.text(of: $0.latitude)), \(DecimalNumber.text(of: $0.longitude))"
        }
        let place = destination.name ?? address ?? destination.query ?? position ?? localizedIn("place", "there")
        if isSearch || destination.coordinate == nil { return localizedIn("place", "Search for %1", place) }
        if opening == .place { return localizedIn("place", "Show %1", place) }
        return isRide ?? isRideShareOnly
            ? localized("Get a ride to %1", place) : localized("Get directions to %1", place)
    }
}
