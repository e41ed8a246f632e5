import Coordinates
import MapLinks
import XML

/// An XML document of one kind, with its place.
protocol PlaceDocument: XMLReceiver {
    /// The place in the part read so far; `nil` if there is none.
    var place: ParsedPlace? { get }
    /// Returns the reason why there is no place.
    ///
    /// - Parameter name: the name of the file.
    func fault(in name: String) -> PlaceError
}
