public import HunchModel

/// An error in applying an event to a suggestion.
public typealias SuggestionError = CodedError<SuggestionErrorSubject>

/// The subject of ``SuggestionError``.
public enum SuggestionErrorSubject {}

extension SuggestionError.Code {
    /// The suggestion does not exist or has ended.
    public static var unknownSuggestion: Self { Self(rawValue: "unknownSuggestion") }
    /// The suggestion's state does not permit the event.
    public static var illegalTransition: Self { Self(rawValue: "illegalTransition") }
    /// The suggestion has not expired yet.
    public static var notYetExpired: Self { Self(rawValue: "notYetExpired") }
}
