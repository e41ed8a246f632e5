internal import FoundationEssentials
public import HunchModel
internal import Places

/// The links by which an app is handed a request, with places for what the request holds.
///
/// | placeholder | stands for |
/// |---|---|
/// | `{lat}`, `{lon}` | position of the destination in degrees |
/// | `{label}` | its name, else its address, else its query, else its position |
/// | `{name}` | its name, else its address, else its query |
/// | `{query}` | text that finds it: query, address or name |
/// | `{from.lat}`, `{from.lon}`, `{from.label}`, `{from.name}`, `{from.query}` | the same of the source |
/// | `{mode}` | the first wanted mode that the app serves, in the app's own word |
/// | `{time}` | when the journey is to be, in seconds since 1970 |
/// | `{arrive}` | `true` when that is the time of arrival, `false` when it is the time of departure |
///
/// Values are percent-encoded. A template of which a placeholder has no value is not used; what stands between square
/// brackets, as in `{lat},{lon}[,{name}]`, is left out instead.
public struct LaunchTemplate: Hashable, Sendable {
    /// Used when the position of the source is known.
    public var withSource: String?
    /// Used when the route begins where the person is.
    public var fromHere: String?
    /// Used when nothing is known of the source, and when no other can be filled.
    public var toDestination: String?
    /// Used when the destination has no coordinate: the app looks its text up by itself.
    public var search: String?
    /// The app's words for modes; a mode that is not in it has no `{mode}`.
    public var modeWords: [TransportMode: String]

    /// Makes the templates of an app.
    public init(
        toDestination: String?, fromHere: String? = nil, withSource: String? = nil, search: String? = nil,
        modeWords: [TransportMode: String] = [:]
    ) {
        self.toDestination = toDestination
        self.fromHere = fromHere
        self.withSource = withSource
        self.search = search
        self.modeWords = modeWords
    }

    /// The link for a request, `nil` when no template can be filled.
    ///
    /// - Parameters:
    ///   - request: what is wanted.
    ///   - mode: the mode to ask the app for.
    ///   - here: where the person is, when known.
    public func link(for request: DirectionsRequest, mode: TransportMode?, here: Coordinate? = nil) -> String? {
        var source: MapItem?
        var order = [toDestination, fromHere]
        switch request.source {
        case .unknown: break
        case .currentLocation:
            source = here.map { MapItem(coordinate: $0) }
            order = [fromHere, withSource, toDestination]
        case .place(let item):
            source = item
            // A start that is known by its words alone must not be lost.
            order = item.coordinate == nil ? [withSource] : [withSource, toDestination]
        }
        if request.destination.coordinate == nil { order.append(search) }
        let word = mode.flatMap { modeWords[$0] }
        for case .some(let template) in order {
            let filled = Self.filled(template) { name in
                switch name {
                case "mode": return word
                case "time": return request.time.map { String($0.date.wholeSeconds) }
                case "arrive": return request.time.map { $0.isArrival ? "true" : "false" }
                default: break
                }
                if name.hasPrefix("from.") {
                    return source.flatMap { Self.value(name.dropFirst("from.".count), of: $0) }
                }
                return Self.value(name, of: request.destination)
            }
            if let filled { return filled }
        }
        return nil
    }

    /// The placeholder of a template that is not one of those above, or a bracket that is not closed; `nil` when all is
    /// sound.
    public static func unknownPlaceholder(in template: String) -> String? {
        var unknown: String?
        let values: Set<Substring> = ["lat", "lon", "label", "name", "query"]
        guard let parts = parts(of: template) else { return "[" }
        for part in parts {
            let closed = substituted(part.text) { name in
                let isKnown =
                    ["mode", "time", "arrive"].contains(name)
                    || values.contains(name.hasPrefix("from.") ? name.dropFirst(5) : name)
                if !isKnown { unknown = String(name) }
                return ""
            }
            if closed == nil { return unknown ?? "{" }
        }
        return unknown
    }

    private static func value(_ name: Substring, of place: MapItem) -> String? {
        let position = place.coordinate.map { "\(degrees($0.latitude)),\(degrees($0.longitude))" }
        let address = place.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        let label = place.name ?? address ?? place.query
        return switch name {
        case "lat": place.coordinate.map { degrees($0.latitude) }
        case "lon": place.coordinate.map { degrees($0.longitude) }
        case "label": label ?? position
        case "name": label
        case "query": place.query ?? address ?? place.name
        default: nil
        }
    }

    /// Seven decimal places are a centimetre; some apps read no more.
    private static func degrees(_ value: Double) -> String { DecimalNumber.text(of: (value * 1e7).rounded() / 1e7) }

    private static func filled(_ template: String, _ value: (Substring) -> String?) -> String? {
        var result = ""
        for part in parts(of: template) ?? [] {
            guard let text = substituted(part.text, value) ?? (part.isOptional ? "" : nil) else { return nil }
            result += text
        }
        return result.isEmpty ? nil : result
    }

    /// What stands between brackets, and what does not, in order; `nil` where a bracket is not closed.
    private static func parts(of template: String) -> [(text: Substring, isOptional: Bool)]? {
        var parts: [(text: Substring, isOptional: Bool)] = []
        var rest = template[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "[")) {
            parts.append((rest[..<open], false))
            rest = rest[rest.utf8.index(after: open)...]
            guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            parts.append((rest[..<close], true))
            rest = rest[rest.utf8.index(after: close)...]
        }
        return parts + [(rest, false)]
    }

    private static func substituted(_ text: Substring, _ value: (Substring) -> String?) -> String? {
        var result = ""
        var rest = text
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<open]
            rest = rest[rest.utf8.index(after: open)...]
            guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "}")), let value = value(rest[..<close]) else {
                return nil
            }
            result += PercentEncoding.encode(value)
            rest = rest[rest.utf8.index(after: close)...]
        }
        return result + rest
    }
}
