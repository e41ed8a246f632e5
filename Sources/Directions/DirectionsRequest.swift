public import FoundationEssentials
public import HunchModel

/// Somebody wants to get somewhere: from where, to where, how and when.
public struct DirectionsRequest: Hashable, Sendable {
    /// The source of a route.
    public enum Source: Hashable, Sendable {
        /// Nobody said.
        case unknown
        /// The person's current position.
        case currentLocation
        /// A place.
        case place(MapItem)
    }

    /// The time of the journey.
    public enum Time: Hashable, Sendable {
        /// Leave at this time, in whole seconds.
        case departure(Date)
        /// Be there at this time, in whole seconds.
        case arrival(Date)

        /// The time, whichever it is.
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
    /// The ways to travel that are wanted, in the order of ``HunchModel/TransportMode``; empty means any.
    public private(set) var modes: [TransportMode]
    /// When; `nil` means now.
    public private(set) var time: Time?
    /// Whether several routes are wanted.
    public var wantsAlternates: Bool
    /// Around where to look for ends without a coordinate: a hint, never an end; `nil` when there is none.
    public var near: Coordinate?
    /// A rough position of a source without a coordinate, such as the town of its address. It only tells which apps may
    /// serve the source, and is never part of a link.
    public var roughSource: Coordinate?
    /// A rough position of the destination, in the same way.
    public var roughDestination: Coordinate?
    /// The zoom level at the destination, as those of web maps; brought into 0…23. `nil` when nobody said.
    public var zoom: Double? { didSet { zoom = zoom.map { Self.zoomLevels.nearest(to: $0) } } }
    /// Radius in metres around the destination's coordinate within which it lies; brought into 0…20,100,000. `nil` when
    /// nobody said.
    public var uncertainty: Double? {
        didSet { uncertainty = uncertainty.map { Self.uncertainties.nearest(to: $0) } }
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - destination: a place with a coordinate, or with a query or address that will be geocoded.
    ///   - source: where from.
    ///   - modes: ways to travel; empty means any.
    ///   - time: when; fractions of a second are dropped.
    ///   - wantsAlternates: whether several routes are wanted.
    ///   - near: around where to look for ends without a coordinate.
    ///   - zoom: zoom level of web maps at the destination.
    ///   - uncertainty: radius in metres within which the destination lies.
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

    /// The levels of web maps.
    static let zoomLevels = 0.0...23.0
    /// Radii in metres, up to half of the Earth's circumference.
    static let uncertainties = 0.0...2.01e7

    /// Asks for other ways to travel; none means any.
    public mutating func travel(by modes: Set<TransportMode>) {
        self.modes = TransportMode.allCases.filter(modes.contains)
    }

    /// Asks for another time; `nil` means now. Fractions of a second are dropped.
    public mutating func travel(at time: Time?) { self.time = time.map(Self.wholeSeconds) }

    /// Whether the destination, or a source that is a place, has no coordinate yet.
    public var needsGeocoding: Bool {
        if destination.coordinate == nil { return true }
        if case .place(let item) = source { return item.coordinate == nil }
        return false
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
    /// The parameters of a donated `getDirections` that answered it; empty when the destination has neither coordinate
    /// nor name.
    public var parameters: [String: String] {
        var parameters = destination.parameters
        guard !parameters.isEmpty, !modes.isEmpty else { return parameters }
        let mode = modes.map(\.rawValue).joined(separator: ",")
        // So many mean nearly any.
        if mode.utf8.count <= 64 { parameters["mode"] = mode }
        return parameters
    }
}

extension ClosedRange<Double> {
    /// Returns the value of the range that is nearest; the lower bound for what is not a number.
    fileprivate func nearest(to value: Double) -> Double { Swift.max(lowerBound, Swift.min(value, upperBound)) }
}
