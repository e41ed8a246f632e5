internal import HunchModel

/// All texts that surfaces show and that are not part of a suggestion.
enum Wording {
    /// The name of the sender.
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

    /// Returns the label of the button that accepts a companion: its title if the usual word is already in use.
    static func acceptInstead(_ companion: Suggestion, of action: Suggestion.Action) -> String {
        let word = accept(companion.action)
        return word == accept(action) ? companion.title : word
    }

    /// Returns the line about a companion to play: `or: The Daily · Podcasts`. `nil` for other companions.
    static func alternative(_ companion: Suggestion) -> String? {
        guard case .play(_, let info, _) = companion.action else { return nil }
        return "or: \(info.title) · \(companion.applicationName)"
    }

    /// The label for dismissing a suggestion.
    static let notNow = "Not now"

    /// The label for ending all suggestions on a device.
    static let never = "Never on this device"

    /// Returns the title that announces a mute.
    static func muted(_ suggestion: Suggestion) -> String { "No more suggestions of \(suggestion.applicationName)" }

    /// Returns the sentence that states the device of a mute, if it has one, and its duration.
    static func muteEnds(_ suggestion: Suggestion, days: Int) -> String {
        let moment = suggestion.readyDevice.map { "for \($0.name)" } ?? "at such moments"
        return "You turned them down several times \(moment). They may come back in \(days) days."
    }

    /// The label for undoing a mute.
    static let undo = "Undo"

    /// The label for opening the window with the settings.
    static let settings = "Settings"

    /// The question that asks for the app to show a route.
    static let whichApp = "Which app?"

    /// The explanation that the answer is remembered.
    static let isRemembered = "Hunch will open places like this with your choice from now on."

    /// Returns the question that asks for the place that ambiguous words mean.
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
            suggestion.application.isEmpty ? [] : ["\(suggestion.applicationName) was asked, but has not started yet"]
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

    /// Returns a phrase with its first letter in upper case.
    static func sentence(_ phrase: String) -> String { phrase.cut(to: 1).uppercased() + phrase.dropFirst() }

    /// Returns the title for a suggestion whose own title is empty.
    static func title(_ action: Suggestion.Action) -> String {
        switch action {
        case .play: "Something to play"
        case .openDirections: "Directions"
        case .call: "A call"
        case .open: "Something to open"
        }
    }
}
