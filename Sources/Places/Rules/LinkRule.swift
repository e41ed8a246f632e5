import HunchModel

/// A rule for the links of one publisher.
protocol LinkRule: PlaceRule {
    /// The place that a link means.
    ///
    /// - Returns: `nil` when the link is another publisher's.
    /// - Throws: ``PlaceError`` when it is this publisher's and cannot be used.
    func place(of link: Link) throws(PlaceError) -> ParsedPlace?
}

extension LinkRule {
    /// Asks the rule when the input is a link.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard let link = input.link else { return nil }
        return try place(of: link)
    }

    /// The answer for a link of this rule.
    ///
    /// The position 0,0 beside a name or a text is how links say that they know none.
    /// - Throws: ``PlaceError`` with `notAPlace` when nothing was found in it.
    func answer(
        _ item: MapItem?, zoom: Double? = nil, from source: MapItem? = nil, by modes: Set<TransportMode> = [],
        near: Coordinate? = nil
    ) throws(PlaceError) -> ParsedPlace {
        guard var item, item.coordinate != nil || item.name != nil || item.query != nil else { throw Self.noPlace }
        if let coordinate = item.coordinate, coordinate.isNull, item.name != nil || item.query != nil {
            item.coordinate = nil
        }
        if item.coordinate == nil, item.query == nil {
            item.query = item.name
            item.name = nil
        }
        return ParsedPlace(
            item: item, rule: name, zoom: zoom, source: source, modes: modes,
            near: item.coordinate == nil ? near.flatMap { $0.isNull ? nil : $0 } : nil)
    }

    /// The answer for a link that only shows a part of the map: its middle, as uncertain as the view is wide.
    ///
    /// - Parameters:
    ///   - middle: `nil` for a link that shows none.
    ///   - radius: half the extent of the view in metres, where the link tells it.
    /// - Throws: ``PlaceError`` with `notAPlace` without a middle.
    func view(_ middle: Coordinate?, zoom: Double? = nil, radius: Double? = nil) throws(PlaceError) -> ParsedPlace {
        guard let middle else { throw Self.noPlace }
        var place = try answer(MapItem(coordinate: middle), zoom: zoom)
        place.uncertainty = radius ?? MapFragment.radius(ofViewAt: middle, zoom: zoom)
        return place
    }

    /// A position with a name, or the name as a text to geocode.
    func item(_ name: String?, at coordinate: Coordinate?) throws(PlaceError) -> MapItem? {
        guard let coordinate else { return try name.flatMap { name throws(PlaceError) in try PlaceText.item(name) } }
        return MapItem(name: try PlaceText.name(name), coordinate: coordinate)
    }

    /// The error for a link to a map's page on which there is no place.
    static var noPlace: PlaceError {
        PlaceError(.notAPlace, "the link names no place; copy the link of a place, or give coordinates or a name")
    }

    /// The error for a link whose place only a server knows.
    func needsNetwork(_ link: Link) -> PlaceError {
        if let host = ShortLinks.host(of: link.text(withScheme: "https")) { return PlaceError.short(host) }
        let host = link.host.isEmpty ? "its publisher" : link.host
        return PlaceError(
            .needsNetwork,
            "only \(host) knows where this link leads; open it and copy the address or the coordinates that it shows")
    }
}

extension PlaceError {
    /// The error for a short link.
    static func short(_ host: String) -> PlaceError {
        PlaceError(
            .needsNetwork,
            "the link leads through \(host), which only the network can follow; “hunch online enable --links” allows that"
        )
    }
}

extension Coordinate {
    /// Whether this is 0,0 in the Gulf of Guinea, which stands for "unknown" beside a name.
    var isNull: Bool { latitude == 0 && longitude == 0 }
}
