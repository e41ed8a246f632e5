internal import HunchModel
public import Places

/// The meaning of a text, as far as a geocoder settles it.
///
/// This is the only place that decides whether a text is certain: Hunch goes nowhere else without asking.
public enum GeocodingOutcome: Hashable, Sendable {
    /// One place bears all of the text by a current name, and is far likelier than all others together.
    case certain(GeocodingCandidate)
    /// Several places bear all of the text, likeliest first; at least two. The person has to choose.
    case ambiguous([GeocodingCandidate])
    /// Nothing but a country or a state bears all of the text. The candidates, likeliest first, bear a part of it.
    case unresolved([GeocodingCandidate])

    /// The least confidence of a certain place: it is three times as likely as all others together.
    private static let leastConfidence = 0.75
    /// Candidates with less than this share of the best one's confidence are not asked about.
    private static let leastShare = 0.005

    /// Judges the candidates of a geocoder, which come likeliest first.
    public init(_ candidates: [GeocodingCandidate]) {
        var complete = candidates.filter { $0.match > .partial }
        let least = (complete.first?.confidence ?? 0) * Self.leastShare
        complete.removeAll { $0.confidence < least }
        if let best = complete.first, best == candidates.first, !best.kind.isArea,
            best.confidence >= Self.leastConfidence
        {
            self = .certain(best)
        } else if complete.count > 1 {
            self = .ambiguous(complete)
        } else {
            self = .unresolved(candidates)
        }
    }

    /// Whether the text means one place.
    public var isCertain: Bool { if case .certain = self { true } else { false } }

    /// The position of the likeliest place that bears a part of a text, such as the town of an address whose street is not
    /// known. `nil` where several places may be meant, or nothing smaller than a state bears any of it.
    var roughPosition: Coordinate? {
        guard case .unresolved(let candidates) = self, let nearest = candidates.first, !nearest.kind.isArea else {
            return nil
        }
        let all = candidates.reduce(0) { $0 + $1.confidence }
        return nearest.confidence >= all * Self.leastConfidence ? nearest.item.coordinate : nil
    }

    /// The places that the text may mean, likeliest first.
    public var candidates: [GeocodingCandidate] {
        switch self {
        case .certain(let candidate): [candidate]
        case .ambiguous(let candidates), .unresolved(let candidates): candidates
        }
    }
}
