public import HunchModel

/// Why something cannot happen to a suggestion.
public typealias SuggestionError = CodedError<SuggestionErrorSubject>

/// What ``SuggestionError`` is about.
public enum SuggestionErrorSubject {}

extension SuggestionError.Code {
    /// There is no such suggestion, or it is over.
    public static var unknownSuggestion: Self { Self(rawValue: "unknownSuggestion") }
    /// The suggestion is in a state in which that cannot happen to it.
    public static var illegalTransition: Self { Self(rawValue: "illegalTransition") }
    /// The suggestion's time has not passed yet.
    public static var notYetExpired: Self { Self(rawValue: "notYetExpired") }
}
