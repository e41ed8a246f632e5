/// The kinds of places that name a coordinate.
public enum PlaceLevel: String, Hashable, Sendable, CaseIterable {
    /// The nearest of all.
    case any
    /// Houses and streets.
    case address
    /// Towns, their parts and other places with a name of their own.
    case place
}
