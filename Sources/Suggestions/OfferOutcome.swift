public import FoundationEssentials
public import HunchModel

/// The result of offering a suggestion.
public enum OfferOutcome: Hashable, Sendable {
    /// The suggestion may be shown now. The effects withdraw the previous one.
    case offered([SuggestionEffect])
    /// The suggestion is not offered, for this reason.
    case held(OfferHold)
}

/// A reason not to offer a suggestion.
public enum OfferHold: Hashable, Sendable, CustomStringConvertible {
    /// The person muted the pair, or dismissed it too often.
    case muted(SuggestionPair)
    /// Suggestions and recording are paused until this date.
    case paused(until: Date)
    /// The hourly limit is reached until this date.
    case tooMany(until: Date)
    /// The chance that the person accepts the suggestion, 0…1, is too low.
    case unlikely(chance: Double)
    /// A suggestion with at least the same score was offered just now.
    case betterOneStands(Suggestion.ID)
    /// Another suggestion is being carried out.
    case beingCarriedOut(Suggestion.ID)
    /// The suggestion has expired.
    case expired
    /// Another suggestion has the same identifier.
    case identifierTaken

    /// The reason as one sentence for a person.
    public var description: String {
        switch self {
        case .muted(let pair):
            pair.trigger.map { "\(pair.application) is muted for \($0)" } ?? "\(pair.application) is muted"
        case .paused: "Hunch is paused"
        case .tooMany: "enough was suggested within the last hour"
        case .unlikely(let chance): "it is not likely enough to be wanted (\(Int(clamping: chance * 100)) %)"
        case .betterOneStands: "something likelier is suggested"
        case .beingCarriedOut: "another suggestion is being carried out"
        case .expired: "its time has passed"
        case .identifierTaken: "its identifier is taken"
        }
    }
}

/// An effect that the caller must carry out after a change of the board.
public enum SuggestionEffect: Hashable, Sendable {
    /// A suggestion changed its state. If the new state is final, the board no longer contains the suggestion.
    case changed(SuggestionLife)
    /// An engagement to record.
    case engaged(Engagement)
    /// A pair that is muted from now on, to be stored.
    case muted(MutedPair)
}
