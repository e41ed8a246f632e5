public import HunchModel

/// An action of the user on the now-playing card.
public enum CardEvent: Hashable, Sendable {
    /// The user pressed Play.
    case pressed(Suggestion.ID)
    /// The user cancelled the pressed suggestion before it started.
    case cancelled(Suggestion.ID)
    /// The user closed the card, which answers nothing.
    case closed(Suggestion.ID)
}

/// The result of showing the card.
public enum CardResult: Hashable, Sendable {
    /// The card is on the bus, visible to media widgets.
    case shown
    /// The suggestion has nothing to play.
    case notMedia
    /// Another program owns the card's bus name.
    case nameTaken
}
