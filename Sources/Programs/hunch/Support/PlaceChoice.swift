import CommandSupport
import Places
import Localization

/// Asks the user which of several places is meant.
enum PlaceChoice {
    /// Returns the place that the user chose; `nil` without a terminal or without a choice.
    static func among(_ candidates: [GeocodingCandidate], for text: String) throws -> GeocodingCandidate? {
        guard !candidates.isEmpty, Terminal.canAsk else { return nil }
        let rows = zip(candidates.labels, candidates).map { "\($0) (\(CodeWords.place($1.kind)))" }
        return try TerminalQuestion.choice(localized("“%1” may be:", text), among: rows).map { candidates[$0] }
    }
}
