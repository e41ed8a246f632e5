import Coordinates
import HunchModel

/// The boxes of HEIC and AVIF files. Sources: ISO/IEC 14496-12, sections 4.2 and 8.11; ISO/IEC 23008-12, annex A.2.
enum HEIFContainer {
    /// The maximum size of the list of items, in bytes.
    private static let maximumMeta = 1 << 20
    private static let maximumItems = 4_096

    /// Returns the Exif data of a file; `nil` if it has none.
    ///
    /// - Throws: ``PlaceError`` with `unreadable`.
    static func exif(in file: FileRegion) throws(PlaceError) -> FileRegion? {
        guard let block = try item(in: file, "Exif", nil) else { return nil }
        // The block begins with the offset of the TIFF header, counted from the end of this number.
        guard let skipped = try block.bytes(0, 4)?.number(0, 4) else { return nil }
        return block.part(from: 4 + skipped)
    }

    /// Returns the XMP packet of a file; `nil` if it has none.
    ///
    /// - Throws: ``PlaceError`` with `unreadable`.
    static func packet(in file: FileRegion) throws(PlaceError) -> FileRegion? {
        try item(in: file, "mime", "application/rdf+xml\0")
    }

    private static func item(
        in file: FileRegion, _ type: StaticString, _ mediaType: StaticString?
    ) throws(PlaceError) -> FileRegion? {
        guard let meta = try meta(of: file), let items = boxes(meta, "iinf").first,
            let item = identifier(items, type, mediaType), let places = boxes(meta, "iloc").first,
            let extent = extent(of: item, places)
        else { return nil }
        return file.part(extent.offset, extent.length)
    }

    /// Returns the content of the metadata box, after its version and flags.
    private static func meta(of file: FileRegion) throws(PlaceError) -> Bytes? {
        var offset = 0
        for _ in 0..<Photo.maximumParts {
            guard let head = try file.bytes(offset, 8), var size = head.number(0, 4) else { return nil }
            var headLength = 8
            if size == 1 {
                guard let long = try file.bytes(offset + 8, 8)?.number(0, 8) else { return nil }
                (size, headLength) = (long, 16)
            } else if size == 0 {
                size = file.count - offset
            }
            guard size >= headLength, size <= file.count - offset else { return nil }
            if head.has("meta", at: 4) {
                guard size >= headLength + 4, size <= maximumMeta else { return nil }
                return try file.bytes(offset + headLength + 4, size - headLength - 4)
            }
            offset += size
        }
        return nil
    }

    /// Returns the contents of sibling boxes of a type.
    private static func boxes(_ bytes: Bytes, from start: Int = 0, _ type: StaticString) -> [Bytes] {
        var found: [Bytes] = []
        var offset = start
        for _ in 0..<maximumItems {
            guard let size = bytes.number(offset, 4), size >= 8, size <= bytes.count - offset else { break }
            if bytes.has(type, at: offset + 4) {
                found.append(bytes.part(offset + 8, size - 8))
            }
            offset += size
        }
        return found
    }

    /// Returns the identifier of the first item of a type. Each item has a box with a version, flags, the identifier, a
    /// protection index, a type, a name, and the media type of an item of type `mime`.
    private static func identifier(_ list: Bytes, _ type: StaticString, _ mediaType: StaticString?) -> Int? {
        guard let version = list.number(0, 1) else { return nil }
        for box in boxes(list, from: version == 0 ? 6 : 8, "infe") {
            guard let version = box.number(0, 1), version >= 2 else { continue }
            let length = version == 2 ? 2 : 4
            var offset = 4 + length + 2
            guard box.has(type, at: offset) else { continue }
            guard let mediaType else { return box.number(4, length) }
            // The media type follows the NUL at the end of the name.
            offset += 4
            while let byte = box.number(offset, 1), byte != 0 { offset += 1 }
            if box.has(mediaType, at: offset + 1) { return box.number(4, length) }
        }
        return nil
    }

    /// Returns the location of an item in the file: its first extent. An item as small as Exif data has only one.
    private static func extent(of item: Int, _ list: Bytes) -> (offset: Int, length: Int)? {
        guard let version = list.number(0, 1), version <= 2, let sizes = list.number(4, 2) else { return nil }
        let idLength = version < 2 ? 2 : 4
        guard let count = list.number(6, idLength), count <= maximumItems else { return nil }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        var cursor = 6 + idLength
        for _ in 0..<count {
            guard let id = list.number(cursor, idLength) else { return nil }
            cursor += idLength
            var method = 0
            if version > 0 {
                guard let number = list.number(cursor, 2) else { return nil }
                method = number & 15
                cursor += 2
            }
            // The number of the file with the data: 0 for this one.
            guard let source = list.number(cursor, 2), let base = list.number(cursor + 2, baseSize),
                let extents = list.number(cursor + 2 + baseSize, 2)
            else { return nil }
            cursor += 4 + baseSize
            guard id != item else {
                guard method == 0, source == 0, extents > 0,
                    let offset = list.number(cursor + indexSize, offsetSize),
                    let length = list.number(cursor + indexSize + offsetSize, lengthSize),
                    offset <= Int.max - base
                else { return nil }
                return (base + offset, length)
            }
            cursor += extents * (indexSize + offsetSize + lengthSize)
        }
        return nil
    }
}
