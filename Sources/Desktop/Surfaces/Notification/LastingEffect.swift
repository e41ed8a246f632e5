public import HunchModel
internal import Localization

/// A lasting effect of the user's answer to a suggestion, or its final failure, which a notification announces.
public enum LastingEffect: Hashable, Sendable {
    /// The app of the suggestion is muted for a number of days.
    case muted(days: Int)
    /// Hunch suggests nothing more on a device.
    case silenced(AudioDevice)
    /// A reminder is in a task list of this name.
    case kept(Reminder, list: String)
    /// The suggestion could not be carried out for this reason, and is over; see ``NotificationStage/failed(_:playsAnew:)``.
    case failed(String, playsAnew: Bool = false)

    /// The first line of the announcement.
    func summary(of suggestion: Suggestion) -> String {
        switch self {
        case .muted: Wording.muted(suggestion)
        case .silenced(let device): Wording.silenced(device)
        case .kept(let reminder, _): localized("Reminder added: %1", reminder.title)
        case .failed(_, let playsAnew): Wording.failed(suggestion, playsAnew: playsAnew)
        }
    }

    /// The second line of the announcement.
    func text(of suggestion: Suggestion) -> String {
        switch self {
        case .muted(let days): Wording.muteEnds(suggestion, days: days)
        case .silenced: Wording.silenceEnds
        case .kept(_, let list): localized("It is in your task list “%1”.", list)
        case .failed(let reason, _): Wording.sentence(reason, about: suggestion)
        }
    }

    /// Whether the user can undo it on the notification.
    var isUndoable: Bool {
        switch self {
        case .muted, .silenced: true
        case .kept, .failed: false
        }
    }

    /// The category of the notification.
    var category: String {
        switch self {
        case .muted: "x-hunch.muted"
        case .silenced: "x-hunch.silenced"
        case .kept: "x-hunch.kept"
        case .failed: "x-hunch.failed"
        }
    }
}
