import Coordinates
import HunchModel

/// A part of a file. Offsets count from the beginning of the part. Reads never go beyond it.
struct FileRegion {
    private let file: FileBytes
    private let range: Range<Int>

    /// The number of bytes of the part.
    var count: Int { range.count }

    init(_ file: FileBytes) {
        self.file = file
        range = 0..<file.count
    }

    private init(_ file: FileBytes, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }

    /// Returns a part of this part; `nil` if it exceeds this one.
    func part(_ offset: Int, _ length: Int) -> FileRegion? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        let start = range.lowerBound + offset
        return FileRegion(file, start..<(start + length))
    }

    /// Returns the part from an offset to the end; `nil` beyond the end.
    func part(from offset: Int) -> FileRegion? { part(offset, count - offset) }

    /// Returns `length` bytes from an offset; `nil` if they exceed the part.
    ///
    /// - Throws: ``PlaceError`` with `unreadable`.
    func bytes(_ offset: Int, _ length: Int) throws(PlaceError) -> Bytes? {
        guard let part = part(offset, length) else { return nil }
        let bytes = try file.bytes(part.range.lowerBound, length)
        return bytes.count == length ? Bytes(bytes) : nil
    }
}
