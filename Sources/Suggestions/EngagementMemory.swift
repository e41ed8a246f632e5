internal import FoundationEssentials
internal import HunchModel

/// What the limits need of the past: when suggestions were shown, and dismissals in a row by pair. Bounded.
///
/// What was taken several times in a row stands as many more dismissals, up to three: who takes it on working days and turns
/// it down on a long weekend wants it again on the next working day.
struct EngagementMemory: Sendable {
    private static let hour: Double = 3_600
    /// More within an hour than any limit asks for.
    private static let maximumShown = 1_000

    /// How many more dismissals in a row something may stand that was taken often.
    private static let maximumCredit = 3

    private var shown: [Date] = []
    private var dismissals: [SuggestionPair: (count: Int, touched: Int)] = [:]
    private var clock = 0

    mutating func note(_ engagement: Engagement, maximumPairs: Int) {
        let pair = SuggestionPair(engagement)
        switch engagement.outcome {
        case .shown:
            shown.append(engagement.date)
            if shown.count > Self.maximumShown { shown.removeFirst() }
        case .accepted:
            let before = dismissals[pair]?.count ?? 1
            set(max(min(before, 1) - 1, -Self.maximumCredit), of: pair, maximumPairs: maximumPairs)
        case .dismissed: set((dismissals[pair]?.count ?? 0) + 1, of: pair, maximumPairs: maximumPairs)
        case .expired, .failed: break
        }
    }

    private mutating func set(_ count: Int, of pair: SuggestionPair, maximumPairs: Int) {
        clock += 1
        dismissals[pair] = (count, clock)
        guard dismissals.count > maximumPairs,
            let oldest = dismissals.min(by: { $0.value.touched < $1.value.touched })
        else { return }
        dismissals[oldest.key] = nil
    }

    /// In a row, less what the pair stands more because it was taken before; below 0 while there were none since.
    func dismissals(of pair: SuggestionPair) -> Int { dismissals[pair]?.count ?? 0 }

    mutating func forgetDismissals(of pair: SuggestionPair) { dismissals[pair] = nil }

    /// `nil` when one more may be shown, else when it may.
    ///
    /// What lies an hour or more from now does not count, on either side: the clock may have been set back.
    func room(at now: Date, perHour: Int) -> Date? {
        let recent = shown.filter { abs(now.timeIntervalSince($0)) < Self.hour }.sorted()
        guard recent.count >= perHour else { return nil }
        let index = recent.count - max(perHour, 1)
        return (perHour > 0 ? recent[index] : now).addingTimeInterval(Self.hour)
    }
}
