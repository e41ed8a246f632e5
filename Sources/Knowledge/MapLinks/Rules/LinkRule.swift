package import Coordinates
package import HunchModel
import Localization

/// A rule for the links of one publisher.
package protocol LinkRule: PlaceRule {
    /// Returns the place that a link means.
    ///
    /// - Returns: `nil` if the link is another publisher's.
    /// - Throws: ``PlaceError`` if it is this publisher's but unusable.
    func place(of link: Link) throws(PlaceError) -> ParsedPlace?
}

extension LinkRule {
    /// Applies the rule if the input is a link.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard let link = input.link else { return nil }
        do throws(PlaceError) {
            return try place(of: link).map { LinkTime.completed($0, by: link) }
        } catch {
            guard error.code == .notAPlace, let start = start(of: link) else { throw error }
            return try answer(start)
        }
    }

    /// Returns the start of a route that has no end, in one of the fields that publishers use.
    private func start(of link: Link) -> MapItem? {
        if let start = try? link.query.item("saddr", "source", "origin") { return start }
        // Other links use this field for something else, such as where they were shared.
        return link.query.hint("from").map { MapItem(coordinate: $0) }
    }

    /// Returns the place of a link of this rule. A coordinate of 0,0 next to a name or a text is dropped, because it
    /// means “unknown”.
    ///
    /// - Parameter stops: the texts of the places between the ends. Requests have none, so they are ignored.
    /// - Throws: ``PlaceError`` with `notAPlace` if the link has no place.
    package func answer(
        _ item: MapItem?, zoom: Double? = nil, from source: MapItem? = nil, via stops: [String] = [],
        by modes: Set<TransportMode> = [], near: Coordinate? = nil
    ) throws(PlaceError) -> ParsedPlace {
        func isPlace(_ item: MapItem) -> Bool { item.coordinate != nil || item.name != nil || item.query != nil }
        let end = item.flatMap { isPlace($0) ? $0 : nil }
        // The start of a route without an end is the place that the link shows.
        guard var item = end ?? source, isPlace(item) else { throw Self.noPlace }
        if let coordinate = item.coordinate, coordinate.isNull, item.name != nil || item.query != nil {
            item.coordinate = nil
        }
        if item.coordinate == nil, item.query == nil {
            item.query = item.name
            item.name = nil
        }
        var place = ParsedPlace(
            item: item, rule: name, zoom: zoom, source: end == nil ? nil : source, modes: modes,
            near: item.coordinate == nil ? near.flatMap { $0.isNull ? nil : $0 } : nil)
        if !stops.isEmpty { place.ignored = "via \(stops.joined(separator: ", "))" }
        return place
    }

    /// Returns the place of a link that only shows a part of the map: the centre, with half the extent of the view as
    /// uncertainty.
    ///
    /// - Parameters:
    ///   - middle: the centre; `nil` for a link without one.
    ///   - radius: half the extent of the view in metres, if known.
    /// - Throws: ``PlaceError`` with `notAPlace` without a centre.
    package func view(_ middle: Coordinate?, zoom: Double? = nil, radius: Double? = nil) throws(PlaceError)
        -> ParsedPlace
    {
        guard let middle else { throw Self.noPlace }
        var place = try answer(MapItem(coordinate: middle), zoom: zoom)
        place.uncertainty = radius ?? MapFragment.radius(ofViewAt: middle, zoom: zoom)
        return place
    }

    /// Returns a coordinate with a name. Without a coordinate, returns the name as a text to geocode.
    package func item(_ name: String?, at coordinate: Coordinate?) throws(PlaceError) -> MapItem? {
        guard let coordinate else { return try name.flatMap { name throws(PlaceError) in try PlaceText.item(name) } }
        return MapItem(name: try PlaceText.name(name), coordinate: coordinate)
    }

    /// The error for a link to a page without a place.
    package static var noPlace: PlaceError {
        PlaceError(
            .notAPlace, localized("the link has no place; copy the link of a place, or give coordinates or a name"))
    }

    /// Returns the error for a link whose place only a server knows.
    package func needsNetwork(_ link: Link) -> PlaceError {
        if let host = ShortLinks.host(of: link.text(withScheme: "https")) { return PlaceError.short(host) }
        return PlaceError(
            .needsNetwork,
            link.host.isEmpty
                ? localized(
                    """
                    only its publisher knows the place of this link; open it and copy the address or the coordinates \
                    that it shows
                    """)
                : localized(
                    """
                    only %1 knows the place of this link; open it and copy the address or the coordinates that it shows
                    """, link.host))
    }
}

extension PlaceError {
    /// Returns the error for a short link.
    package static func short(_ host: String) -> PlaceError {
        PlaceError(
            .needsNetwork,
            localized(
                "only the server %1 knows the target of the link; “hunch online enable --links” allows Hunch to ask it",
                host))
    }
}
