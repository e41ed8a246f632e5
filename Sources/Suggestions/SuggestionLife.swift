public import FoundationEssentials
public import HunchModel

/// A suggestion and where it is in its life.
public struct SuggestionLife: Hashable, Sendable, Identifiable {
    /// The suggestion.
    public let suggestion: Suggestion
    /// Where it is in its life.
    public private(set) var state: SuggestionState
    /// Whether it reached the person. What did not is never held against its app.
    public private(set) var wasSeen: Bool
    /// The caller that asked for it, in whose share of the requested suggestions it counts; `nil` when nobody did.
    public let requester: String?
    /// The suggestion that this one was offered beside, and with which it goes; `nil` for one that stands by itself.
    public private(set) var companionOf: Suggestion.ID?

    /// Whether somebody asked for it, so that it does not count towards what a person is bothered with.
    public var wasRequested: Bool { requester != nil }
    /// The suggestion's identifier.
    public var id: Suggestion.ID { suggestion.id }
    /// The pair that repeated dismissals mute.
    public var pair: SuggestionPair { SuggestionPair(suggestion) }

    /// Begins the life of a suggestion.
    public init(
        _ suggestion: Suggestion, at date: Date, requester: String? = nil, companionOf: Suggestion.ID? = nil
    ) {
        self.suggestion = suggestion
        self.requester = requester
        self.companionOf = companionOf
        state = .offered(since: date)
        wasSeen = false
    }

    /// Lets an event happen. A retry after the suggestion's time is a failure.
    ///
    /// - Returns: what it says about the suggestion, in order: nothing when the person never saw it. Whoever accepts a
    ///   suggestion or turns it down has seen it, be it in a list.
    /// - Throws: ``SuggestionError`` `illegalTransition`, or `notYetExpired` when it is to expire before its time. Nothing
    ///   has changed then.
    public mutating func apply(_ event: SuggestionEvent, at date: Date) throws(SuggestionError) -> [Engagement] {
        var event = event
        if case .retry(let reason) = event, date >= suggestion.expiry { event = .fail(reason: reason) }
        let next = try state.after(event, at: date)
        if event == .expire, date < suggestion.expiry {
            throw SuggestionError(.notYetExpired, "the suggestion \(id) has not expired yet")
        }
        state = next
        if case .retry = event {
            // Taking it ended the one beside which it stood.
            companionOf = nil
            return [engagement(.failed, date)]
        }
        switch next {
        case .shown:
            wasSeen = true
            return [engagement(.shown, date)]
        case .accepted:
            defer { wasSeen = true }
            return wasSeen ? [engagement(.accepted, date)] : [engagement(.shown, date), engagement(.accepted, date)]
        case .failed: return [engagement(.failed, date)]
        case .dismissed, .muted:
            defer { wasSeen = true }
            return wasSeen ? [engagement(.dismissed, date)] : [engagement(.shown, date), engagement(.dismissed, date)]
        case .expired: return wasSeen ? [engagement(.expired, date)] : []
        case .offered, .done, .withdrawn: return []
        }
    }

    private func engagement(_ outcome: Engagement.Outcome, _ date: Date) -> Engagement {
        Engagement(
            suggestion: id, application: suggestion.application, kind: suggestion.kind, outcome: outcome, date: date,
            context: suggestion.context)
    }
}
