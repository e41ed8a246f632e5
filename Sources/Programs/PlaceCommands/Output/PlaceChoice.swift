import CommandSupport
import Geocoding
import Localization

/// Asks the user which of several places is meant.
enum PlaceChoice {
    /// Returns the place that the user chose; `nil` without a terminal or without a choice.
    static func among(_ candidates: [GeocodingCandidate], for text: String) throws -> GeocodingCandidate? {
        guard !candidates.isEmpty, Terminal.canAsk else { return nil }
        let rows = zip(candidates.labels, candidates).map { label, candidate in
            let kind = CodeWords.place(candidate.kind)
            // Namesakes have their distance in the label.
            guard let distance = candidate.distance.map(LocalNumber.distance), !label.contains(distance) else {
                return "\(label) (\(kind))"
            }
            return localized("%1 (%2, %3 away)", label, kind, distance)
        }
        return try TerminalQuestion.choice(localized("“%1” may be:", text), among: rows).map { candidates[$0] }
    }
}
