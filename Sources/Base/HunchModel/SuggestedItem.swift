/// The content that a suggestion named, for the list of earlier suggestions.
public struct SuggestedItem: Hashable, Sendable, Codable {
    /// The longest title, in bytes.
    public static let titleLimit = 512

    /// The title of the suggestion.
    public var title: String
    /// The app that the content belongs to. The title is forgotten with it.
    public var application: AppID
    /// The values of the content, as in a donation. Forgetting a place or an action looks for them.
    public var parameters: [String: String]

    /// Creates an item.
    public init(title: String, application: AppID, parameters: [String: String]) {
        (self.title, self.application, self.parameters) = (title, application, parameters)
    }
}

extension Suggestion {
    /// The content that it names; `nil` if that is not kept: events, and answers to requests.
    public var item: SuggestedItem? {
        guard let trigger = context.trigger, trigger != .appointment else { return nil }
        let parameters: [String: String]? =
            switch action {
            case .play(let item, let info, _): ["item": item, "title": info.title]
            case .open(let donation): donation.parameters
            case .openDirections: donation.isEmpty ? origin?.parameters : donation
            case .remind(let reminder): reminder.place?.parameters
            // Numbers and pages are kept only where the user allowed it.
            case .save, .openPage, .call: nil
            }
        guard let parameters, !parameters.isEmpty else { return nil }
        return SuggestedItem(
            title: title.cut(toBytes: SuggestedItem.titleLimit),
            application: origin?.application ?? activityApplication ?? application, parameters: parameters)
    }
}
