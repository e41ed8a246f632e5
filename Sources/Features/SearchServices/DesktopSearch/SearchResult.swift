internal import Agent
internal import HunchModel
internal import Prediction

/// A result in the desktop's own search.
struct SearchResult: Sendable {
    /// The content of a result. Each kind is chosen differently.
    enum Content: Sendable {
        /// Opens an item of an app.
        case item(id: String, of: AppID, index: String)
        /// Opens directions to a place.
        case place(MapItem)
        /// Does what the user often does.
        case action(ActionHabits.Choice)
    }

    /// The identifier, which the desktop returns. The same content always has the same one.
    let id: String
    let title: String
    /// The line next to or below the title.
    let detail: String
    /// The name of an icon in the theme, or the path of a picture.
    let icon: String
    let content: Content

    /// - Parameter parts: the properties that distinguish the content from others of its kind.
    init(
        _ kind: String, _ parts: [String], title: String, detail: String, icon: String, content: Content
    ) {
        // Parts may contain any other character.
        id = ([kind] + parts).joined(separator: "\u{1F}")
        (self.title, self.detail, self.icon, self.content) = (title, detail, icon, content)
    }
}
