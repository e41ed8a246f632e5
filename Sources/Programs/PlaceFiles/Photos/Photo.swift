import Coordinates
import HunchModel
import Localization
import MapLinks

/// Reads the position from a photo's Exif data, else from its XMP packet, whose locations depend on the format.
///
/// Sources: JPEG, CIPA DC-008 section 4.7; PNG, W3C PNG third edition section 11.3.4.5; WebP, RFC 9649 section 2.7; TIFF
/// 6.0; HEIF, ISO/IEC 23008-12 annex A; XMP in each, Adobe's XMP specification part 3.
enum Photo {
    /// The maximum number of segments, chunks or boxes that are visited.
    static let maximumParts = 256
    /// The prefix of Exif data in JPEG. Some programs write it in WebP and HEIF, too.
    private static let exifMark: StaticString = "Exif\0\0"
    /// The prefixes of XMP packets in JPEG and in PNG.
    private static let packetMark: StaticString = "http://ns.adobe.com/xap/1.0/\0"
    private static let packetKeyword: StaticString = "XML:com.adobe.xmp\0"
    /// The datum names that mean WGS 84, in capitals, with letters and digits only. Many cameras leave the name empty.
    private static let knownDatums: Set<String> = ["", "WGS84", "WGS1984"]

    /// Returns the place where a photo was taken; `nil` if it has none.
    ///
    /// - Throws: ``PlaceError`` with `unsupportedDatum` or `unreadable`.
    static func place(in file: FileBytes, _ format: PlaceFileFormat) throws(PlaceError) -> ParsedPlace? {
        let region = FileRegion(file)
        if let block = try exif(of: region, format), let exif = try TIFFBlock(block),
            let place = try exif.place(named: file.name)
        {
            return place
        }
        guard let packet = try packet(of: region, format) else { return nil }
        return try XMPPacket.place(in: packet, named: file.name)
    }

    /// Returns a coordinate in degrees; `nil` if it is out of range, or 0, 0, which programs write if they do not know
    /// the position.
    static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180, latitude != 0 || longitude != 0 else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Checks the reference system of a position.
    ///
    /// - Throws: ``PlaceError`` with `unsupportedDatum` for any datum other than WGS 84.
    static func check(datum: String, of name: String) throws(PlaceError) {
        guard knownDatums.contains(datum.uppercased().filter { $0.isLetter || $0.isNumber }) else {
            throw PlaceError(
                .unsupportedDatum,
                localized(
                    "%1 has a position in the reference system %2; only WGS 84 can be used", name, datum.cut(to: 40)))
        }
    }

    private static func exif(of file: FileRegion, _ format: PlaceFileFormat) throws(PlaceError) -> FileRegion? {
        let block: FileRegion? =
            switch format {
            case .jpeg: try segment(of: file, exifMark)
            case .png: try chunk(of: file, "eXIf", "IEND", from: 8, .bigEndian)
            case .webp: try chunk(of: file, "EXIF", nil, from: 12, .littleEndian)
            case .heif: try HEIFContainer.exif(in: file)
            default: file
            }
        guard let block else { return nil }
        return try unmarked(block, exifMark) ?? block
    }

    private static func packet(of file: FileRegion, _ format: PlaceFileFormat) throws(PlaceError) -> FileRegion? {
        switch format {
        case .jpeg:
            guard let segment = try segment(of: file, packetMark) else { return nil }
            return try unmarked(segment, packetMark)
        case .png:
            guard let text = try chunk(of: file, "iTXt", "IEND", from: 8, .bigEndian, packetKeyword) else { return nil }
            // A compression flag, which is 0, its method, an empty language and an empty translated keyword follow.
            return text.part(from: packetKeyword.utf8CodeUnitCount + 4)
        case .webp: return try chunk(of: file, "XMP ", nil, from: 12, .littleEndian)
        case .heif: return try HEIFContainer.packet(in: file)
        default: return try TIFFBlock(file)?.packet()
        }
    }

    /// Returns a block without a prefix; `nil` if it does not begin with it.
    private static func unmarked(_ block: FileRegion, _ mark: StaticString) throws(PlaceError) -> FileRegion? {
        let length = mark.utf8CodeUnitCount
        guard try block.bytes(0, length)?.has(mark, at: 0) ?? false else { return nil }
        return block.part(from: length)
    }

    /// Returns the APP1 segment (marker E1) of a JPEG file that begins with a prefix. Stops at the image data, which
    /// follow the start of scan (DA), and at the end of the image (D9).
    private static func segment(of file: FileRegion, _ mark: StaticString) throws(PlaceError) -> FileRegion? {
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
            if marker == 0xE1, let segment = file.part(offset + 4, length - 2), try unmarked(segment, mark) != nil {
                return segment
            }
            offset += 2 + length
        }
        return nil
    }

    /// Returns the content of the first chunk of a type, of those that begin with a prefix if one is given. In PNG, the
    /// type follows the length and a checksum follows the content. In RIFF, the length follows the type, and chunks begin
    /// at even offsets.
    private static func chunk(
        of file: FileRegion, _ type: StaticString, _ last: StaticString?, from start: Int, _ order: Bytes.Order,
        _ prefix: StaticString? = nil
    ) throws(PlaceError) -> FileRegion? {
        let isPNG = order == .bigEndian
        var offset = start
        for _ in 0..<maximumParts {
            guard let head = try file.bytes(offset, 8), let length = head.number(isPNG ? 0 : 4, 4, order) else {
                return nil
            }
            let typeOffset = isPNG ? 4 : 0
            if head.has(type, at: typeOffset), let content = file.part(offset + 8, length) {
                guard let prefix else { return content }
                if try unmarked(content, prefix) != nil { return content }
            }
            if let last, head.has(last, at: typeOffset) { return nil }
            offset += 8 + (isPNG ? length + 4 : length + length % 2)
        }
        return nil
    }
}
