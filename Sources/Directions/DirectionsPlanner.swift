public import HunchModel
public import Places

/// A request whose ends have coordinates where those are certain.
public struct ResolvedDirections: Sendable {
    /// The request. An end that is not certain has no coordinate: apps get the words that the person gave.
    public var request: DirectionsRequest
    /// The meaning of the destination's text; `nil` when it brought its coordinate.
    public var destination: GeocodingOutcome?
    /// The meaning of the source's text; `nil` when it brought its coordinate or there is none.
    public var source: GeocodingOutcome?

    /// Makes a resolution; by default of a request that brings its coordinates.
    public init(
        request: DirectionsRequest, destination: GeocodingOutcome? = nil, source: GeocodingOutcome? = nil
    ) {
        self.request = request
        self.destination = destination
        self.source = source
    }

    /// Whether the position of each end is certain.
    public var isCertain: Bool { !request.needsGeocoding }

    /// Whether a person has to choose a place.
    public var isAmbiguous: Bool {
        [destination, source].contains { if case .ambiguous = $0 { true } else { false } }
    }

    /// The words of the destination, when there are several places that they may mean.
    public var words: String? {
        guard case .ambiguous = destination else { return nil }
        return request.destination.query ?? request.destination.name
    }

    /// The request to the place that the person chose. A country or a state stays words.
    public func choosing(destination candidate: GeocodingCandidate) -> ResolvedDirections {
        var chosen = self
        chosen.destination = .certain(candidate)
        chosen.request.destination = request.destination.completed(by: candidate)
        return chosen
    }

    /// The request from the place that the person chose.
    public func choosing(source candidate: GeocodingCandidate) -> ResolvedDirections {
        guard case .place(let item) = request.source else { return self }
        var chosen = self
        chosen.source = .certain(candidate)
        chosen.request.source = .place(item.completed(by: candidate))
        return chosen
    }

    /// Chooses the likeliest candidate for one end where the other end is certain and no other candidate is as near to it: the
    /// “Barcelona” of a route to Madrid is in Spain. A route by plane may lead to any of them.
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

    /// Returns the first candidate when it is within 1,500 km of a coordinate and the others are three times as far away.
    private static func nearest(_ candidates: [GeocodingCandidate], to end: Coordinate) -> GeocodingCandidate? {
        guard let first = candidates.first, let distance = first.item.coordinate?.distance(to: end),
            distance <= 1_500_000,
            candidates.dropFirst().allSatisfy({ ($0.item.coordinate?.distance(to: end) ?? .infinity) > 3 * distance })
        else { return nil }
        return first
    }
}

/// Answers requests for directions: for the agent, the command line and the link handler alike.
public struct DirectionsPlanner: Sendable {
    private let geocoder: any Geocoder
    private let candidateLimit: Int

    /// Makes a planner.
    ///
    /// - Parameter candidateLimit: the most places that a text may be resolved to.
    public init(geocoder: any Geocoder, candidateLimit: Int = 5) {
        self.geocoder = geocoder
        self.candidateLimit = candidateLimit
    }

    /// Looks up the ends that have no coordinate.
    ///
    /// An end gets the coordinate of a place that is certain, and otherwise keeps the person's words, for an app that
    /// searches by itself. That there is no gazetteer is no error.
    ///
    /// - Throws: `GeocoderError` when the words name no place, or a source cannot be asked.
    public func resolve(_ request: DirectionsRequest) async throws(GeocoderError) -> ResolvedDirections {
        let resolved = try await resolveEnds(request).choosingNearOtherEnd()
        guard case .place = request.source else { return try await asRoute(resolved) }
        return resolved
    }

    /// Treats a text that names no place as a route, such as “London to Paris”, when both its ends are certain.
    private func asRoute(_ resolved: ResolvedDirections) async throws(GeocoderError) -> ResolvedDirections {
        guard case .unresolved = resolved.destination, let text = resolved.request.destination.query else {
            return resolved
        }
        for possible in PlaceParser.possibleRoutes(text) {
            guard let source = possible.source else { continue }
            var request = resolved.request
            request.source = .place(source)
            request.destination = possible.item
            if request.modes.isEmpty { request.travel(by: possible.modes) }
            guard let route = try? await resolveEnds(request).choosingNearOtherEnd(),
                case .place(let start) = route.request.source,
                let from = start.coordinate, let to = route.request.destination.coordinate,
                from.distance(to: to) >= Self.shortestRoute
            else { continue }
            return route
        }
        return resolved
    }

    /// The distance in metres between two places of which the text does not say that they are a start and a destination: nearer
    /// ones, as in “London – Camden”, may be a town and a part of it.
    private static let shortestRoute = 15_000.0

    private func resolveEnds(_ request: DirectionsRequest) async throws(GeocoderError) -> ResolvedDirections {
        var resolved = ResolvedDirections(request: request)
        var isRoute = false
        if case .place(let item) = request.source {
            isRoute = item.query != nil && request.destination.query != nil
        }
        if case .place(let item) = request.source, item.coordinate == nil {
            let (end, outcome) = try await resolve(
                item, near: request.destination.coordinate ?? request.near, isEnd: isRoute)
            resolved.request.source = .place(end)
            resolved.source = outcome
            resolved.request.roughSource = end.coordinate == nil ? outcome.roughPosition : nil
        }
        if request.destination.coordinate == nil {
            let source: Coordinate? =
                if case .place(let item) = resolved.request.source { item.coordinate } else { nil }
            let (end, outcome) = try await resolve(request.destination, near: request.near ?? source, isEnd: isRoute)
            resolved.request.destination = end
            resolved.destination = outcome
            resolved.request.roughDestination = end.coordinate == nil ? outcome.roughPosition : nil
        }
        return resolved
    }

    /// Returns the meaning of a text.
    ///
    /// - Throws: `GeocoderError` when the words name no place, or a source cannot be asked.
    public func outcome(of text: String, near: Coordinate? = nil) async throws(GeocoderError) -> GeocodingOutcome {
        do throws(GeocoderError) {
            return GeocodingOutcome(
                try await geocoder.candidates(for: GeocodingQuery(text, limit: candidateLimit, near: near)))
        } catch {
            guard error.code == .noGazetteer else { throw error }
            return .unresolved([])
        }
    }

    /// Returns an item with the position that it certainly has.
    ///
    /// - Parameter isEnd: whether it is one of two ends in words, which may be in another case than the nominative.
    private func resolve(
        _ item: MapItem, near: Coordinate?, isEnd: Bool
    ) async throws(GeocoderError) -> (MapItem, GeocodingOutcome) {
        let address = item.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        guard item.query == nil, let name = item.name, let address else {
            guard let text = item.query ?? address ?? item.name else { return (item, .unresolved([])) }
            let first = try await outcome(of: text, near: near)
            guard isEnd, item.query != nil, case .unresolved = first else {
                return try await completed(item, by: first)
            }
            for name in PlaceParser.nominatives(of: text) {
                guard let other = try? await outcome(of: name, near: near), other.isCertain else { continue }
                return try await completed(MapItem(query: name), by: other)
            }
            return try await completed(item, by: first)
        }
        // A name says more than the town that it lies in; a street says where it is.
        let words = "\(name), \(address)"
        var first = GeocodingOutcome.unresolved([])
        do throws(GeocoderError) {
            first = try await outcome(of: words, near: near)
        } catch {
            guard [.notAPlace, .tooLong].contains(error.code) else { throw error }
        }
        if !first.isCertain, item.address?.street != nil {
            let second = try await outcome(of: address, near: near)
            if second.isCertain { return try await completed(item, by: second) }
        }
        var searched = item
        if !first.isCertain { searched.query = words }
        return try await completed(searched, by: first)
    }

    /// The item with the position of the place that it certainly means.
    private func completed(
        _ item: MapItem, by outcome: GeocodingOutcome
    ) async throws(GeocoderError) -> (MapItem, GeocodingOutcome) {
        guard case .certain(let candidate) = outcome else { return (item, outcome) }
        let found = item.completed(by: candidate)
        guard found.coordinate == nil, let address = candidate.item.address else { return (found, outcome) }
        // A seen place of which no more than its address is known.
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
    /// The item with what is known of the place that it means. What the person said of it stays.
    fileprivate func completed(by candidate: GeocodingCandidate) -> MapItem {
        var completed = self
        completed.coordinate = candidate.item.coordinate
        completed.name = name ?? candidate.item.name
        completed.address = address ?? candidate.item.address
        return completed
    }
}
