public import HunchModel

/// The answer of `org.hunch.Directions1.RecentPlaces`.
public struct RecentPlaces: Hashable, Sendable {
    /// Whether the user lets an app know the places.
    public enum Access: String, Hashable, Sendable {
        /// The user allowed it.
        case allowed
        /// The user does not want it.
        case denied
        /// The user was just asked. The signal `RecentPlacesDecided` reports the answer.
        case asked
        /// The user has not decided, and was not asked now.
        case unasked
    }

    /// Whether the user lets the app know the places.
    public var access: Access
    /// The places, newest first; empty unless the app is allowed.
    public var places: [MapItem]

    /// Creates an answer.
    public init(_ access: Access, places: [MapItem] = []) { (self.access, self.places) = (access, places) }
}
