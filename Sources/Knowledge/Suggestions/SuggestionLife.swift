public import FoundationEssentials
public import HunchModel

/// A suggestion with its state.
public struct SuggestionLife: Hashable, Sendable, Identifiable {
    /// The suggestion.
    public private(set) var suggestion: Suggestion
    /// The current state of the suggestion.
    public private(set) var state: SuggestionState
    /// Whether the user saw the suggestion. Unseen suggestions never count against their app.
    public private(set) var wasSeen: Bool
    /// The caller that requested the suggestion and whose limit it counts towards; `nil` for an uninvited suggestion.
    public let requester: String?
    /// The suggestion of which this one is the companion; `nil` if it is not a companion.
    public private(set) var companionOf: Suggestion.ID?

    /// Whether a caller requested the suggestion, so that it does not count towards the hourly limit.
    public var wasRequested: Bool { requester != nil }
    /// The suggestion's identifier.
    public var id: Suggestion.ID { suggestion.id }
    /// The pair that repeated dismissals mute.
    public var pair: SuggestionPair { SuggestionPair(suggestion) }

    /// Creates the life of a suggestion that is offered from a date.
    public init(
        _ suggestion: Suggestion, at date: Date, requester: String? = nil, companionOf: Suggestion.ID? = nil
    ) {
        self.suggestion = suggestion
        self.requester = requester
        self.companionOf = companionOf
        state = .offered(since: date)
        wasSeen = false
    }

    /// Replaces the content of the suggestion, which keeps its state.
    mutating func revise(_ suggestion: Suggestion) { self.suggestion = suggestion }

    /// Applies an event. A retry after the suggestion's expiry counts as a failure.
    ///
    /// - Returns: the resulting engagements, in order; none if the user never saw the suggestion. Accepting or
    ///   dismissing implies that the user saw it, perhaps in a list.
    /// - Throws: ``SuggestionError`` `illegalTransition`, or `notYetExpired` before its expiry. Nothing changes then.
    public mutating func apply(_ event: SuggestionEvent, at date: Date) throws(SuggestionError) -> [Engagement] {
        var event = event
        if case .retry(let reason) = event, date >= suggestion.expiry { event = .fail(reason: reason) }
        let next = try state.after(event, at: date)
        if event == .expire, date < suggestion.expiry {
            throw SuggestionError(.notYetExpired, "the suggestion \(id) has not expired yet")
        }
        state = next
        if case .retry = event {
            // Accepting this companion has ended its suggestion.
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
        case .dismissed:
            defer { wasSeen = true }
            return wasSeen ? [engagement(.dismissed, date)] : [engagement(.shown, date), engagement(.dismissed, date)]
        case .expired: return wasSeen ? [engagement(event == .close ? .closed : .expired, date)] : []
        case .withdrawn: return wasSeen ? [engagement(.withdrawn, date)] : []
        case .replaced: return wasSeen ? [engagement(.replaced, date)] : []
        case .offered, .done: return []
        }
    }

    private func engagement(_ outcome: Engagement.Outcome, _ date: Date) -> Engagement {
        Engagement(
            suggestion: id, application: suggestion.application, kind: suggestion.kind, outcome: outcome, date: date,
            context: suggestion.context, subject: suggestion.subject, wasRequested: wasRequested)
    }
}
