public import HunchModel

/// A trigger and an app: what the person mutes by turning it down again and again.
public struct SuggestionPair: Hashable, Sendable {
    /// The trigger; `nil` for suggestions without one.
    public var trigger: Trigger?
    /// Desktop identifier of the app, without `.desktop`.
    public var application: String

    /// Makes a pair.
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
