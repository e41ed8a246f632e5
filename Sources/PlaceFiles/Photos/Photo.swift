import HunchModel
import Places

/// Reads the position from a photo's Exif data, whose location depends on the format.
///
/// Sources: JPEG, CIPA DC-008 section 4.7; PNG, W3C PNG third edition section 11.3.4.5; WebP, RFC 9649 section 2.7; TIFF
/// 6.0; HEIF, ISO/IEC 23008-12 annex A.
enum Photo {
    /// The maximum number of segments, chunks or boxes that are visited.
    static let maximumParts = 256
    /// The prefix of Exif data in JPEG. Some programs write it in WebP and HEIF, too.
    private static let mark: StaticString = "Exif\0\0"

    /// Returns the place where a photo was taken; `nil` if it has none.
    ///
    /// - Throws: ``PlaceError`` with `unsupportedDatum` or `unreadable`.
    static func place(in file: FileBytes, _ format: PlaceFileFormat) throws(PlaceError) -> ParsedPlace? {
        let region = FileRegion(file)
        let block: FileRegion? =
            switch format {
            case .jpeg: try segment(of: region)
            case .png: try chunk(of: region, "eXIf", "IEND", from: 8, .bigEndian)
            case .webp: try chunk(of: region, "EXIF", nil, from: 12, .littleEndian)
            case .heif: try HEIFContainer.exif(in: region)
            default: region
            }
        guard let block, let exif = try TIFFBlock(unmarked(block)) else { return nil }
        return try exif.place(named: file.name)
    }

    /// Returns Exif data without the optional prefix.
    private static func unmarked(_ block: FileRegion) throws(PlaceError) -> FileRegion {
        guard try block.bytes(0, 6)?.has(mark, at: 0) ?? false else { return block }
        return block.part(from: 6) ?? block
    }

    /// Returns the Exif data of a JPEG file, from its APP1 segment (marker E1). Stops at the image data, which follow
    /// the start of scan (DA), and at the end of the image (D9).
    private static func segment(of file: FileRegion) throws(PlaceError) -> FileRegion? {
        var offset = 2
        for _ in 0..<maximumParts {
            guard let head = try file.bytes(offset, 4), head.number(0, 1) == 0xFF, let marker = head.number(1, 1),
                marker != 0xDA, marker != 0xD9, let length = head.number(2, 2)
            else { return nil }
            // Fill bytes 0xFF may precede a marker.
            if marker == 0xFF {
                offset += 1
                continue
            }
            guard length >= 2 else { return nil }
            if marker == 0xE1, let segment = file.part(offset + 4, length - 2),
                try segment.bytes(0, 6)?.has(mark, at: 0) ?? false
            {
                return segment
            }
            offset += 2 + length
        }
        return nil
    }

    /// Returns the content of a chunk. In PNG, the type follows the length and a checksum follows the content. In
    /// RIFF, the length follows the type, and chunks begin at even offsets.
    private static func chunk(
        of file: FileRegion, _ type: StaticString, _ last: StaticString?, from start: Int, _ order: Bytes.Order
    ) throws(PlaceError) -> FileRegion? {
        let isPNG = order == .bigEndian
        var offset = start
        for _ in 0..<maximumParts {
            guard let head = try file.bytes(offset, 8), let length = head.number(isPNG ? 0 : 4, 4, order) else {
                return nil
            }
            let typeOffset = isPNG ? 4 : 0
            if head.has(type, at: typeOffset) { return file.part(offset + 8, length) }
            if let last, head.has(last, at: typeOffset) { return nil }
            offset += 8 + (isPNG ? length + 4 : length + length % 2)
        }
        return nil
    }
}
