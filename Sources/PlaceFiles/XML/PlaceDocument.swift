import XML
import Places

/// An XML document of one kind, with its place.
protocol PlaceDocument: XMLReceiver {
    /// The place in the part read so far; `nil` if there is none.
    var place: ParsedPlace? { get }
    /// The reason why there is no place, without the file's name.
    var fault: PlaceError { get }
}
