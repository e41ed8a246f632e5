public import HunchModel
public import Places

/// A request whose ends have coordinates, as far as they could be found.
public struct ResolvedDirections: Sendable {
    /// The request, its ends completed.
    public var request: DirectionsRequest
    /// What the destination's text may mean, likeliest first; empty when it brought its coordinate.
    public var destinationCandidates: [GeocodingCandidate]
    /// What the source's text may mean, likeliest first; empty when it brought its coordinate or there is none.
    public var sourceCandidates: [GeocodingCandidate]

    /// Makes a resolution; by default of a request that brings its coordinates.
    public init(
        request: DirectionsRequest, destinationCandidates: [GeocodingCandidate] = [],
        sourceCandidates: [GeocodingCandidate] = []
    ) {
        self.request = request
        self.destinationCandidates = destinationCandidates
        self.sourceCandidates = sourceCandidates
    }

    /// Whether a text means several places about alike, so that a person should choose.
    public var isAmbiguous: Bool {
        [destinationCandidates, sourceCandidates].contains { candidates in
            candidates.count > 1 && candidates[1].confidence > candidates[0].confidence / 2
        }
    }

    /// Whether an end was looked up and not found.
    public var isUnresolved: Bool { request.needsGeocoding }
}

/// Completes requests: an end without a coordinate is looked up, one with a coordinate is left alone.
public struct DirectionsResolver: Sendable {
    private let geocoder: any Geocoder
    private let candidateLimit: Int

    /// Makes a resolver.
    ///
    /// - Parameter candidateLimit: the most places that a text may be resolved to.
    public init(geocoder: any Geocoder, candidateLimit: Int = 5) {
        self.geocoder = geocoder
        self.candidateLimit = candidateLimit
    }

    /// Looks up the ends that need it. Of several places, the likeliest is taken and the others are told.
    ///
    /// - Throws: `GeocoderError` when an end needs looking up and the source cannot be asked.
    public func resolve(_ request: DirectionsRequest) async throws(GeocoderError) -> ResolvedDirections {
        var resolved = ResolvedDirections(request: request)
        if case .place(let item) = request.source, item.coordinate == nil {
            resolved.sourceCandidates = try await candidates(
                for: item, near: request.destination.coordinate ?? request.near)
            if let best = resolved.sourceCandidates.first {
                resolved.request.source = .place(Self.completed(item, by: best))
            }
        }
        if request.destination.coordinate == nil {
            let source: Coordinate? =
                if case .place(let item) = resolved.request.source { item.coordinate } else { nil }
            resolved.destinationCandidates = try await candidates(
                for: request.destination, near: request.near ?? source)
            if let best = resolved.destinationCandidates.first {
                resolved.request.destination = Self.completed(request.destination, by: best)
            }
        }
        return resolved
    }

    private func candidates(
        for item: MapItem, near: Coordinate?
    ) async throws(GeocoderError) -> [GeocodingCandidate] {
        let texts = [item.query, item.address?.singleLine, item.name].compactMap { $0 }.filter { !$0.isEmpty }
        guard let text = texts.first else { return [] }
        return try await geocoder.candidates(for: GeocodingQuery(text, limit: candidateLimit, near: near))
    }

    private static func completed(_ item: MapItem, by candidate: GeocodingCandidate) -> MapItem {
        var completed = item
        completed.coordinate = candidate.item.coordinate
        completed.name = item.name ?? candidate.item.name
        completed.address = item.address ?? candidate.item.address
        return completed
    }
}
