internal import Localization

/// A question that asks the user whether an app may read the places that the user looked at in other apps.
public struct PermissionQuestion: Sendable {
    /// The desktop identifier of the app, which events have as their suggestion.
    public let id: String
    /// The name of the app for people.
    public let name: String

    /// Creates a question.
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }

    /// The first line.
    var summary: String { localized("Show %1 the places you looked at?", DisplayText(name, limit: 40).text) }

    /// The second line.
    var text: String {
        localized(
            "It can then suggest them when you enter an address. You can change this on the page “Apps” of Hunch.")
    }

    /// The labels of the buttons, in the order of the choices.
    var answers: [String] { [localizedIn("button", "Allow"), localizedIn("button", "Don't allow")] }
}
