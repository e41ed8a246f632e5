public import HunchModel

/// A lasting effect of dismissing a suggestion, which the person can undo.
public enum DismissalEffect: Hashable, Sendable {
    /// The app of the suggestion is muted for a number of days.
    case muted(days: Int)
    /// Hunch suggests nothing more on a device.
    case silenced(AudioDevice)

    /// The first line of the announcement.
    func summary(of suggestion: Suggestion) -> String {
        switch self {
        case .muted: Wording.muted(suggestion)
        case .silenced(let device): Wording.silenced(device)
        }
    }

    /// The second line of the announcement.
    func text(of suggestion: Suggestion) -> String {
        switch self {
        case .muted(let days): Wording.muteEnds(suggestion, days: days)
        case .silenced: Wording.silenceEnds
        }
    }

    /// The category of the notification.
    var category: String {
        switch self {
        case .muted: "x-hunch.muted"
        case .silenced: "x-hunch.silenced"
        }
    }
}
