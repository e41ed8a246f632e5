import Coordinates
public import FoundationEssentials
public import HunchModel
import Localization
public import MapLinks
import Places

/// Links that are requests for directions.
///
/// A `directions:` link, a form of Hunch, contains a whole request:
///
///     directions:?to=37.79,-122.39&to.name=Yank%20Sing&from=here&by=transit&depart=2026-01-31T18:00:00Z
///
/// | field | value |
/// |---|---|
/// | `to`, `from` | `LATITUDE,LONGITUDE` in degrees; empty if the place has no coordinate. `from=here` is the current
/// location. Without `from`, the source is unknown |
/// | `to.name`, `to.query`, `to.phone`, `to.street`, `to.city`, `to.state`, `to.postcode`, `to.country`, `to.cc` | the
/// parts of the destination (`cc`: country code); those of the source begin with `from.` |
/// | `by` | words of ``HunchModel/TransportMode`` with commas; `transit` stands for all public transport |
/// | `depart`, `arrive` | the time in ISO 8601 with a time zone; only one of the two |
/// | `near` | `LATITUDE,LONGITUDE` near which to search for ends without a coordinate |
/// | `zoom` | zoom level of web maps at the destination, 0 to 23 |
/// | `uncertainty` | radius in metres around the coordinate that contains the destination |
/// | `alternates` | `yes` if several routes are requested, or `no` |
///
/// Names and values are percent-encoded UTF-8. A `+` is a plus sign, not a space. Unknown fields are ignored. A field
/// that occurs twice is an error.
extension DirectionsRequest {
    /// The scheme of the link.
    public static let scheme = "directions"
    /// The maximum length of a link, in bytes.
    public static let maximumLinkLength = 16_384

    /// Returns whether ``init(uri:)`` can read a link: `directions:`, or a map link with a place.
    public static func isDirectionsRequest(_ uri: String) -> Bool { (try? DirectionsRequest(uri: uri)) != nil }

    /// Reads a link: `directions:`, `geo:`, or a map link that needs no network. A map link to a route also gives the
    /// source and the travel modes.
    ///
    /// - Throws: ``DirectionsError``: `malformedLink` or `tooLong` for an invalid `directions:` link; `notARequest` for
    ///   any other text that is not a usable map link, with the ``Places/PlaceError`` as the underlying error.
    public init(uri: String) throws(DirectionsError) {
        let prefix = Self.scheme + ":"
        guard uri.cut(toBytes: prefix.utf8.count).lowercased() == prefix else {
            do throws(PlaceError) {
                let input = try PlaceInput(checking: uri)
                guard input.isLink else {
                    throw PlaceError(.notAPlace, localized("“%1” is not a map link", uri.cut(to: 80)))
                }
                self.init(to: try PlaceParser().parse(uri))
            } catch {
                throw DirectionsError(.notARequest, error.message, underlying: error)
            }
            return
        }
        guard uri.utf8.count <= Self.maximumLinkLength else {
            throw DirectionsError(.tooLong, localized("the link is longer than %1 bytes", Self.maximumLinkLength))
        }
        try self.init(fields: LinkFields(query: uri.dropFirst(prefix.count)))
    }

    /// Creates a request for directions to a parsed place, with the route of its link.
    ///
    /// - Parameter now: the present, from which “tomorrow at 9” is reckoned.
    public init(to place: ParsedPlace, now: Date = Date()) {
        let source = place.source.map { item in
            item.query.map(PlaceParser.meansHere) == true ? Source.currentLocation : .place(item)
        }
        self.init(
            to: place.item, from: source ?? .unknown, by: place.modes,
            at: place.time.flatMap { Time($0, now: now) }, near: place.near, zoom: place.zoom,
            uncertainty: place.uncertainty)
        travel(by: place.modes, first: place.firstMode)
    }

    private init(fields: LinkFields) throws(DirectionsError) {
        guard let destination = try Self.place("to", in: fields), Self.namesPlace(destination) else {
            throw DirectionsError(
                .malformedLink,
                localized("the directions: link has no destination; add one of to, to.name or to.query"))
        }
        let source: Source =
            if fields["from"] == "here" {
                .currentLocation
            } else {
                try Self.place("from", in: fields).map(Source.place) ?? .unknown
            }
        let modes = try Self.modes(fields["by"])
        self.init(
            to: destination, from: source, at: try Self.time(in: fields),
            wantsAlternates: try Self.flag("alternates", in: fields),
            near: try fields["near"].map { text throws(DirectionsError) in try Self.coordinate(text, "near") },
            zoom: try Self.number("zoom", in: fields, Self.zoomLevels),
            uncertainty: try Self.number("uncertainty", in: fields, Self.uncertainties))
        travel(by: modes)
    }

    /// The request as a `directions:` link, from which ``init(uri:)`` creates an equal request.
    public var uri: String {
        var fields: [(String, String)] = Self.fields(of: destination, "to")
        switch source {
        case .unknown: break
        case .currentLocation: fields.append(("from", "here"))
        case .place(let item): fields += Self.fields(of: item, "from")
        }
        if Set(modes) == TransportMode.transit {
            fields.append(("by", "transit"))
        } else if !modes.isEmpty {
            fields.append(("by", modes.map(\.rawValue).joined(separator: ",")))
        }
        switch time {
        case .departure(let date): fields.append(("depart", date.formatted(.iso8601)))
        case .arrival(let date): fields.append(("arrive", date.formatted(.iso8601)))
        case nil: break
        }
        if let near { fields.append(("near", Self.text(of: near))) }
        if let zoom { fields.append(("zoom", DecimalNumber.text(of: zoom))) }
        if let uncertainty { fields.append(("uncertainty", DecimalNumber.text(of: uncertainty))) }
        if wantsAlternates { fields.append(("alternates", "yes")) }
        let query = fields.map { "\($0)=\(PercentCoding.encode($1, keeping: ",:"))" }.joined(separator: "&")
        return "\(Self.scheme):?\(query)"
    }

    // MARK: Places

    private static let textFields: [(String, any WritableKeyPath<MapItem, String?> & Sendable)] = [
        ("name", \.name), ("query", \.query), ("phone", \.phoneNumber),
    ]
    private static let addressFields: [(String, any WritableKeyPath<PostalAddress, String?> & Sendable)] = [
        ("street", \.street), ("city", \.city), ("state", \.state), ("postcode", \.postalCode),
        ("country", \.country), ("cc", \.countryCode),
    ]

    private static func fields(of item: MapItem, _ end: String) -> [(String, String)] {
        var fields = [(end, item.coordinate.map(text) ?? "")]
        for (name, path) in textFields {
            if let value = item[keyPath: path] { fields.append(("\(end).\(name)", value)) }
        }
        for (name, path) in addressFields {
            if let value = item.address?[keyPath: path] { fields.append(("\(end).\(name)", value)) }
        }
        // Write an empty address, too, so that the link reads back as an equal request.
        if let address = item.address, address == PostalAddress() { fields.append(("\(end).street", "")) }
        return fields
    }

    private static func text(of coordinate: Coordinate) -> String {
        "\(DecimalNumber.text(of: coordinate.latitude)),\(DecimalNumber.text(of: coordinate.longitude))"
    }

    private static func place(_ end: String, in fields: LinkFields) throws(DirectionsError) -> MapItem? {
        var item = MapItem()
        var isThere = false
        if let position = fields[end] {
            isThere = true
            if !position.isEmpty { item.coordinate = try coordinate(position, end) }
        }
        for (name, path) in textFields {
            guard let value = fields["\(end).\(name)"] else { continue }
            isThere = true
            item[keyPath: path] = value.isEmpty ? nil : value
        }
        for (name, path) in addressFields {
            guard let value = fields["\(end).\(name)"] else { continue }
            isThere = true
            item.address = item.address ?? PostalAddress()
            item.address?[keyPath: path] = value.isEmpty ? nil : value
        }
        return isThere ? item : nil
    }

    private static func namesPlace(_ item: MapItem) -> Bool {
        item.coordinate != nil || item.name != nil || item.query != nil
            || item.address.map { $0 != PostalAddress() } ?? false
    }

    private static func coordinate(_ text: String, _ end: String) throws(DirectionsError) -> Coordinate {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { number in
            DecimalNumber.value(of: number, plusSign: true)
        }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw DirectionsError(
                .malformedLink, localized("\"%1\" of the directions: link is not LATITUDE,LONGITUDE", end))
        }
        do throws(CoordinateError) {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw DirectionsError(
                .malformedLink, localized("\"%1\" of the directions: link: %2", end, error), underlying: error)
        }
    }

    // MARK: Other fields

    private static func modes(_ text: String?) throws(DirectionsError) -> [TransportMode] {
        var modes: [TransportMode] = []
        for word in text?.split(separator: ",") ?? [] {
            guard let mode = TransportMode.named(String(word)) else {
                throw DirectionsError(
                    .malformedLink, localized("\"%1\" in the directions: link is not a travel mode", word))
            }
            modes += TransportMode.allCases.filter(mode.contains)
        }
        return modes
    }

    private static func time(in fields: LinkFields) throws(DirectionsError) -> Time? {
        func date(_ name: String) throws(DirectionsError) -> Date? {
            guard let text = fields[name] else { return nil }
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw DirectionsError(
                    .malformedLink,
                    localized("\"%1\" of the directions: link is not a time such as 2026-01-31T18:00:00Z", name))
            }
            return date
        }
        switch (try date("depart"), try date("arrive")) {
        case (nil, nil): return nil
        case (let departure?, nil): return .departure(departure)
        case (nil, let arrival?): return .arrival(arrival)
        default:
            throw DirectionsError(
                .malformedLink, localized("the directions: link has both a departure and an arrival time"))
        }
    }

    private static func number(
        _ name: String, in fields: LinkFields, _ range: ClosedRange<Double>
    ) throws(DirectionsError) -> Double? {
        guard let text = fields[name] else { return nil }
        guard let value = DecimalNumber.value(of: text), range.contains(value) else {
            throw DirectionsError(
                .malformedLink,
                localized(
                    "\"%1\" of the directions: link is not a number from %2 to %3", name,
                    DecimalNumber.text(of: range.lowerBound), DecimalNumber.text(of: range.upperBound)))
        }
        return value
    }

    private static func flag(_ name: String, in fields: LinkFields) throws(DirectionsError) -> Bool {
        switch fields[name] {
        case "yes": return true
        case nil, "no": return false
        case .some:
            throw DirectionsError(
                .malformedLink, localized("\"%1\" of the directions: link is neither yes nor no", name))
        }
    }
}
