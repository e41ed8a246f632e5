/// The kinds of places to search for near a coordinate.
public enum PlaceLevel: String, Hashable, Sendable, CaseIterable {
    /// All kinds.
    case any
    /// Houses and streets.
    case address
    /// Towns, their parts and other places with a name.
    case place
}
