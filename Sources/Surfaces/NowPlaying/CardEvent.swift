public import HunchModel

/// What the person did with the now-playing card.
public enum CardEvent: Hashable, Sendable {
    /// The person wants what it offers.
    case pressed(Suggestion.ID)
    /// The person no longer wants what was pressed and has not begun yet.
    case cancelled(Suggestion.ID)
    /// The person put it away.
    case dismissed(Suggestion.ID)
}

/// What became of the attempt to show the card.
public enum CardResult: Hashable, Sendable {
    /// Media widgets can see it.
    case shown
    /// The suggestion offers nothing to play.
    case notMedia
    /// Another program has the card's name.
    case nameTaken
}
