internal import FoundationEssentials
internal import HunchModel

/// The earlier engagements that the limits need, bounded in size: when suggestions were shown, and each pair's
/// dismissals in a row.
///
/// Each acceptance in a row after the first raises the tolerated number of dismissals by one, up to three. A user who
/// accepts a suggestion on working days and dismisses it on a long weekend wants it again on the next working day.
struct EngagementMemory: Sendable {
    private static let hour: Double = 3_600
    /// The maximum number of remembered dates, above any hourly limit.
    private static let maximumShown = 1_000

    /// The maximum number of additional dismissals that acceptances allow.
    private static let maximumCredit = 3

    /// The time for which a notification stays on the screen, in seconds.
    private static let glance: Double = 30

    private var shown: [(suggestion: Suggestion.ID, date: Date)] = []
    private var dismissals: [SuggestionPair: (count: Int, touched: Int, last: Suggestion.ID?)] = [:]
    private var clock = 0

    mutating func note(_ engagement: Engagement, maximumPairs: Int) {
        let pair = SuggestionPair(engagement)
        switch engagement.outcome {
        case .shown:
            shown.append((engagement.suggestion, engagement.date))
            if shown.count > Self.maximumShown { shown.removeFirst() }
        case .accepted:
            let before = dismissals[pair]?.count ?? 1
            set(max(min(before, 1) - 1, -Self.maximumCredit), of: pair, maximumPairs: maximumPairs)
        case .dismissed:
            // An appointment that changes may be suggested, and dismissed, more than once.
            let isRepeated = pair.subject?.isEvent == true && dismissals[pair]?.last == engagement.suggestion
            let count = (dismissals[pair]?.count ?? 0) + (isRepeated ? 0 : 1)
            set(count, of: pair, by: engagement.suggestion, maximumPairs: maximumPairs)
        // One that was shown for so short a time that the user cannot be expected to have answered does not use up the hourly limit.
        case .withdrawn:
            shown.removeAll {
                $0.suggestion == engagement.suggestion && abs(engagement.date.timeIntervalSince($0.date)) < Self.glance
            }
        case .expired, .closed, .failed, .replaced: break
        }
    }

    /// - Parameter last: the suggestion that was dismissed last; `nil` if another answer followed.
    private mutating func set(
        _ count: Int, of pair: SuggestionPair, by last: Suggestion.ID? = nil, maximumPairs: Int
    ) {
        clock += 1
        dismissals[pair] = (count, clock, last)
        guard dismissals.count > maximumPairs,
            let oldest = dismissals.min(by: { $0.value.touched < $1.value.touched })
        else { return }
        dismissals[oldest.key] = nil
    }

    mutating func forgetShown() { shown = [] }

    /// Returns the dismissals in a row, less the additional ones that acceptances allow. It may be negative.
    func dismissals(of pair: SuggestionPair) -> Int { dismissals[pair]?.count ?? 0 }

    /// Returns the date from which another suggestion may be shown, or `nil` if it may be shown now.
    ///
    /// Dates an hour or more away do not count, even in the future, as the clock may have been set back.
    func room(at now: Date, perHour: Int) -> Date? {
        let recent = shown.map(\.date).filter { abs(now.timeIntervalSince($0)) < Self.hour }.sorted()
        guard recent.count >= perHour else { return nil }
        let index = recent.count - max(perHour, 1)
        return (perHour > 0 ? recent[index] : now).addingTimeInterval(Self.hour)
    }
}
