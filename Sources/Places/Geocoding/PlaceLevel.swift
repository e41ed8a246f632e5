/// The kinds of places that name a coordinate.
public enum PlaceLevel: String, Hashable, Sendable, CaseIterable {
    /// The nearest place of any kind.
    case any
    /// Houses and streets.
    case address
    /// Towns, their parts and other places with a name.
    case place
}
