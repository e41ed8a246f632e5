internal import AgentInterface
internal import HunchModel
internal import Prediction

/// A result in the desktop's own search.
struct SearchResult: Sendable {
    /// The content of a result. Each kind is chosen differently.
    enum Content: Sendable {
        /// Opens an item of an app.
        case item(FoundItem)
        /// Opens directions to a place.
        case place(MapItem)
        /// Does what the person often does.
        case action(ActionHabits.Choice)
    }

    /// The identifier, which the desktop returns. The same content always has the same one.
    let id: String
    let title: String
    /// The line beside or below the title.
    let detail: String
    /// The name of an icon in the theme, or the path of a picture.
    let icon: String
    let content: Content
}
