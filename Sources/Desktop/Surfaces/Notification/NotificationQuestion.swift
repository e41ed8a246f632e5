internal import HunchModel

/// A question that asks the user to choose between suggestions.
public enum NotificationQuestion: Sendable {
    /// Several apps can show the route, and the preferred one is unknown.
    case whichApp
    /// The user's words are ambiguous. The subtitles of the suggestions tell the places apart.
    case whichPlace(String)

    /// The first line; `nil` for that of the first suggestion.
    var summary: String? { if case .whichPlace(let words) = self { Wording.whichPlace(words) } else { nil } }

    /// The further lines.
    var lines: [String] {
        switch self {
        case .whichApp: [Wording.whichApp, Wording.isRemembered]
        case .whichPlace: []
        }
    }

    /// The label of the button that chooses a suggestion.
    func label(of suggestion: Suggestion) -> String {
        switch self {
        case .whichApp: suggestion.applicationName
        case .whichPlace: suggestion.subtitle
        }
    }
}
