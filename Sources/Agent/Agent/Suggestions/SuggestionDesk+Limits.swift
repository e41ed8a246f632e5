internal import FoundationEssentials
internal import History
package import HunchModel
internal import Learning
internal import Suggestions

/// Whether something may be suggested.
extension SuggestionDesk {
    /// Returns why the board would hold such a suggestion now; `nil` if it would not.
    package func hold(of pair: SuggestionPair, score: Double) -> Hold? {
        board.hold(of: pair, score: score, kind: pair.kind, at: configuration.now())
    }

    /// Starts the hourly limit from zero.
    package func liftLimit() { board.liftLimit() }

    /// Returns why nothing may be suggested now; `nil` if something may. Checked before an app is asked to prepare.
    ///
    /// - Parameter isUrgent: whether an urgent suggestion is meant.
    package func hold(isUrgent: Bool = false) async throws -> Hold? {
        let paused = try await history.use { store, now in
            try store.settings().pauseEnd(at: now).map(Hold.paused)
        }
        return paused ?? board.hold(at: configuration.now(), isUrgent: isUrgent)
    }
}
