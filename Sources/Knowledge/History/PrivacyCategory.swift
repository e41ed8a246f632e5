public import HunchModel

/// The data that is recorded or read only if the user allows it: kinds of donations, the location and the calendars.
public enum PrivacyCategory: String, CaseIterable, Hashable, Sendable {
    /// Messages that were sent.
    case messages
    /// Calls that were made.
    case calls
    /// The location. Before it is allowed, no service is asked for it.
    case location
    /// The calendars and reservations. Before it is allowed, no calendar is read.
    case calendar
    /// Documents that were opened, from the desktop's list of recent files.
    case files
    /// Apps that were launched.
    case apps

    /// The kinds of donations and suggestions that belong to the category.
    public var kinds: Set<Donation.Kind> {
        switch self {
        // Suggestions of this kind are stored under a name of their own.
        case .messages: [.sendMessage, Donation.Kind(rawValue: Suggestion.Kind(.sendMessage).rawValue)]
        case .calls: [.startCall, Donation.Kind(rawValue: Suggestion.Kind(.startCall).rawValue)]
        case .apps: [.openApp]
        // Apps may donate opened items by themselves.
        case .location, .calendar, .files: []
        }
    }

    /// The category of a kind, by its word; `nil` for a kind that is always recorded.
    static func category(ofKind kind: String) -> PrivacyCategory? {
        allCases.first { $0.kinds.contains(Donation.Kind(rawValue: kind)) }
    }
}
