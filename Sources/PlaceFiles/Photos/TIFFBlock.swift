import HunchModel
import Places

/// The position in Exif data, which are a TIFF block.
///
/// Source: CIPA DC-008 (Exif 2.32), sections 4.5 and 4.6.6. Only the first directory and the GPS directory are read. No
/// further links are followed, so no loop is possible.
struct TIFFBlock {
    private static let maximumEntries = 512
    private static let maximumPositionEntries = 64
    private static let longestDatum = 64
    /// The datum names that mean WGS 84, in capitals, with letters and digits only. Many cameras leave the name empty.
    private static let knownDatums: Set<String> = ["", "WGS84"]

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
        guard let head = try region.bytes(0, 8), let first = head.number(4, 4, order),
            let link = try directory(at: first, Self.maximumEntries)?[Tag.position], link.type == Kind.long,
            let offset = link.value.number(0, 4, order),
            let entries = try directory(at: offset, Self.maximumPositionEntries),
            let north = try sign(entries[Tag.latitudeReference], "N", "S"),
            let east = try sign(entries[Tag.longitudeReference], "E", "W"),
            let latitude = try degrees(entries[Tag.latitude]), let longitude = try degrees(entries[Tag.longitude]),
            // Some programs write 0, 0 if they do not know the position.
            latitude <= 90, longitude <= 180, latitude != 0 || longitude != 0,
            let coordinate = try? Coordinate(latitude: north * latitude, longitude: east * longitude)
        else { return nil }
        let datum = try text(entries[Tag.datum])
        guard Self.knownDatums.contains(datum.uppercased().filter { $0.isLetter || $0.isNumber }) else {
            throw PlaceError(
                .unsupportedDatum,
                "\(name) has a position in the reference system \(datum.cut(to: 40)); only WGS 84 can be used")
        }
        return ParsedPlace(
            item: MapItem(coordinate: coordinate), rule: "exif", altitude: try altitude(entries),
            uncertainty: try rationals(entries[Tag.error], 1)?[0])
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

    /// Returns 1 for the positive letter and −1 for the negative one; `nil` for any other text.
    private func sign(_ entry: Entry?, _ positive: String, _ negative: String) throws(PlaceError) -> Double? {
        switch try text(entry).uppercased() {
        case positive: 1
        case negative: -1
        default: nil
        }
    }

    /// Returns degrees, minutes and seconds as degrees.
    private func degrees(_ entry: Entry?) throws(PlaceError) -> Double? {
        guard let parts = try rationals(entry, 3), let degrees = parts[0], let minutes = parts[1] else { return nil }
        // Some cameras write 0/0 for missing seconds.
        return degrees + minutes / 60 + (parts[2] ?? 0) / 3_600
    }

    private func altitude(_ entries: [Int: Entry]) throws(PlaceError) -> Double? {
        guard let height = try rationals(entries[Tag.altitude], 1)?[0] else { return nil }
        let reference = entries[Tag.altitudeReference]
        let isBelow = reference?.type == Kind.byte && reference?.value.number(0, 1) == 1
        return isBelow ? -height : height
    }

    /// Returns the fractions of an entry, with `nil` for a denominator of 0. Returns `nil` if the entry has another
    /// type or number of values.
    private func rationals(_ entry: Entry?, _ count: Int) throws(PlaceError) -> [Double?]? {
        guard let entry, entry.type == Kind.rational, entry.count == count,
            let offset = entry.value.number(0, 4, order), let bytes = try region.bytes(offset, count * 8)
        else { return nil }
        return (0..<count).map { index in
            guard let above = bytes.number(index * 8, 4, order), let below = bytes.number(index * 8 + 4, 4, order),
                below > 0
            else { return nil }
            return Double(above) / Double(below)
        }
    }

    /// Returns the text of an entry up to the first NUL; empty if the entry is missing, too long or not a text.
    private func text(_ entry: Entry?) throws(PlaceError) -> String {
        guard let entry, entry.type == Kind.ascii, entry.count <= Self.longestDatum else { return "" }
        var bytes = entry.value.part(0, min(entry.count, 4))
        if entry.count > 4 {
            guard let offset = entry.value.number(0, 4, order), let longer = try region.bytes(offset, entry.count)
            else { return "" }
            bytes = longer
        }
        return String(bytes.text().prefix { $0 != "\0" }).singleSpaced
    }
}
