import Coordinates
public import FoundationEssentials
public import HunchModel
public import JourneyWords

/// A request for directions: source, destination, travel modes and time.
public struct DirectionsRequest: Hashable, Sendable {
    /// The source of a route.
    public enum Source: Hashable, Sendable {
        /// Unknown.
        case unknown
        /// The user's current position.
        case currentLocation
        /// A place.
        case place(MapItem)
    }

    /// The time of the journey.
    public enum Time: Hashable, Sendable {
        /// The time of departure, in whole seconds.
        case departure(Date)
        /// The time of arrival, in whole seconds.
        case arrival(Date)

        /// Creates the next such time; `nil` if it is past or the present, which a request without a time means.
        ///
        /// - Parameter now: the present.
        public init?(_ time: JourneyTime, now: Date) {
            guard !time.isNow else { return nil }
            let date = Date(timeIntervalSince1970: Double(time.seconds(after: Int(now.wholeSeconds))))
            guard date.timeIntervalSince(now) > -60 else { return nil }
            self = time.isArrival ? .arrival(date) : .departure(date)
        }

        /// The time of departure or arrival.
        public var date: Date {
            switch self {
            case .departure(let date), .arrival(let date): date
            }
        }

        /// Whether it is the time of arrival.
        public var isArrival: Bool { if case .arrival = self { true } else { false } }
    }

    /// The source of the route.
    public var source: Source
    /// The destination.
    public var destination: MapItem
    /// The requested travel modes, the one to prefer first, the others in the order of ``HunchModel/TransportMode``; empty for any.
    public private(set) var modes: [TransportMode]
    /// Whether only travel modes on land are requested.
    var isByLand: Bool { !modes.isEmpty && Set(modes).isDisjoint(with: [.plane, .ferry, .other]) }
    /// The time; `nil` for now.
    public private(set) var time: Time?
    /// Whether several routes are requested.
    public var wantsAlternates: Bool
    /// A coordinate near which to search for the ends. It is a rough destination for apps that need a position and
    /// serve its surroundings, while the words of the destination are known to nothing (``onMap``).
    public var near: Coordinate?
    /// The rough position of a source without a coordinate, such as the town of its address. It only decides which
    /// apps may serve the source, and is never part of a link.
    public var roughSource: Coordinate?
    /// The rough position of a destination without a coordinate, used like ``roughSource``.
    public var roughDestination: Coordinate?
    /// The zoom level of web maps at the destination, clamped to 0…23; `nil` if unknown.
    public var zoom: Double? { didSet { zoom = zoom.map { Self.zoomLevels.nearest(to: $0) } } }
    /// The radius around the destination's coordinate that contains it, in metres, clamped to 0…20,100,000; `nil` if
    /// unknown.
    public var uncertainty: Double? {
        didSet { uncertainty = uncertainty.map { Self.uncertainties.nearest(to: $0) } }
    }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - destination: a place with a coordinate, or with a query or address to geocode.
    ///   - source: the source.
    ///   - modes: the travel modes; empty for any.
    ///   - time: the time. Fractions of a second are dropped.
    ///   - wantsAlternates: whether several routes are requested.
    ///   - near: a coordinate near which to search for the ends.
    ///   - zoom: the zoom level of web maps at the destination.
    ///   - uncertainty: the radius that contains the destination, in metres.
    public init(
        to destination: MapItem, from source: Source = .unknown, by modes: Set<TransportMode> = [],
        at time: Time? = nil, wantsAlternates: Bool = false, near: Coordinate? = nil, zoom: Double? = nil,
        uncertainty: Double? = nil
    ) {
        self.source = source
        self.destination = destination
        self.modes = TransportMode.allCases.filter(modes.contains)
        self.time = time.map(Self.wholeSeconds)
        self.wantsAlternates = wantsAlternates
        self.near = near
        self.zoom = zoom.map { Self.zoomLevels.nearest(to: $0) }
        self.uncertainty = uncertainty.map { Self.uncertainties.nearest(to: $0) }
    }

    /// The zoom levels of web maps.
    static let zoomLevels = 0.0...23.0
    /// The radii in metres, up to half of the Earth's circumference.
    static let uncertainties = 0.0...2.01e7

    /// Changes the travel modes; empty for any.
    ///
    /// - Parameter first: the one that a link carries if it has only one; `nil` for any.
    public mutating func travel(by modes: Set<TransportMode>, first: TransportMode? = nil) {
        let all = TransportMode.allCases.filter(modes.contains)
        self.modes = all.filter { $0 == first } + all.filter { $0 != first }
    }

    /// Changes the travel modes to those of a list, of which the first is preferred.
    public mutating func travel(by modes: [TransportMode]) { travel(by: Set(modes), first: modes.first) }

    /// Changes the time; `nil` for now. Fractions of a second are dropped.
    public mutating func travel(at time: Time?) { self.time = time.map(Self.wholeSeconds) }

    /// Whether the destination or the source is a place without a coordinate.
    public var needsGeocoding: Bool {
        if destination.coordinate == nil { return true }
        if case .place(let item) = source { return item.coordinate == nil }
        return false
    }

    /// The request to the middle of the map on which the words of the destination were searched, with the radius of that
    /// view as uncertainty; `nil` if the destination has a coordinate, or there was no map.
    var onMap: DirectionsRequest? {
        guard destination.coordinate == nil, let near else { return nil }
        var request = self
        request.destination.coordinate = near
        request.destination.name = destination.name ?? destination.query
        request.destination.query = nil
        request.uncertainty = MapFragment.radius(ofViewAt: near, zoom: zoom)
        return request
    }

    private static func wholeSeconds(_ time: Time) -> Time {
        func whole(_ date: Date) -> Date {
            Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        }
        return switch time {
        case .departure(let date): .departure(whole(date))
        case .arrival(let date): .arrival(whole(date))
        }
    }
}

extension DirectionsRequest {
    /// The parameters of a donated `getDirections` for this request; empty if the destination has neither coordinate
    /// nor name.
    public var parameters: [String: String] {
        var parameters = destination.parameters
        guard !parameters.isEmpty, !modes.isEmpty else { return parameters }
        let mode = modes.map(\.rawValue).joined(separator: ",")
        // The parameter has at most 64 bytes. More modes mean nearly any mode.
        if mode.utf8.count <= 64 { parameters["mode"] = mode }
        return parameters
    }
}

extension ClosedRange<Double> {
    /// Returns the nearest value in the range; the lower bound for NaN.
    fileprivate func nearest(to value: Double) -> Double { Swift.max(lowerBound, Swift.min(value, upperBound)) }
}
