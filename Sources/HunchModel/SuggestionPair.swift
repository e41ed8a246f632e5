public import FoundationEssentials

/// A trigger and an app, which repeated dismissals mute together.
public struct SuggestionPair: Hashable, Sendable {
    /// The trigger; `nil` if the suggestion has none.
    public var trigger: Trigger?
    /// The desktop identifier of the app, without `.desktop`.
    public var application: AppID

    /// Creates a pair.
    public init(trigger: Trigger?, application: AppID) {
        self.trigger = trigger
        self.application = application
    }

    /// Creates the pair of a suggestion.
    public init(_ suggestion: Suggestion) {
        self.init(trigger: suggestion.context.trigger, application: suggestion.application)
    }

    /// Creates the pair of an engagement.
    public init(_ engagement: Engagement) {
        self.init(trigger: engagement.context.trigger, application: engagement.application)
    }
}

/// An app that is not suggested after a trigger, because the person dismissed it too often.
public struct MutedPair: Hashable, Sendable {
    /// The trigger; `nil` for suggestions without one.
    public var trigger: Trigger?
    /// The desktop identifier of the app, without `.desktop`.
    public var application: AppID
    /// The date from which the pair is muted.
    public var date: Date

    /// Creates a muted pair.
    public init(trigger: Trigger?, application: AppID, date: Date) {
        self.trigger = trigger
        self.application = application
        self.date = date
    }

    /// The trigger and the app.
    public var pair: SuggestionPair { SuggestionPair(trigger: trigger, application: application) }
}
