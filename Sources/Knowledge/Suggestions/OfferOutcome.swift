public import HunchModel

/// The result of offering a suggestion.
public enum OfferOutcome: Hashable, Sendable {
    /// The suggestion may be shown now. The effects withdraw the previous one.
    case offered([SuggestionEffect])
    /// The suggestion is not offered, for this reason.
    case held(Hold)
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
