internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// How a person took what was offered, by kind and by trigger, and so how likely the next offer is to be welcome.
///
/// A suggestion's score says how likely it is the right one, if any is wanted; that one is wanted at all, only the
/// person's answers tell. Each answer moves the log-odds of a score: at the trigger that it came at, and a quarter as far
/// for all suggestions of the kind. What was answered long ago fades, so that a silenced trigger is tried again. Bounded.
struct AcceptanceMemory: Sendable {
    /// What the answers amount to, in log-odds, as of a date.
    private struct Leaning: Sendable {
        var value = 0.0
        var date: Date

        func value(at now: Date) -> Double {
            // A clock that was set back makes nothing grow.
            value * exp2(-max(now.timeIntervalSince(date), 0) / AcceptanceMemory.halfLife)
        }
    }

    /// In seconds: 30 days.
    private static let halfLife: Double = 30 * 86_400
    /// What all suggestions of a kind take over of an answer.
    private static let kindShare = 0.25
    /// Some twenty unanswered offers in a row silence even what is certain; no praise lets the unlikely through.
    private static let bounds = -5.0...0.5

    private var triggers: [String: Leaning] = [:]
    private var kinds: [String: Leaning] = [:]

    /// In log-odds. What only failed was still wanted; what was shown was not answered yet.
    private static func step(_ outcome: Engagement.Outcome) -> Double? {
        switch outcome {
        case .accepted: 0.5
        case .dismissed: -0.3
        case .expired: -0.2
        case .shown, .failed: nil
        }
    }

    mutating func note(_ engagement: Engagement, maximumTriggers: Int) {
        guard let step = Self.step(engagement.outcome) else { return }
        let trigger = Self.key(engagement.kind, engagement.context.trigger)
        Self.move(&triggers[trigger], by: step, at: engagement.date)
        Self.move(&kinds[engagement.kind.rawValue], by: step * Self.kindShare, at: engagement.date)
        for table in [\Self.triggers, \Self.kinds] where self[keyPath: table].count > maximumTriggers {
            let oldest = self[keyPath: table].min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
            if let oldest { self[keyPath: table][oldest.key] = nil }
        }
    }

    /// How likely a suggestion is to be taken, 0…1.
    ///
    /// - Parameter score: how likely it is the right one, 0…1.
    func chance(of score: Double, kind: Suggestion.Kind, trigger: Trigger?, at now: Date) -> Double {
        // Nothing is so sure that no answer could move it.
        let score = min(max(score, 0.02), 0.98)
        let leaning =
            (triggers[Self.key(kind, trigger)]?.value(at: now) ?? 0) + (kinds[kind.rawValue]?.value(at: now) ?? 0)
        return 1 / (1 + exp(-log(score / (1 - score)) - leaning))
    }

    private static func move(_ leaning: inout Leaning?, by step: Double, at date: Date) {
        let value = (leaning?.value(at: date) ?? 0) + step
        leaning = Leaning(value: min(max(value, bounds.lowerBound), bounds.upperBound), date: date)
    }

    private static func key(_ kind: Suggestion.Kind, _ trigger: Trigger?) -> String {
        "\(kind.rawValue) \(trigger?.description ?? "")"
    }
}
