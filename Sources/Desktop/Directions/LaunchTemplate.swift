internal import Coordinates
public import FoundationEssentials
public import HunchModel
internal import Localization

/// A part of a request that a link may be unable to carry.
public enum RequestPart: String, CaseIterable, Hashable, Sendable, Codable {
    /// The source of the route.
    case source
    /// The time of departure or arrival.
    case time
    /// The travel mode.
    case mode

    /// The part with its article for people, in their language.
    var name: String {
        switch self {
        case .source: localizedIn("route", "the source")
        case .time: localizedIn("route", "the time")
        case .mode: localizedIn("route", "the mode")
        }
    }
}

/// The link templates of an app, and the app's own words for modes.
public struct LaunchTemplate: Hashable, Sendable {
    /// A link, and the parts of the request that it does not carry.
    public struct Link: Hashable, Sendable {
        /// The link.
        public let uri: String
        /// The parts of the request that the user has to enter in the app.
        public let missing: [RequestPart]
        /// Whether it contains the text of the destination and no coordinate, so that the app looks up the text.
        public let isSearch: Bool
        /// The mode in the link if the request has none but the service requires one.
        public var assumedMode: TransportMode?
        /// The modes for which the link asks: all of the service if it carries none.
        fileprivate(set) var carriedModes: Set<TransportMode> = []
    }

    /// The template with a place as the source.
    public var withSource: LinkTemplate?
    /// The template with the user's position as the source.
    public var fromHere: LinkTemplate?
    /// The template without a source, used if the source is unknown or no other template can be filled.
    public var toDestination: LinkTemplate?
    /// The template used if the destination has no coordinate, so that the app looks up its text.
    public var search: LinkTemplate?
    /// The app's words for modes. Other modes have no `{mode}`.
    public var modeWords: [TransportMode: String]
    /// The time zone of dates and clock times in links; `nil` for the user's own.
    public var timeZone: TimeZone?

    /// Whether links with a source have only names, which the app looks up.
    var isByName: Bool { withSource.map { !$0.carriesPosition } ?? false }

    /// Creates the templates of an app.
    public init(
        toDestination: LinkTemplate?, fromHere: LinkTemplate? = nil, withSource: LinkTemplate? = nil,
        search: LinkTemplate? = nil, modeWords: [TransportMode: String] = [:], timeZone: TimeZone? = nil
    ) {
        self.toDestination = toDestination
        self.fromHere = fromHere
        self.withSource = withSource
        self.search = search
        self.modeWords = modeWords
        self.timeZone = timeZone
    }

    /// Returns the link for a request; `nil` if no template can be filled.
    ///
    /// If the request has no mode and the template allows a missing `{mode}`, the link leaves the choice to the app.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - mode: the mode in the link.
    ///   - here: the user's position, if known.
    ///   - modes: all modes of the app; empty if unknown.
    public func link(
        for request: DirectionsRequest, mode: TransportMode?, here: Coordinate? = nil,
        serving modes: Set<TransportMode> = []
    ) -> Link? {
        var source: MapItem?
        var order = [toDestination, fromHere]
        switch request.source {
        case .unknown: break
        case .currentLocation:
            source = here.map { MapItem(coordinate: $0) }
            order = [fromHere, withSource, toDestination]
        case .place(let item):
            source = item
            // A source without a coordinate is only a text, so only a link with the source will do.
            order = item.coordinate == nil ? [withSource] : [withSource, toDestination]
        }
        let isByWords = source.map { $0.coordinate == nil } ?? false
        if request.destination.coordinate == nil || isByWords { order.append(search) }
        let word = mode.flatMap { modeWords[$0] }
        for case .some(let template) in order {
            let isByName = !template.carriesPosition
            let open = request.modes.isEmpty ? template.filled { value(of: $0, request, source, nil, isByName) } : nil
            guard let filled = open ?? template.filled({ value(of: $0, request, source, word, isByName) }) else {
                continue
            }
            if isByWords, request.destination.coordinate != nil, !filled.contents.contains(.source) { continue }
            var link = Link(
                uri: filled.link, missing: missing(of: request, in: filled.contents, serving: modes),
                isSearch: !filled.contents.contains(.position))
            if request.modes.isEmpty, filled.contents.contains(.mode) { link.assumedMode = mode }
            let isInLink = filled.contents.contains(.mode) && word != nil
            link.carriedModes = isInLink ? Set(modeWords.filter { $1 == word }.keys) : modes
            return link
        }
        return nil
    }

    private func missing(
        of request: DirectionsRequest, in contents: LinkTemplate.Contents, serving modes: Set<TransportMode>
    ) -> [RequestPart] {
        var missing: [RequestPart] = []
        if case .place = request.source, !contents.contains(.source) { missing.append(.source) }
        if request.time != nil, !contents.contains(.time) { missing.append(.time) }
        guard !request.modes.isEmpty, !contents.contains(.mode) else { return missing }
        // A planner that serves no other kind of mode than the requested ones needs no mode in the link.
        let wanted = TransportMode.families(request.modes)
        if modes.isEmpty || !TransportMode.families(modes).isSubset(of: wanted) { missing.append(.mode) }
        return missing
    }

    // MARK: Values

    private func value(
        of field: LinkTemplate.Field, _ request: DirectionsRequest, _ source: MapItem?, _ modeWord: String?,
        _ isByName: Bool
    ) -> String? {
        let place = field.isSource ? source : request.destination
        return switch field {
        case .latitude, .fromLatitude: place?.coordinate.map { Self.degrees($0.latitude) }
        case .longitude, .fromLongitude: place?.coordinate.map { Self.degrees($0.longitude) }
        case .microLatitude, .fromMicroLatitude: place?.coordinate.map { Self.microdegrees($0.latitude) }
        case .microLongitude, .fromMicroLongitude: place?.coordinate.map { Self.microdegrees($0.longitude) }
        case .label, .fromLabel: place.flatMap { Self.name(of: $0) ?? Self.position(of: $0) }
        case .name, .fromName: place.flatMap(isByName ? Self.searchableName : Self.name)
        case .query, .fromQuery: place.flatMap { $0.query ?? Self.address(of: $0) ?? $0.name }
        case .mode: modeWord
        case .zoom: request.zoom.map { DecimalNumber.text(of: $0.rounded()) }
        case .uncertainty: request.uncertainty.map { DecimalNumber.text(of: $0.rounded(.up)) }
        default: request.time.flatMap { value(of: field, $0) }
        }
    }

    private func value(of field: LinkTemplate.Field, _ time: DirectionsRequest.Time) -> String? {
        switch field {
        case .time: return String(time.date.wholeSeconds)
        case .milliseconds: return String(time.date.wholeSeconds) + "000"
        case .isoTime: return time.date.formatted(.iso8601)
        case .arrive: return time.isArrival ? "true" : "false"
        case .arriveDigit: return time.isArrival ? "1" : "0"
        case .arriveMark: return time.isArrival ? "" : nil
        case .departMark: return time.isArrival ? nil : ""
        default: break
        }
        // 2026-01-31T18:00:00
        let local = time.date.formatted(
            Date.ISO8601FormatStyle(timeZone: timeZone ?? .current).year().month().day()
                .time(includingFractionalSeconds: false))
        let parts = local.split { !$0.isNumber }.map { String($0) }
        guard parts.count == 6 else { return nil }
        return switch field {
        case .localTime: local
        case .localDate: parts[..<3].joined(separator: "-")
        case .localClock: parts[3..<5].joined(separator: ":")
        case .year: parts[0]
        case .month: parts[1]
        case .day: parts[2]
        case .hour: parts[3]
        case .minute: parts[4]
        case .minuteTens: parts[4].cut(toBytes: 1)
        case .minuteOnes: String(parts[4].dropFirst())
        default: nil
        }
    }

    private static func address(of place: MapItem) -> String? {
        place.address.map { $0.singleLine }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func name(of place: MapItem) -> String? { place.name ?? address(of: place) ?? place.query }

    /// Returns a name or an address that a service without coordinates can look up; `nil` if there is none. A label
    /// from a link or a file, such as “Home”, does not count, because it is meaningful only to its author.
    private static func searchableName(of place: MapItem) -> String? {
        guard place.coordinate != nil else { return name(of: place) }
        // “横浜” and not “Yokohama”: planners of a country know the names in its own script.
        if let typed = place.query, typed.unicodeScalars.allSatisfy({ !$0.isASCII && $0.properties.isAlphabetic }) {
            return typed
        }
        guard let address = place.address, let whole = Self.address(of: place) else { return nil }
        if address.street != nil { return whole }
        // Such services do not support Plus Codes.
        if place.name?.contains("+") ?? false { return nil }
        guard let name = place.name, let city = address.city, city != name else { return place.name ?? whole }
        return "\(name), \(city)"
    }

    private static func position(of place: MapItem) -> String? {
        place.coordinate.map { "\(degrees($0.latitude)),\(degrees($0.longitude))" }
    }

    /// Returns degrees with seven decimals, a centimetre. Some apps read no more.
    private static func degrees(_ value: Double) -> String { DecimalNumber.text(of: (value * 1e7).rounded() / 1e7) }

    private static func microdegrees(_ value: Double) -> String { DecimalNumber.text(of: (value * 1e6).rounded()) }
}
