public import Coordinates
import Glibc
public import HunchModel
import Localization

/// Distinguishes files from places among the arguments of a command.
public enum PlaceFilePath {
    /// The extensions of files that may contain a place.
    private static let extensions: Set<String> = [
        "gpx", "kml", "kmz", "vcf", "vcard", "ics", "jpg", "jpeg", "jpe", "heic", "heif", "avif", "png", "webp", "tif",
        "tiff", "dng", "geojson", "json", "xml", "txt", "html", "htm", "xhtml", "eml", "pkpass", "pdf",
    ]
    /// The maximum length of a file argument: a path of maximum length, percent-encoded.
    private static let maximumLength = 3 * 4_096

    /// Returns the path of a file argument; `nil` for a place in words, numbers or a link.
    ///
    /// A file is a `file:` URI, a path that begins with `/`, `./` or `../`, an existing file whose path contains a
    /// slash or whose name has an extension, or a name with a supported extension. A file “Paris” never hides the city.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` for a `file:` URI of another machine.
    public static func path(in argument: String) throws(PlaceError) -> String? {
        guard argument.utf8.count <= maximumLength, !argument.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        if argument.cut(toBytes: 5).lowercased() == "file:" { return try path(inURI: argument) }
        // "///filled.count.soap" is an address of what3words.
        if argument.hasPrefix("/") { return argument.hasPrefix("//") ? nil : argument }
        if argument.hasPrefix("./") || argument.hasPrefix("../") { return argument }
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last else { return nil }
        let dot = last.lastIndex(of: ".")
        let ending = dot.map { last[last.index(after: $0)...].lowercased() } ?? ""
        let isTyped = extensions.contains(ending)
        if isTyped || hasForm(ofExtension: ending) || parts.count > 1, isRegularFile(argument) { return argument }
        // A missing file is an error, but "example.org/a.jpg" is a link.
        let isLink = argument.utf8.contains(UInt8(ascii: ":")) || parts.count > 1 && first.contains(".")
        return isTyped && !isLink ? argument : nil
    }

    /// Returns whether the end of a name may be an extension, as in “bin.dat”, and not a word, as in “St. Louis”.
    private static func hasForm(ofExtension ending: String) -> Bool {
        (1...longestExtension).contains(ending.utf8.count)
            && ending.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }

    private static let longestExtension = 5

    private static func isRegularFile(_ path: String) -> Bool {
        var status = Glibc.stat()
        // -1: no such file.
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the path of a `file:` URI; RFC 8089.
    private static func path(inURI uri: String) throws(PlaceError) -> String {
        var rest = uri.dropFirst(5).prefix { $0 != "?" && $0 != "#" }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else {
                throw PlaceError(
                    .malformedLink,
                    localized("the link names a file on “%1”; give a file on this machine", host.cut(to: 40)))
            }
            rest = rest.dropFirst(host.count)
        }
        guard rest.hasPrefix("/"), let path = PercentCoding.decode(rest), !path.utf8.contains(0) else {
            throw PlaceError(
                .malformedLink, localized("the link is not a file: URI; it looks like file:///home/me/hut.gpx"))
        }
        return path
    }
}
