public import HunchModel

/// A trigger and an app, which repeated dismissals mute together.
public struct SuggestionPair: Hashable, Sendable {
    /// The trigger; `nil` if the suggestion has none.
    public var trigger: Trigger?
    /// The desktop identifier of the app, without `.desktop`.
    public var application: String

    /// Creates a pair.
    public init(trigger: Trigger?, application: String) {
        self.trigger = trigger
        self.application = application
    }

    init(_ suggestion: Suggestion) {
        self.init(trigger: suggestion.context.trigger, application: suggestion.application)
    }

    init(_ engagement: Engagement) {
        self.init(trigger: engagement.context.trigger, application: engagement.application)
    }
}
