internal import HunchModel

/// Every word that a surface shows and that is not part of a suggestion.
enum Wording {
    /// Who makes the suggestion.
    static let agentName = "Hunch"

    /// What accepting a suggestion is called.
    static func accept(_ action: Suggestion.Action) -> String {
        switch action {
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
