import CommandSupport
import Places
import Localization

/// Asks the user which of several places is meant.
enum PlaceChoice {
    /// Returns the place that the user chose; `nil` without a terminal or without a choice.
    static func among(_ candidates: [GeocodingCandidate], for text: String) throws -> GeocodingCandidate? {
        guard !candidates.isEmpty, Terminal.canAsk else { return nil }
        let rows = candidates.map { "\($0.label) (\(CodeWords.place($0.kind)))" }
        return try TerminalQuestion.choice(localized("“%1” may be:", text), among: rows).map { candidates[$0] }
    }
}
