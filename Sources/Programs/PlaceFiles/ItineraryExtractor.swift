internal import BulkFiles
package import Coordinates
internal import Glibc
internal import HunchModel
internal import Localization
package import Markup

/// KDE's `kitinerary-extractor`, which finds reservations in PDF files by their texts and barcodes.
package enum ItineraryExtractor {
    private static let name = "kitinerary-extractor"
    /// The folders outside of `PATH` in which distributions install it.
    private static let folders = ["/usr/lib/*/libexec/kf[56]", "/usr/libexec/kf[56]", "/usr/lib/libexec/kf[56]"]

    /// Returns whether a file is a PDF file, by its first bytes.
    package static func isPDF(_ head: [UInt8]) -> Bool { head.starts(with: Array("%PDF-".utf8)) }

    /// Returns the structured data in a PDF file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - named: the name of the file in errors.
    ///   - search: the value of `PATH`.
    /// - Throws: ``PlaceError``: `unknownFormat` if the program is not installed, `malformed` if it fails, `tooLong`.
    package static func page(inPDF path: String, named file: String, search: String) throws(PlaceError) -> Markup {
        guard let program = program(search) else {
            throw PlaceError(
                .unknownFormat,
                localized(
                    """
                    %1 is a PDF file; install the package libkpimitinerary-bin, with which Hunch reads tickets in \
                    PDF files
                    """,
                    file)
            )
        }
        do {
            let stream = try ProgramStream(program, [path], name: name, input: file)
            var data = Array("<script type=\"application/ld+json\">".utf8)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while data.count <= Markup.maximumSize {
                let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
                if count == 0 { break }
                data += buffer[..<count]
            }
            return Markup(page: data, address: nil)
        } catch let error as ImportError {
            throw PlaceError(.malformed, error.message, underlying: error)
        } catch {
            throw PlaceError(.unreadable, localized("%1: %2", file, "\(error)"), underlying: error)
        }
    }

    private static func program(_ search: String) -> String? {
        let inPath = search.split(separator: ":").map { "\($0)/\(name)" }
        return (inPath + folders.flatMap(matches)).first { access($0, X_OK) == 0 }
    }

    /// Returns the programs in the folders that match a pattern.
    private static func matches(_ folder: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        // Nonzero: no match, or an error.
        guard glob("\(folder)/\(name)", 0, nil, &found) == 0 else { return [] }
        return (0..<Int(clamping: Double(found.gl_pathc))).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
