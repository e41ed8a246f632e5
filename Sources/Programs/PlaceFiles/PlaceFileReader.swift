public import Coordinates
public import HunchModel
internal import Localization
public import MapLinks
public import Places

/// Reads the place in a file: GPX, KML and KMZ, vCard and iCalendar, photos, web pages, mails, passes, and text.
///
/// ```swift
/// let place = try PlaceFileReader().place(in: FileBytes(path: "hut.gpx"))
/// place.rule   // "gpx"
/// ```
///
/// The first bytes determine the format. A plain text is refused if its name claims another format, as `hut.gpx` does.
public struct PlaceFileReader: Sendable {
    private static let headLength = 512

    private let parser: PlaceParser

    /// Creates a reader.
    ///
    /// - Parameter parser: the parser of contacts, events and other texts.
    public init(parser: PlaceParser = PlaceParser()) { self.parser = parser }

    /// Returns the place in a file.
    ///
    /// - Throws: ``PlaceError``: `noPosition` if the file holds none, `malformed` if it is damaged, `unknownFormat`,
    ///   `tooLong`, `unreadable`, and the parser's errors for text. Every message names the file.
    public func place(in file: FileBytes) throws(PlaceError) -> ParsedPlace {
        do throws(PlaceError) {
            return try read(file)
        } catch  where file.isCut && error.code != .unsupportedDatum {
            throw PlaceError(
                .tooLong,
                localized(
                    "%1 has no position in its first %2 MiB; give the file by its path", file.name,
                    FileBytes.maximumPipe >> 20),
                underlying: error)
        }
    }

    private func read(_ file: FileBytes) throws(PlaceError) -> ParsedPlace {
        let head = try file.bytes(0, Self.headLength)
        guard !head.isEmpty else {
            throw PlaceError(.noPosition, localized("%1 is empty; give a file with a place", file.name))
        }
        switch PlaceFileFormat.recognised(in: head) {
        case .format(.xml): return try Self.document(in: file)
        case .format(.zip):
            if let place = try PageFile.place(inPass: file) { return place }
            return try KMZArchive.place(in: file)
        case .format(.card): return try text(of: file)
        case .format(let format):
            guard let place = try Photo.place(in: file, format) else {
                throw PlaceError(
                    .noPosition,
                    localized("%1 has no position; give another photo, coordinates or an address", file.name))
            }
            return place
        case .other, .undecided:
            if ItineraryExtractor.isPDF(head) { return try PageFile.place(inPDF: file) }
            let first = head.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
            if first == UInt8(ascii: "<") { return try Self.document(in: file) }
            if let message = Self.mismatch(ofName: file.name) { throw PlaceError(.unknownFormat, message) }
            if let place = try PageFile.place(inMail: file) { return place }
            let place = try text(of: file)
            // Without a tag or a header field, such a file is a text.
            let isPage = ["html", "htm", "xhtml", "eml"].contains(Self.fileNameExtension(file.name))
            guard !isPage || !PageFile.isInWords(place) else { throw PageFile.noPlace(in: file) }
            return place
        }
    }

    /// Returns the message for a file that is not of the format that its extension claims; `nil` for the extensions of
    /// texts and for unknown ones.
    private static func mismatch(ofName name: String) -> String? {
        switch fileNameExtension(name) {
        case "gpx": localized("%1 is not a GPX file, despite its name; export it again from the app that made it", name)
        case "kml": localized("%1 is not a KML file, despite its name; export it again from the app that made it", name)
        case "kmz": localized("%1 is not a KMZ file, despite its name; export it again from the app that made it", name)
        case "vcf", "vcard":
            localized("%1 is not a contact, despite its name; export it again from the app that made it", name)
        case "ics": localized("%1 is not an event, despite its name; export it again from the app that made it", name)
        case "jpg", "jpeg", "jpe", "heic", "heif", "avif", "png", "webp", "tif", "tiff", "dng":
            localized("%1 is not a photo, despite its name; export it again from the app that made it", name)
        case "pkpass": localized("%1 is not a pass, despite its name; export it again from the app that made it", name)
        case "pdf": localized("%1 is not a PDF file, despite its name; export it again from the app that made it", name)
        default: nil
        }
    }

    /// Returns the extension of a file name in lower case; empty for none.
    private static func fileNameExtension(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    private static func document(in file: FileBytes) throws(PlaceError) -> ParsedPlace {
        var isPage = ["html", "htm", "xhtml"].contains(fileNameExtension(file.name))
        if !isPage { isPage = try PageFile.isPage(file) }
        if isPage { return try PageFile.place(inPage: file) }
        var offset = 0
        return try GeographicDocument.place(named: file.name) { (count) throws(PlaceError) in
            let bytes = try file.bytes(offset, count)
            offset += bytes.count
            return bytes
        }
    }

    /// Returns the place in a contact, an event or a plain text.
    private func text(of file: FileBytes) throws(PlaceError) -> ParsedPlace {
        let text = try file.text()
        do {
            return try parser.parse(text)
        } catch {
            throw PlaceError(error.code, localized("%1: %2", file.name, error.message), underlying: error)
        }
    }
}
