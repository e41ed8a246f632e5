public import Geocoding
internal import HunchModel

/// The outcome of geocoding a text.
///
/// This is the only place that decides whether a text is certain. Without certainty, Hunch asks.
public enum GeocodingOutcome: Hashable, Sendable {
    /// One place matches the whole text by a current name, and is far likelier than all others together.
    case certain(GeocodingCandidate)
    /// Several places match the whole text, likeliest first; at least two. The user has to choose.
    case ambiguous([GeocodingCandidate])
    /// No place smaller than a state matches the whole text, or only one of many things of that name. The candidates,
    /// likeliest first, match a part of it, or have the name of a chain of shops or an everyday word.
    case unresolved([GeocodingCandidate])

    /// The minimum confidence of a certain place: three times as likely as all others together.
    private static let leastConfidence = 0.75
    /// The minimum share of the best candidate's confidence. Less likely candidates are not shown.
    private static let leastShare = 0.005

    /// Evaluates the candidates of a geocoder, likeliest first.
    public init(_ candidates: [GeocodingCandidate]) {
        var complete = candidates.filter { $0.match > .partial }
        let least = (complete.first?.confidence ?? 0) * Self.leastShare
        complete.removeAll { $0.confidence < least }
        if let best = complete.first, best == candidates.first, !best.kind.isArea, !best.isDoubtful,
            best.confidence >= Self.leastConfidence
        {
            self = .certain(best)
        } else if complete.count > 1, !complete[0].isByCommonWord {
            self = .ambiguous(complete)
        } else {
            self = .unresolved(candidates)
        }
    }

    /// Whether the outcome is ``certain(_:)``.
    public var isCertain: Bool { if case .certain = self { true } else { false } }

    /// The coordinate of the likeliest place that matches a part of a text, such as the town of an address with an
    /// unknown street. `nil` if several places are possible, nothing smaller than a state matches, or it is only a guess for a
    /// mistyped name.
    var roughPosition: Coordinate? {
        guard case .unresolved(let candidates) = self, let nearest = candidates.first, !nearest.kind.isArea,
            !nearest.isRespelled, !nearest.isByCommonWord
        else { return nil }
        let all = candidates.reduce(0) { $0 + $1.confidence }
        return nearest.confidence >= all * Self.leastConfidence ? nearest.item.coordinate : nil
    }

    /// The places that a mistyped or unfinished name may mean, likeliest first; empty for other words.
    public var guesses: [GeocodingCandidate] {
        guard case .unresolved(let candidates) = self, let best = candidates.first, best.isRespelled,
            !best.kind.isArea
        else { return [] }
        return candidates.filter { $0.isRespelled && $0.confidence >= best.confidence * Self.leastShareOfGuess }
    }

    /// The minimum share of the best guess's confidence.
    private static let leastShareOfGuess = 0.05

    /// The places that the text may mean, likeliest first.
    public var candidates: [GeocodingCandidate] {
        switch self {
        case .certain(let candidate): [candidate]
        case .ambiguous(let candidates), .unresolved(let candidates): candidates
        }
    }
}
