internal import TextEncodings
import Coordinates
import Glibc
import HunchModel
import Localization
import MapLinks
import Markup
import Places

/// The place that a web page, a mail, a pass or a ticket is about, by its structured data.
enum PageFile {
    /// The tags with which pages begin.
    private static let beginnings = ["<!doctype html", "<html", "<head", "<title", "<meta", "<body", "<script", "<div"]

    /// The maximum size of what precedes the first tag: comments and declarations, in bytes.
    private static let longestPreamble = 4_096

    /// Returns whether a file is a web page, by its first tag.
    ///
    /// - Throws: ``PlaceError`` with `unreadable`.
    static func isPage(_ file: FileBytes) throws(PlaceError) -> Bool {
        let head = try file.bytes(0, longestPreamble)
        var rest = String(decoding: TextEncoding.utf8(head, labelled: ""), as: UTF8.self).lowercased()[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let end = rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<?") ? ">" : nil
            guard let end, let range = rest.firstRange(of: end) else { break }
            rest = rest[range.upperBound...]
        }
        return beginnings.contains { rest.hasPrefix($0) }
    }

    /// Returns the place in a web page.
    ///
    /// - Throws: ``PlaceError``: `noPosition` if it is about no place, `unreadable`.
    static func place(inPage file: FileBytes) throws(PlaceError) -> ParsedPlace {
        try place(in: Markup(page: try file.bytes(0, Markup.maximumSize), address: nil), of: file)
    }

    /// Returns the place in a mail; `nil` if the file is not a mail.
    ///
    /// - Throws: like ``place(inPage:)``.
    static func place(inMail file: FileBytes) throws(PlaceError) -> ParsedPlace? {
        let bytes = try file.bytes(0, Markup.maximumSize)
        guard Markup.isMail(bytes) else { return nil }
        return try place(in: Markup(mail: bytes, unpack: PassArchive.pass), of: file)
    }

    /// Returns the place in a pass; `nil` if the archive is not a pass.
    ///
    /// - Throws: like ``place(inPage:)``.
    static func place(inPass file: FileBytes) throws(PlaceError) -> ParsedPlace? {
        guard file.count <= Markup.maximumSize else { return nil }
        guard let pass = PassArchive.pass(in: try file.bytes(0, file.count)) else { return nil }
        return try place(in: Markup(pass: pass), of: file)
    }

    /// Returns the place of a ticket in a PDF file.
    ///
    /// - Throws: like ``place(inPage:)``, and as ``ItineraryExtractor/page(inPDF:named:search:)``.
    static func place(inPDF file: FileBytes) throws(PlaceError) -> ParsedPlace {
        let search = getenv("PATH").map { String(cString: $0) } ?? ""
        guard let path = file.path else {
            throw PlaceError(.unreadable, localized("%1 is a PDF file; give it by its path", file.name))
        }
        return try place(in: ItineraryExtractor.page(inPDF: path, named: file.name, search: search), of: file)
    }

    private static func place(in page: Markup, of file: FileBytes) throws(PlaceError) -> ParsedPlace {
        let item = page.meaning?.mapItem { (try? PlaceParser().parse($0))?.item.coordinate }
        if let item { return ParsedPlace(item: item, rule: "markup") }
        var fault = noPlace(in: file)
        for text in page.texts {
            do throws(PlaceError) {
                let place = try PlaceParser().parse(text)
                if !isInWords(place) { return place }
            } catch {
                guard error.code == .needsNetwork else { continue }
                fault = PlaceError(error.code, localized("%1: %2", file.name, error.message), underlying: error)
            }
        }
        throw fault
    }

    /// Returns whether a text has neither a position nor a link to a place. Nobody means a whole page or mail as an address.
    static func isInWords(_ place: ParsedPlace) -> Bool { ["text", "request", "route"].contains(place.rule) }

    /// Returns the error of a page or a mail without a place.
    static func noPlace(in file: FileBytes) -> PlaceError {
        PlaceError(
            .noPosition, localized("%1 names no place; “hunch markup” shows what it says about itself", file.name))
    }
}
