import FoundationEssentials
public import Geocoding
public import HunchModel
import JourneyWords
import MapLinks
import Places

/// A request with coordinates for its certain ends.
public struct ResolvedDirections: Sendable {
    /// The request. An uncertain end has no coordinate, and apps get the user's text.
    public var request: DirectionsRequest
    /// The geocoding outcome of the destination; `nil` if it already had a coordinate.
    public var destination: GeocodingOutcome?
    /// The geocoding outcome of the source; `nil` if it already had a coordinate or there is no source.
    public var source: GeocodingOutcome?
    /// The words of the destination that were not understood; `nil` for none.
    public fileprivate(set) var ignored: String?

    /// Creates a resolution. Without outcomes, the request must have its coordinates already.
    public init(
        request: DirectionsRequest, destination: GeocodingOutcome? = nil, source: GeocodingOutcome? = nil
    ) {
        self.request = request
        self.destination = destination
        self.source = source
    }

    /// Whether the coordinates of both ends are certain.
    public var isCertain: Bool { !request.needsGeocoding }

    /// Whether a user has to choose a place.
    public var isAmbiguous: Bool {
        [destination, source].contains { if case .ambiguous = $0 { true } else { false } }
    }

    /// The text of the destination if it is ambiguous, otherwise `nil`.
    public var words: String? {
        guard case .ambiguous = destination else { return nil }
        return request.destination.query ?? request.destination.name
    }

    /// Returns the request with the destination that the user chose. A country or a state gets no coordinate, since a
    /// candidate for one has none.
    public func choosing(destination candidate: GeocodingCandidate) -> ResolvedDirections {
        var chosen = self
        chosen.destination = .certain(candidate)
        chosen.request.destination = request.destination.completed(by: candidate)
        return chosen
    }

    /// Returns the request with the source that the user chose.
    public func choosing(source candidate: GeocodingCandidate) -> ResolvedDirections {
        guard case .place(let item) = request.source else { return self }
        var chosen = self
        chosen.source = .certain(candidate)
        chosen.request.source = .place(item.completed(by: candidate))
        return chosen
    }

    /// Chooses the likeliest candidate for one end if the other end is certain and no other candidate is as near to it:
    /// the “Barcelona” of a route to Madrid is in Spain. Does nothing for routes by plane.
    fileprivate func choosingNearOtherEnd() -> ResolvedDirections {
        guard !request.modes.contains(.plane), case .place(let start) = request.source else { return self }
        if case .ambiguous(let candidates) = source, let end = request.destination.coordinate,
            let near = Self.nearest(candidates, to: end)
        {
            return choosing(source: near)
        }
        if case .ambiguous(let candidates) = destination, let start = start.coordinate,
            let near = Self.nearest(candidates, to: start)
        {
            return choosing(destination: near)
        }
        return self
    }

    /// Returns whether its ends are certain, and so far apart that they are not a town and a part of it, as in “London – Camden”.
    /// With a word such as “to” between them, they are two places in any case.
    fileprivate func isBetweenPlaces(in text: String) -> Bool {
        guard let to = request.destination.coordinate else { return false }
        guard case .place(let start) = request.source else { return true }
        let shortest = RouteWords.isMarked(text) ? Self.shortestJourney : Self.shortestRoute
        return start.coordinate.map { $0.distance(to: to) >= shortest } ?? false
    }

    /// The least distances in metres between the ends of a route and between two places.
    private static let (shortestRoute, shortestJourney) = (15_000.0, 500.0)

    /// Returns whether it is a route of which a common noun or a shop is one end, and the other one is another thing or a town:
    /// “zoo to Mansfield”. Apps search for such a thing.
    ///
    /// - Parameters:
    ///   - text: the words of the route, which have a word such as “to” between the ends.
    ///   - source: its start.
    fileprivate func isBesideThing(in text: String, from source: MapItem) -> Bool {
        guard RouteWords.isMarked(text) else { return false }
        func isThing(_ item: MapItem) -> Bool {
            item.query.map { CategoryRequest($0) != nil || Placeless.isCommon($0) } ?? false
        }
        func isPlace(_ item: MapItem, _ outcome: GeocodingOutcome?) -> Bool {
            switch outcome {
            case .ambiguous(let places): places.allSatisfy { $0.kind == .city || $0.kind == .airport }
            // A far town, which is doubtful
            case .unresolved(let places): places.first.map { $0.match == .ownName && $0.kind == .city } ?? false
            default: item.coordinate != nil
            }
        }
        let start: MapItem = if case .place(let item) = request.source { item } else { source }
        let isFromThing = isThing(source)
        let isToThing = isThing(request.destination)
        return (isFromThing || isToThing)
            && (isFromThing || isPlace(start, self.source) || request.source == .currentLocation)
            && (isToThing || isPlace(request.destination, destination))
    }

    /// Returns the first candidate if it is not doubtful and within 1,500 km of a coordinate, and the others are at least
    /// three times as far away.
    private static func nearest(_ candidates: [GeocodingCandidate], to end: Coordinate) -> GeocodingCandidate? {
        guard let first = candidates.first, !first.isDoubtful, let distance = first.item.coordinate?.distance(to: end),
            distance <= 1_500_000,
            candidates.dropFirst().allSatisfy({ ($0.item.coordinate?.distance(to: end) ?? .infinity) > 3 * distance })
        else { return nil }
        return first
    }
}

/// Resolves requests for directions, for the agent, the command line and the link handler.
public struct DirectionsPlanner: Sendable {
    private let geocoder: any Geocoder
    private let candidateLimit: Int

    /// Creates a planner.
    ///
    /// - Parameter candidateLimit: the maximum number of candidates for a text.
    public init(geocoder: any Geocoder, candidateLimit: Int = 5) {
        self.geocoder = geocoder
        self.candidateLimit = candidateLimit
    }

    /// Geocodes the ends without coordinates.
    ///
    /// An end gets the coordinate of a certain place. Otherwise it keeps the user's text, for apps that can search
    /// themselves. A missing gazetteer is not an error.
    ///
    /// - Parameter here: the position of the user. Nearer places are preferred, and online services do not get it. Distances
    ///   of the candidates may reveal it.
    /// - Throws: `GeocoderError` if a text cannot name a place, or a geocoder is unavailable.
    public func resolve(
        _ request: DirectionsRequest, here: Coordinate? = nil
    ) async throws(GeocoderError) -> ResolvedDirections {
        let resolved = try await asRequest(resolveEnds(request, here).choosingNearOtherEnd(), here)
        var route = try await asRoute(resolved, here)
        if case .unresolved = route.destination, let text = route.request.destination.query,
            let place = RequestWords.place(behindTo: text)
        {
            route.request.destination.query = place
        }
        return route
    }

    /// Reads words of a destination that matches no place, such as “Potsdam 12/24” and “Zug Hamburg”, as a time or a travel mode
    /// if a town is certain for the rest. Behind a street, it may be a house number.
    private func asRequest(
        _ resolved: ResolvedDirections, _ here: Coordinate?
    ) async throws(GeocoderError) -> ResolvedDirections {
        guard case .unresolved = resolved.destination, let text = resolved.request.destination.query,
            let possible = PlaceParser.possibleRequest(text),
            // “Bike Shop Potsdam” is a shop.
            possible.modes.isEmpty
                || possible.item.query?.split(separator: " ").first.flatMap({ PlaceCategory.named(String($0)) }) == nil
        else { return resolved }
        var request = resolved.request
        request.destination = possible.item
        if request.modes.isEmpty { request.travel(by: possible.modes, first: possible.firstMode) }
        if var time = possible.time {
            if let given = request.time {
                // “Potsdam FR” at 14:00
                guard let both = time.completed(byClockOf: Int(given.date.wholeSeconds)) else { return resolved }
                time = given.isArrival ? both.ofArrival : both
            }
            let next = DirectionsRequest.Time(time, now: Date())
            guard next != nil || time.isNow else { return resolved }
            request.travel(at: next)
        }
        guard var other = try? await resolveEnds(request, here).choosingNearOtherEnd() else { return resolved }
        let isTown =
            switch other.destination {
            case .certain(let place): ![.street, .house].contains(place.kind)
            // “Rad Neustadt”, “tomorrow at 9 Paris”
            case .ambiguous(let places): places.allSatisfy { $0.kind == .city }
            // “Bus IKEA”
            case .unresolved: other.request.destination.query.map(Placeless.isCommon) ?? false
            case nil: false
            }
        other.ignored = possible.ignored
        return isTown ? other : resolved
    }

    /// Reads a destination that matches no place, such as “London to Paris”, as a route if both of its ends are
    /// certain, or one is a thing such as “the zoo”.
    private func asRoute(
        _ resolved: ResolvedDirections, _ here: Coordinate?
    ) async throws(GeocoderError) -> ResolvedDirections {
        guard case .unresolved = resolved.destination, let text = resolved.request.destination.query else {
            return resolved
        }
        for possible in PlaceParser.possibleRoutes(text) {
            guard let source = possible.source else { continue }
            var request = resolved.request
            let isFromHere = source.query.map(PlaceParser.meansHere) ?? false
            // A start that is given elsewhere counts before the one in the words.
            let hasStart = if case .place = request.source { true } else { false }
            if !hasStart { request.source = isFromHere ? .currentLocation : .place(source) }
            request.destination = possible.item
            if request.modes.isEmpty { request.travel(by: possible.modes, first: possible.firstMode) }
            if request.time == nil { request.travel(at: possible.time.flatMap { .init($0, now: Date()) }) }
            guard var route = try? await resolveEnds(request, here).choosingNearOtherEnd(),
                route.isBetweenPlaces(in: text) || route.isBesideThing(in: text, from: source)
            else { continue }
            let ignored = [hasStart ? source.query : nil, possible.ignored].compactMap(\.self)
            route.ignored = ignored.isEmpty ? nil : ignored.joined(separator: ", ")
            return route
        }
        return resolved
    }

    private func resolveEnds(
        _ request: DirectionsRequest, _ here: Coordinate?
    ) async throws(GeocoderError) -> ResolvedDirections {
        var resolved = ResolvedDirections(request: request)
        var isRoute = false
        if case .place(let item) = request.source {
            isRoute = item.query != nil && request.destination.query != nil
        }
        if case .place(let item) = request.source, item.coordinate == nil {
            let (end, outcome) = try await resolve(
                item, near: request.destination.coordinate ?? request.near, here, isEnd: isRoute, request)
            resolved.request.source = .place(end)
            resolved.source = outcome
            resolved.request.roughSource = end.coordinate == nil ? outcome.roughPosition : nil
        }
        if request.destination.coordinate == nil, request.destination.query.map(PlaceParser.meansHere) == true {
            resolved.request.destination.coordinate = here
            resolved.destination = here == nil ? .unresolved([]) : nil
        } else if request.destination.coordinate == nil {
            let source: Coordinate? =
                if case .place(let item) = resolved.request.source { item.coordinate } else { nil }
            let (end, outcome) = try await resolve(
                request.destination, near: request.near ?? source, here, isEnd: isRoute, request)
            resolved.request.destination = end
            resolved.destination = outcome
            if case .unresolved = outcome, let near = request.near, let words = await words(for: end, near: near) {
                resolved.request.destination.query = words
            }
            resolved.request.roughDestination =
                end.coordinate == nil ? outcome.roughPosition ?? request.near : nil
        }
        return resolved
    }

    /// Returns the words of a common noun or a shop with the town at the middle of the map on which it was searched:
    /// “pharmacy, Mount Vernon, Ohio”. An app's link cannot have both words and a map centre. `nil` for other words, or
    /// if no town is known.
    private func words(for item: MapItem, near middle: Coordinate) async -> String? {
        guard item.coordinate == nil, let text = item.query else { return nil }
        let asked = CategoryRequest(text)
        let isNoun = asked.map { $0.area == nil && !$0.category.isOwn } ?? Placeless.isShop(WordFolding.words(of: text))
        guard isNoun else { return nil }
        let places = (try? await geocoder.places(near: middle, limit: Self.mostPlacesNear)) ?? []
        return places.first { $0.kind == .city }.map { "\(text), \($0.label)" }
    }

    private static let mostPlacesNear = 20

    /// Returns the outcome of geocoding a text.
    ///
    /// - Parameter request: the journey. By land, a place on another continent is hardly meant, and by plane, an airport is.
    /// - Throws: `GeocoderError` if the text cannot name a place, or a geocoder is unavailable.
    public func outcome(
        of text: String, near: Coordinate? = nil, here: Coordinate? = nil, for request: DirectionsRequest? = nil
    ) async throws(GeocoderError) -> GeocodingOutcome {
        do throws(GeocoderError) {
            var query = GeocodingQuery(text, limit: candidateLimit, near: near)
            query.here = here
            query.isByLand = request?.isByLand ?? false
            query.isByPlane = request?.modes == [.plane]
            return GeocodingOutcome(try await geocoder.candidates(for: query))
        } catch {
            guard error.code == .noGazetteer else { throw error }
            return .unresolved([])
        }
    }

    /// Returns an item with its coordinate, if that is certain.
    ///
    /// - Parameter isEnd: whether both ends of the route are texts. Then names may be inflected, as in Russian “из
    ///   Москвы”.
    private func resolve(
        _ item: MapItem, near: Coordinate?, _ here: Coordinate?, isEnd: Bool, _ request: DirectionsRequest
    ) async throws(GeocoderError) -> (MapItem, GeocodingOutcome) {
        let address = item.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        guard item.query == nil, let name = item.name, let address else {
            guard let text = item.query ?? address ?? item.name else { return (item, .unresolved([])) }
            let first = try await outcome(of: text, near: near, here: here, for: request)
            // A common noun is not an inflected name: “Hause” does not mean the town Haus.
            guard isEnd, item.query != nil, case .unresolved = first, CategoryRequest(text) == nil else {
                return try await completed(item, by: first)
            }
            for name in PlaceParser.nominatives(of: text) {
                guard let other = try? await outcome(of: name, near: near, here: here, for: request),
                    other.isCertain
                else { continue }
                return try await completed(MapItem(query: name), by: other)
            }
            return try await completed(item, by: first)
        }
        // Search for the name with its address. If that is uncertain, a street address alone may be certain.
        let words = "\(name), \(address)"
        var first = GeocodingOutcome.unresolved([])
        do throws(GeocoderError) {
            first = try await outcome(of: words, near: near, here: here, for: request)
        } catch {
            guard [.notAPlace, .tooLong].contains(error.code) else { throw error }
        }
        if !first.isCertain, item.address?.street != nil {
            let second = try await outcome(of: address, near: near, here: here, for: request)
            if second.isCertain { return try await completed(item, by: second) }
        }
        var searched = item
        if !first.isCertain { searched.query = words }
        return try await completed(searched, by: first)
    }

    /// Returns the item with the coordinate of its place, if that is certain.
    private func completed(
        _ item: MapItem, by outcome: GeocodingOutcome
    ) async throws(GeocoderError) -> (MapItem, GeocodingOutcome) {
        guard case .certain(let candidate) = outcome else { return (item, outcome) }
        if candidate.kind == .own, candidate.item.coordinate == nil {
            var searched = item
            searched.query = candidate.item.query ?? item.query
            return (searched, .unresolved(candidate.parts))
        }
        let found = item.completed(by: candidate)
        guard found.coordinate == nil, let address = candidate.item.address else { return (found, outcome) }
        // A place that was on the screen may have only an address. Geocode the address.
        guard case .certain(let house) = try await self.outcome(of: address.singleLine) else {
            var searched = found
            searched.query = [found.name, address.singleLine].compactMap { $0 }.joined(separator: ", ")
            return (searched, .unresolved([candidate]))
        }
        var located = candidate
        located.item.coordinate = house.item.coordinate
        return (item.completed(by: located), .certain(located))
    }
}

extension MapItem {
    /// Returns the item with the candidate's coordinate, and with its name and address if the item has none.
    fileprivate func completed(by candidate: GeocodingCandidate) -> MapItem {
        var completed = self
        completed.coordinate = candidate.item.coordinate
        completed.name = name ?? candidate.localName ?? candidate.item.name
        // “Work” means something only to the user.
        if candidate.kind == .own { completed.query = candidate.item.query }
        completed.address = address ?? candidate.item.address
        if let local = candidate.localName, completed.name == local { completed.address?.city = local }
        return completed
    }
}
