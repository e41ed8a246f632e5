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

    /// Returns the label for taking a companion instead: its title where the word for accepting it is taken already.
    static func acceptInstead(_ companion: Suggestion, of action: Suggestion.Action) -> String {
        let word = accept(companion.action)
        return word == accept(action) ? companion.title : word
    }

    /// Returns the line that tells of a second choice to play: `or: The Daily · Podcasts`. `nil` for other companions, of which
    /// the button says enough.
    static func alternative(_ companion: Suggestion) -> String? {
        guard case .play(_, let info, _) = companion.action else { return nil }
        return "or: \(info.title) · \(companion.applicationName)"
    }

    /// What turning a suggestion down is called.
    static let notNow = "Not now"

    /// What asking for no more suggestions at a device is called.
    static let never = "Never on this device"

    /// Says that the app of a suggestion is muted.
    static func muted(_ suggestion: Suggestion) -> String { "No more suggestions of \(suggestion.applicationName)" }

    /// Says where a mute holds, which is the device that the suggestion was for if there is one, and how long.
    static func muteEnds(_ suggestion: Suggestion, days: Int) -> String {
        let moment = suggestion.readyDevice.map { "for \($0.name)" } ?? "at such moments"
        return "You turned them down several times \(moment). They may come back in \(days) days."
    }

    /// The label for ending a mute.
    static let undo = "Undo"

    /// What is asked where several apps can show the way, and none is known to be the one wanted.
    static let whichApp = "Which app?"

    /// What is said of the answer.
    static let isRemembered = "What you choose opens places like this from now on."

    /// The question where words may mean several places.
    static func whichPlace(_ words: String) -> String { "Which “\(words)” do you mean?" }

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
    static func sentence(_ phrase: String) -> String { phrase.cut(to: 1).uppercased() + phrase.dropFirst() }

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
