public import AgentInterface
public import HunchModel

/// A search for content of apps, with what it found.
public struct ContentSearch: Hashable, Sendable {
    /// The text that the user searches for; empty for no search.
    public var text = ""
    /// The items, the best first; `nil` until they are known.
    public var items: [FoundItem]?
    /// Whether the search waits until the search index is written.
    public var isWaiting = false
    /// The apps that have the items and continue searches.
    public var continuing: Set<AppID> = []

    /// Creates a search.
    public init(_ text: String = "") { self.text = text }
}
