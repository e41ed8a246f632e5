import Places

/// A document in XML of one kind, and the place in it.
protocol PlaceDocument: XMLReceiver {
    /// The place as far as the document was read; `nil` when there is none.
    var place: ParsedPlace? { get }
    /// The reason for which there is no place, with the file's name to be put before it.
    var fault: PlaceError { get }
}
