import Coordinates
import HTML
import HunchModel
import Localization
import MapLinks
import XML

/// An XML document whose kind is given by its root element.
final class GeographicDocument: XMLReceiver {
    /// The maximum size of a document, in bytes.
    static let maximumLength = 16 << 20

    private var document: (any PlaceDocument)?
    /// The name of an unknown root element.
    private(set) var foreignRoot: String?

    var isDone: Bool { foreignRoot != nil || document?.isDone ?? false }
    var place: ParsedPlace? { document?.place }
    /// The links of a KML document to files next to it.
    var localLinks: [String] { (document as? KMLDocument)?.links.filter(KMLDocument.isLocal) ?? [] }

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

    func text(ofEntity name: String) -> String? { CharacterReferences.text(of: name) }

    /// Returns the place in a document.
    ///
    /// - Parameter read: returns the next bytes, at most the given number; none at the end.
    /// - Throws: ``PlaceError``.
    static func place(
        named name: String, _ read: (Int) throws(PlaceError) -> [UInt8]
    ) throws(PlaceError) -> ParsedPlace {
        try self.read(named: name, read).place.get()
    }

    /// Reads a document.
    ///
    /// - Parameter read: returns the next bytes, at most the given number; none at the end.
    /// - Returns: the place or the reason why there is none, and the links to files next to the document.
    static func read(
        named name: String, _ read: (Int) throws(PlaceError) -> [UInt8]
    ) throws(PlaceError) -> (place: Result<ParsedPlace, PlaceError>, localLinks: [String]) {
        let document = GeographicDocument()
        let outcome = try XMLScanner.scan(name, limit: maximumLength, into: document, read)
        // A truncated recording still has the place that precedes the fault.
        if let place = document.place { return (.success(place), []) }
        return (.failure(document.fault(outcome, in: name)), document.localLinks)
    }

    private func fault(_ outcome: XMLScanner.Outcome, in name: String) -> PlaceError {
        if case .faulty(let fault) = outcome { return PlaceError(.malformed, fault) }
        if let root = foreignRoot {
            return PlaceError(
                .unknownFormat, localized("%1 is XML of another kind (“%2”); give GPX or KML", name, root.cut(to: 40)))
        }
        if case .tooLong = outcome {
            return PlaceError(
                .tooLong,
                localized("%1 has no position in its first %2 MiB; give a smaller file", name, Self.maximumLength >> 20)
            )
        }
        return document?.fault(in: name)
            ?? PlaceError(.noPosition, localized("%1 has no position; give GPX or KML", name))
    }
}
