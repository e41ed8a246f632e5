internal import HunchModel

/// Chooses the second suggestion for a trigger, which the user may accept instead of the first.
package enum CompanionRule {
    /// The minimum likelihood of the second candidate, as a share of the first one's. At this share, two of five
    /// people who want one of the two want the second. A less recent play is half as likely, so recency alone never
    /// makes a second candidate.
    package static let leastShare = 2.0 / 3

    /// Returns the likeliest candidate that is nearly as likely as the first; `nil` if there is none.
    ///
    /// It is of another app, because an app prepares only one item at a time.
    package static func second(to first: MediaCandidate, among others: [MediaCandidate]) -> MediaCandidate? {
        others.filter { $0.application != first.application && $0.score >= first.score * leastShare }
            .max { $0.score < $1.score }
    }
}
