import CommandSupport
import Directions
import Geocoding
import HunchModel

/// A geocoding candidate in the output of commands. Every key is always present.
struct CandidateFields: Encodable {
    private let candidate: GeocodingCandidate
    private let hasDistance: Bool

    /// - Parameter hasDistance: whether to write the key `distance`, in metres.
    init(_ candidate: GeocodingCandidate, hasDistance: Bool = false) {
        self.candidate = candidate
        self.hasDistance = hasDistance
    }

    private enum Key: CodingKey { case name, address, coordinate, kind, confidence, matched, distance }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(candidate.item.name, forKey: .name)
        try container.encode(candidate.item.address.map(AddressField.init), forKey: .address)
        try container.encode(candidate.item.coordinate.map(CoordinateField.init), forKey: .coordinate)
        try container.encode(candidate.kind.rawValue, forKey: .kind)
        try container.encode(Self.rounded(candidate.confidence), forKey: .confidence)
        try container.encode(candidate.matched, forKey: .matched)
        if hasDistance { try container.encode(candidate.distance?.rounded(), forKey: .distance) }
    }

    private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

/// The answer to one text in the output of `hunch geocode --json`.
struct GeocodingFields: Encodable {
    let input: String
    let result: Result<[GeocodingCandidate], GeocoderError>

    private enum Key: CodingKey { case input, certain, candidates, error }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Output.cut(input), forKey: .input)
        switch result {
        case .success(let candidates):
            try container.encode(GeocodingOutcome(candidates).isCertain, forKey: .certain)
            try container.encode(candidates.map { CandidateFields($0) }, forKey: .candidates)
            let error = candidates.isEmpty ? ErrorField(CommandError(notFound: input)) : nil
            try container.encode(error, forKey: .error)
        case .failure(let error):
            try container.encode(false, forKey: .certain)
            try container.encode([String](), forKey: .candidates)
            try container.encode(ErrorField(code: error.code.rawValue, message: error.message), forKey: .error)
        }
    }
}
