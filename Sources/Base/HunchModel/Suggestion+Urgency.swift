extension Suggestion.Kind {
    /// Whether a suggestion of this kind after a trigger is urgent: to join the call of an appointment, or to leave for its
    /// place. Later it is of no use, so no limit on suggestions and no answer to another
    /// event holds it.
    public func isUrgent(after trigger: Trigger?) -> Bool {
        trigger == .appointment && (self == .meeting || self == .directions)
    }
}

extension Suggestion {
    /// Whether the suggestion is urgent; see ``Kind/isUrgent(after:)``.
    public var isUrgent: Bool { kind.isUrgent(after: context.trigger) }
}

extension Engagement {
    /// Whether the suggestion was urgent; see ``Suggestion/Kind/isUrgent(after:)``.
    public var isUrgent: Bool { kind.isUrgent(after: context.trigger) }
}
