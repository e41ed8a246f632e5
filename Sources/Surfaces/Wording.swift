internal import HunchModel

/// Every word that a surface shows and that is not part of a suggestion.
enum Wording {
    /// Who makes the suggestion.
    static let agentName = "Hunch"

    /// The label of the button that accepts a suggestion.
    static func accept(_ action: Suggestion.Action, _ stage: NotificationStage = .offered) -> String {
        if case .failed = stage { return "Try again" }
        return switch action {
        case .play: "Play"
        case .openDirections, .open: "Open"
        case .call: "Call"
        }
    }

    /// What turning a suggestion down is called.
    static let notNow = "Not now"

    /// What asking for no more suggestions at a device is called.
    static let never = "Never on this device"

    /// What is asked where several apps can show the way, and none is known to be the one wanted.
    static let whichApp = "Which app?"

    /// What is said of the answer.
    static let isRemembered = "What you choose opens places like this from now on."

    /// The first line of a notification.
    static func summary(_ suggestion: Suggestion, _ stage: NotificationStage) -> String {
        switch stage {
        case .offered: suggestion.title
        case .starting:
            suggestion.application.isEmpty ? "Starting" : "Starting \(suggestion.applicationName)"
        case .failed: failed(suggestion.action)
        }
    }

    /// The further lines of a notification.
    static func lines(_ suggestion: Suggestion, _ stage: NotificationStage) -> [String] {
        switch stage {
        case .offered: [suggestion.subtitle, sentence(suggestion.explanation.texts.first ?? suggestion.source)]
        case .starting:
            suggestion.application.isEmpty ? [] : ["\(suggestion.applicationName) was asked, and has not begun yet"]
        case .failed(let reason): [reason]
        }
    }

    private static func failed(_ action: Suggestion.Action) -> String {
        switch action {
        case .play(_, let info, _): info.title.isEmpty ? "It does not play" : "“\(info.title)” does not play"
        case .openDirections, .open: "It could not be opened"
        case .call: "The call could not be made"
        }
    }

    /// A phrase with a capital at its beginning.
    static func sentence(_ phrase: String) -> String { phrase.prefix(1).uppercased() + phrase.dropFirst() }

    /// What stands for a text that has nothing to show.
    static func title(_ action: Suggestion.Action) -> String {
        switch action {
        case .play: "Something to play"
        case .openDirections: "Directions"
        case .call: "A call"
        case .open: "Something to open"
        }
    }
}
