internal import HunchModel

/// A question to the person where several suggestions are possible.
public enum NotificationQuestion: Sendable {
    /// Several apps can show the route, and none is known to be the one wanted.
    case whichApp
    /// The words that the person gave may mean several places. The suggestions tell them in their subtitles.
    case whichPlace(String)

    /// The first line, where it is not that of the first suggestion.
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
