import HunchModel

/// A format of files with places, recognised by the first bytes.
public enum PlaceFileFormat: Hashable, Sendable {
    /// GPX or KML.
    case xml
    /// KMZ.
    case zip
    /// vCard or iCalendar.
    case card
    /// A photo. `heif` is the container of HEIC and AVIF files.
    case jpeg, png, webp, tiff, heif

    /// The result of recognising a format.
    public enum Recognition: Hashable, Sendable {
        /// The format, regardless of the following bytes.
        case format(PlaceFileFormat)
        /// Text, or another format.
        case other
        /// More bytes are needed.
        case undecided
    }

    /// The first bytes of each format, in capitals; `nil` for any byte.
    private static let signatures: [(format: PlaceFileFormat, bytes: [UInt8?])] = [
        // XML 1.0, appendix F: with or without the byte order marks of UTF-8 and UTF-16. A plain text may also begin
        // with "<", so that character alone does not count.
        (.xml, text("<?XML")), (.xml, text("<GPX")), (.xml, text("<KML")), (.xml, text("<!")),
        (.xml, [0xEF, 0xBB, 0xBF] + text("<")), (.xml, [0xFE, 0xFF, 0, 0x3C]), (.xml, [0xFF, 0xFE, 0x3C, 0]),
        (.xml, [0x3C, 0, 0x3F, 0]), (.xml, [0, 0x3C, 0, 0x3F]),
        // Contacts in UTF-16 begin with the "B" of "BEGIN", with or without a byte order mark.
        (.card, [0xFE, 0xFF, 0, 0x42]), (.card, [0xFF, 0xFE, 0x42, 0]), (.card, [0, 0x42, 0, 0x45]),
        (.card, [0x42, 0, 0x45, 0]),
        (.zip, text("PK") + [3, 4]), (.card, text("BEGIN:V")), (.card, [0xEF, 0xBB, 0xBF] + text("BEGIN:V")),
        (.jpeg, [0xFF, 0xD8, 0xFF]), (.png, [0x89] + text("PNG\r\n") + [0x1A, 0x0A]),
        (.webp, text("RIFF") + [nil, nil, nil, nil] + text("WEBP")),
        (.tiff, text("II*") + [0]), (.tiff, text("MM") + [0] + text("*")),
        // The size of the first box of such a file is below 16 MiB.
        (.heif, [0, nil, nil, nil] + text("FTYP")),
    ]

    /// Recognises a format.
    ///
    /// - Parameter head: the first bytes of a file, as many as are available.
    public static func recognised(in head: [UInt8]) -> Recognition {
        var isUndecided = head.isEmpty
        // Some programs write XML and contacts after blank lines, before or after a byte order mark.
        let text = head.drop(while: Self.isSpace)
        let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.prefix(3) : []
        let start = mark + text.dropFirst(mark.count).drop(while: Self.isSpace)
        for signature in signatures {
            let isXML = signature.format == .xml || signature.format == .card
            let head = isXML && !start.isEmpty ? start : head[...]
            let isSame = Swift.zip(head, signature.bytes).allSatisfy { $1 == nil || capital($0) == $1 }
            if isSame, head.count >= signature.bytes.count { return .format(signature.format) }
            isUndecided = isUndecided || isSame
        }
        return isUndecided ? .undecided : .other
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func text(_ text: StaticString) -> [UInt8?] {
        text.withUTF8Buffer { $0.map { $0 } }
    }

    private static func capital(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 0x20 : byte }
}
