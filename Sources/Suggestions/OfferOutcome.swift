public import FoundationEssentials
public import HunchModel

/// What came of offering a suggestion.
public enum OfferOutcome: Hashable, Sendable {
    /// It may be shown now. What stood before was withdrawn, as the effects say.
    case offered([SuggestionEffect])
    /// It is not offered.
    case held(OfferHold)
}

/// Why a suggestion is not offered.
public enum OfferHold: Hashable, Sendable, CustomStringConvertible {
    /// The person muted its pair, or turned it down too often.
    case muted(SuggestionPair)
    /// The person wants nothing to be suggested or recorded until then.
    case paused(until: Date)
    /// Enough was shown within an hour; from then on there is room again.
    case tooMany(until: Date)
    /// How likely it is to be taken, 0…1, is not enough.
    case unlikely(chance: Double)
    /// One that is at least as likely stands for the same moment.
    case betterOneStands(Suggestion.ID)
    /// Another one is being carried out.
    case beingCarriedOut(Suggestion.ID)
    /// Its time has passed.
    case expired
    /// Its identifier is taken.
    case identifierTaken

    /// One sentence for a person.
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

/// What is to be done, or told, after something happened to suggestions.
public enum SuggestionEffect: Hashable, Sendable {
    /// The suggestion is in another state. When that is the last one, it is gone from the board.
    case changed(SuggestionLife)
    /// This is to be recorded.
    case engaged(Engagement)
    /// The pair is muted from now on; this is to be kept.
    case muted(SuggestionPair)
}
