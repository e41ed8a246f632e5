internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// Estimates the chance that the user accepts a suggestion, from the engagements with earlier ones. Bounded in size.
///
/// A suggestion's score is the probability that it is the right one, if the user wants any. Only engagements say
/// whether the user wants one. Each engagement shifts the log-odds of the score for its kind and trigger, and a
/// quarter as far for all suggestions of its kind. A refusal of a place or an event counts for that alone. Shifts decay, so
/// that a suppressed trigger is tried again.
struct AcceptanceMemory: Sendable {
    /// The accumulated shift in log-odds, as of a date.
    private struct Leaning: Sendable {
        var value = 0.0
        var date: Date

        func value(at now: Date) -> Double {
            // A clock that was set back must not increase the shift.
            value * exp2(-max(now.timeIntervalSince(date), 0) / AcceptanceMemory.halfLife)
        }
    }

    /// The half-life of a shift, in seconds: 30 days.
    private static let halfLife: Double = 30 * 86_400
    /// The share of a shift that applies to all suggestions of the kind.
    private static let kindShare = 0.25
    /// The bounds of a shift. About twenty ignored suggestions in a row suppress even a certain one. Accepting any
    /// number does not release an unlikely one.
    private static let bounds = -5.0...0.5

    private var triggers: [String: Leaning] = [:]
    private var kinds: [String: Leaning] = [:]

    /// Returns the shift of an outcome, in log-odds. Failed suggestions were wanted; shown, withdrawn and replaced ones have no answer.
    private static func step(_ outcome: Engagement.Outcome) -> Double? {
        switch outcome {
        case .accepted: 0.5
        case .dismissed: -0.3
        case .expired: -0.2
        // Seen and not wanted now. The user may have closed all notifications together.
        case .closed: -0.05
        case .shown, .failed, .withdrawn, .replaced: nil
        }
    }

    mutating func note(_ engagement: Engagement, maximumTriggers: Int) {
        guard let step = Self.step(engagement.outcome) else { return }
        let pair = SuggestionPair(engagement)
        let isRefusedSubject = engagement.outcome == .dismissed && pair.subject != nil
        Self.move(&triggers[Self.key(engagement.kind, pair, isRefusedSubject)], by: step, at: engagement.date)
        if !isRefusedSubject {
            Self.move(&kinds[engagement.kind.rawValue], by: step * Self.kindShare, at: engagement.date)
        }
        for table in [\Self.triggers, \Self.kinds] where self[keyPath: table].count > maximumTriggers {
            let oldest = self[keyPath: table].min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
            if let oldest { self[keyPath: table][oldest.key] = nil }
        }
    }

    /// Returns the chance that a suggestion is accepted, 0…1.
    ///
    /// - Parameter score: the probability that it is the right one, 0…1.
    func chance(of score: Double, kind: Suggestion.Kind, _ pair: SuggestionPair, at now: Date) -> Double {
        // Clamp the score, so that engagements can shift even a certain one.
        let score = min(max(score, 0.02), 0.98)
        var leaning =
            (triggers[Self.key(kind, pair, false)]?.value(at: now) ?? 0) + (kinds[kind.rawValue]?.value(at: now) ?? 0)
        if pair.subject != nil { leaning += triggers[Self.key(kind, pair, true)]?.value(at: now) ?? 0 }
        return 1 / (1 + exp(-log(score / (1 - score)) - leaning))
    }

    private static func move(_ leaning: inout Leaning?, by step: Double, at date: Date) {
        let value = (leaning?.value(at: date) ?? 0) + step
        leaning = Leaning(value: min(max(value, bounds.lowerBound), bounds.upperBound), date: date)
    }

    /// - Parameter hasSubject: whether only suggestions about the pair's subject are meant.
    private static func key(_ kind: Suggestion.Kind, _ pair: SuggestionPair, _ hasSubject: Bool) -> String {
        let key = "\(kind.rawValue) \(pair.trigger?.description ?? "")"
        guard hasSubject, let subject = pair.subject else { return key }
        return "\(key) \(subject.name) \(subject.coordinate.map { "\($0)" } ?? "")"
    }
}
