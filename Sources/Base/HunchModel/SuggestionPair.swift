public import FoundationEssentials

/// The suggestions that repeated refusals mute together: those of one kind at one trigger, of one app or about one subject.
///
/// A suggestion about a place or an event has no app here. The ranking chose the app that would open it, so a refusal says
/// nothing about that app.
public struct SuggestionPair: Hashable, Sendable {
    /// The trigger; `nil` if the suggestion has none.
    public var trigger: Trigger?
    /// The desktop identifier of the app, without `.desktop`; empty if there is a subject.
    public var application: AppID
    /// The kind of suggestion.
    public var kind: Suggestion.Kind
    /// The place or the event; `nil` if the suggestions are those of an app.
    public var subject: SuggestionSubject?

    /// Creates a pair. With a subject, the app does not count.
    public init(
        trigger: Trigger?, application: AppID, kind: Suggestion.Kind = .media, subject: SuggestionSubject? = nil
    ) {
        self.trigger = trigger
        self.application = subject == nil ? application : ""
        self.kind = kind
        self.subject = subject
    }

    /// Creates the pair of a suggestion.
    public init(_ suggestion: Suggestion) {
        self.init(
            trigger: suggestion.context.trigger, application: suggestion.application, kind: suggestion.kind,
            subject: suggestion.subject)
    }

    /// Creates the pair of an engagement.
    public init(_ engagement: Engagement) {
        self.init(
            trigger: engagement.context.trigger, application: engagement.application, kind: engagement.kind,
            subject: engagement.subject)
    }
}

/// A pair that is not suggested, because the user dismissed it too often.
public struct MutedPair: Hashable, Sendable {
    /// The muted pair.
    public var pair: SuggestionPair
    /// The date from which the pair is muted.
    public var date: Date

    /// The trigger; `nil` for suggestions without one.
    public var trigger: Trigger? { pair.trigger }
    /// The desktop identifier of the app, without `.desktop`; empty if there is a subject.
    public var application: AppID { pair.application }

    /// Creates a muted pair.
    public init(_ pair: SuggestionPair, date: Date) {
        self.pair = pair
        self.date = date
    }

    /// Creates a muted pair of an app.
    public init(trigger: Trigger?, application: AppID, kind: Suggestion.Kind = .media, date: Date) {
        self.init(SuggestionPair(trigger: trigger, application: application, kind: kind), date: date)
    }
}
