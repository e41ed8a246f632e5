import XML
import HunchModel
import Places

/// An XML document whose kind is given by its root element.
final class GeographicDocument: XMLReceiver {
    /// The maximum size of a document, in bytes.
    static let maximumLength = 16 << 20

    private var document: (any PlaceDocument)?
    /// The name of an unknown root element.
    private(set) var foreignRoot: String?

    var isDone: Bool { foreignRoot != nil || document?.isDone ?? false }
    var place: ParsedPlace? { document?.place }
    var fault: PlaceError? { document?.fault }

    func start(_ element: XMLElement, in path: [String]) -> Int {
        if path.isEmpty {
            switch element.name {
            case "gpx": document = GPXDocument()
            case "kml": document = KMLDocument()
            default: foreignRoot = element.name
            }
        }
        return document?.start(element, in: path) ?? 0
    }

    func end(_ element: XMLText, in path: [String]) { document?.end(element, in: path) }

    /// Returns the place in a document.
    ///
    /// - Parameter read: returns the next bytes, at most the given number; none at the end.
    /// - Throws: ``PlaceError``.
    static func place(
        named name: String, _ read: (Int) throws(PlaceError) -> [UInt8]
    ) throws(PlaceError) -> ParsedPlace {
        let document = GeographicDocument()
        let outcome = try XMLScanner.scan(name, limit: maximumLength, into: document, read)
        // A truncated recording still has the place that precedes the fault.
        if let place = document.place { return place }
        if case .faulty(let fault) = outcome { throw PlaceError(.malformed, fault) }
        if let root = document.foreignRoot {
            throw PlaceError(
                .unknownFormat, "\(name) is XML of another kind (“\(root.cut(to: 40))”); give GPX or KML")
        }
        if case .tooLong = outcome {
            throw PlaceError(
                .tooLong, "\(name) has no position in its first \(maximumLength >> 20) MiB; give a smaller file")
        }
        let fault = document.fault ?? PlaceError(.noPosition, "has no position; give GPX or KML")
        throw PlaceError(fault.code, "\(name) \(fault.message)")
    }
}
