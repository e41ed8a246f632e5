import Coordinates
import HunchModel
import MapLinks

/// The position in Exif data, which are a TIFF block.
///
/// Source: CIPA DC-008 (Exif 2.32), sections 4.5 and 4.6.6. Only the first directory and the GPS directory are read. No
/// further links are followed, so no loop is possible. Programs also write signed rationals, degrees alone or with
/// decimal minutes, references as bytes or words, and the link to the GPS directory as an IFD (TIFF Tech Note 1).
struct TIFFBlock {
    private static let maximumEntries = 512
    private static let maximumPositionEntries = 64
    private static let longestText = 64

    private let region: FileRegion
    private let order: Bytes.Order

    /// An entry of a directory.
    private struct Entry {
        let type: Int
        let count: Int
        /// The value if it has at most four bytes, otherwise its offset.
        let value: Bytes
    }

    private enum Tag {
        static let packet = 0x02BC
        static let position = 0x8825
        static let latitudeReference = 1
        static let latitude = 2
        static let longitudeReference = 3
        static let longitude = 4
        static let altitudeReference = 5
        static let altitude = 6
        static let datum = 0x12
        static let error = 0x1F
    }

    private enum Kind {
        static let byte = 1
        static let ascii = 2
        static let long = 4
        static let rational = 5
        static let undefined = 7
        static let signedRational = 10
        static let directory = 13
        static let utf8 = 129
        static let texts = [byte, ascii, undefined, utf8]
    }

    /// Creates a block; `nil` if the bytes do not begin with a TIFF header.
    init?(_ region: FileRegion) throws(PlaceError) {
        guard let head = try region.bytes(0, 8) else { return nil }
        if head.has("II*\0", at: 0) {
            order = .littleEndian
        } else if head.has("MM\0*", at: 0) {
            order = .bigEndian
        } else {
            return nil
        }
        self.region = region
    }

    /// Returns the place; `nil` if the block has no position, or one that is out of range.
    ///
    /// - Throws: ``PlaceError`` with `unsupportedDatum` or `unreadable`.
    func place(named name: String) throws(PlaceError) -> ParsedPlace? {
        guard let link = try firstDirectory()?[Tag.position], [Kind.long, Kind.directory].contains(link.type),
            let offset = link.value.number(0, 4, order),
            let entries = try directory(at: offset, Self.maximumPositionEntries),
            let latitude = try degrees(entries[Tag.latitude], entries[Tag.latitudeReference], ("N", "S")),
            let longitude = try degrees(entries[Tag.longitude], entries[Tag.longitudeReference], ("E", "W")),
            let coordinate = Photo.coordinate(latitude, longitude)
        else { return nil }
        try Photo.check(datum: text(entries[Tag.datum]), of: name)
        return ParsedPlace(
            item: MapItem(coordinate: coordinate), rule: "exif", altitude: try altitude(entries),
            uncertainty: try fractions(entries[Tag.error])?[0])
    }

    /// Returns the XMP packet that a TIFF file has in its first directory; `nil` for none.
    ///
    /// - Throws: ``PlaceError`` with `unreadable`.
    func packet() throws(PlaceError) -> FileRegion? {
        guard let entry = try firstDirectory()?[Tag.packet], [Kind.byte, Kind.undefined].contains(entry.type),
            let offset = entry.value.number(0, 4, order)
        else { return nil }
        return region.part(offset, entry.count)
    }

    private func firstDirectory() throws(PlaceError) -> [Int: Entry]? {
        guard let offset = try region.bytes(0, 8)?.number(4, 4, order) else { return nil }
        return try directory(at: offset, Self.maximumEntries)
    }

    /// Returns the entries of a directory by tag. The first entry of a tag counts.
    private func directory(at offset: Int, _ limit: Int) throws(PlaceError) -> [Int: Entry]? {
        guard let count = try region.bytes(offset, 2)?.number(0, 2, order), count <= limit,
            let bytes = try region.bytes(offset + 2, count * 12)
        else { return nil }
        var entries: [Int: Entry] = [:]
        for start in stride(from: 0, to: count * 12, by: 12) {
            guard let tag = bytes.number(start, 2, order), let type = bytes.number(start + 2, 2, order),
                let count = bytes.number(start + 4, 4, order), entries[tag] == nil
            else { continue }
            entries[tag] = Entry(type: type, count: count, value: bytes.part(start + 8, 4))
        }
        return entries
    }

    /// Returns degrees with their sign: from degrees alone, with minutes, or with minutes and seconds.
    ///
    /// A negative number is south or west, whatever its reference says. Only signed numbers need no reference.
    private func degrees(
        _ entry: Entry?, _ reference: Entry?, _ letters: (positive: Character, negative: Character)
    ) throws(PlaceError) -> Double? {
        guard let parts = try fractions(entry), parts.count <= 3, let degrees = parts[0] else { return nil }
        // Some cameras write 0/0 for missing seconds, but minutes are never missing.
        guard parts.count < 2 || parts[1] != nil else { return nil }
        let minutes = parts.dropFirst().first ?? nil
        let seconds = parts.dropFirst(2).first ?? nil
        let magnitude = degrees.magnitude + (minutes ?? 0).magnitude / 60 + (seconds ?? 0).magnitude / 3_600
        if parts.contains(where: { ($0 ?? 0) < 0 }) { return -magnitude }
        switch try text(reference).uppercased() {
        case String(letters.positive), letters.positive == "N" ? "NORTH" : "EAST": return magnitude
        case String(letters.negative), letters.negative == "S" ? "SOUTH" : "WEST": return -magnitude
        case "" where reference == nil && entry?.type == Kind.signedRational: return magnitude
        default: return nil
        }
    }

    private func altitude(_ entries: [Int: Entry]) throws(PlaceError) -> Double? {
        guard let height = try fractions(entries[Tag.altitude])?[0] else { return nil }
        let reference = entries[Tag.altitudeReference]
        let isBelow = reference?.type == Kind.byte && reference?.value.number(0, 1) == 1
        return isBelow ? -height.magnitude : height
    }

    /// Returns the fractions of an entry, one to three, with `nil` for a denominator of 0. Returns `nil` if the entry has
    /// another type or number of values.
    private func fractions(_ entry: Entry?) throws(PlaceError) -> [Double?]? {
        guard let entry, [Kind.rational, Kind.signedRational].contains(entry.type), (1...3).contains(entry.count),
            let offset = entry.value.number(0, 4, order), let bytes = try region.bytes(offset, entry.count * 8)
        else { return nil }
        func value(_ offset: Int) -> Double? {
            guard let number = bytes.number(offset, 4, order) else { return nil }
            return entry.type == Kind.rational ? Double(number) : Double(Int32(truncatingIfNeeded: number))
        }
        return (0..<entry.count).map { index in
            guard let above = value(index * 8), let below = value(index * 8 + 4), below != 0 else { return nil }
            return above / below
        }
    }

    /// Returns the text of an entry up to the first NUL; empty if the entry is missing, too long or not a text.
    private func text(_ entry: Entry?) throws(PlaceError) -> String {
        guard let entry, Kind.texts.contains(entry.type), entry.count <= Self.longestText else { return "" }
        var bytes = entry.value.part(0, min(entry.count, 4))
        if entry.count > 4 {
            guard let offset = entry.value.number(0, 4, order), let longer = try region.bytes(offset, entry.count)
            else { return "" }
            bytes = longer
        }
        return String(bytes.text().prefix { $0 != "\0" }).singleSpaced
    }
}
