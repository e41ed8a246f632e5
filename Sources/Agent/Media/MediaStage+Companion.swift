internal import HunchModel

/// Chooses the second suggestion of a moment, which the person may take instead of the first.
enum CompanionRule {
    /// The least likelihood of a second choice, as a share of the first one's. Of five people who want one of the two, two
    /// want the second then. What was only played before the first one is half as likely, and so is no second choice.
    static let leastShare = 2.0 / 3

    /// Returns the likeliest candidate that is nearly as likely as the first; `nil` when there is none.
    ///
    /// It is of another app: an app holds only one thing prepared.
    static func second(to first: MediaCandidate, among others: [MediaCandidate]) -> MediaCandidate? {
        others.filter { $0.application != first.application && $0.score >= first.score * leastShare }
            .max { $0.score < $1.score }
    }
}

extension MediaStage {
    /// Prepares the second choice with its app. Returns `nil` when there is none, or nothing of it is to be offered.
    ///
    /// The first suggestion waits for it, so that it gets a quarter of the time that the first one had.
    ///
    /// - Parameter remaining: the share of the candidates that can be had, as of the first one.
    /// - Throws: ``AlreadyPlaying`` when it plays: then no media is to be offered.
    func companion(
        of first: MediaCandidate, among others: [MediaCandidate], remaining: Double, at moment: MediaMoment
    ) async throws(AlreadyPlaying) -> Suggestion? {
        guard var second = CompanionRule.second(to: first, among: others) else { return nil }
        second.score = min(second.score / remaining, 1)
        guard await hold(of: second, at: moment) == nil else { return nil }
        let former = lastHold
        defer { lastHold = former }
        return try await prepare(second, for: moment, within: configuration.preparationTime / 4)
    }
}
