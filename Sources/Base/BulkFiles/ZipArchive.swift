import CZlib
import HunchModel
import Localization

/// The files in a ZIP archive.
///
/// Source: PKWARE's APPNOTE.TXT 6.3, 4.3 and 4.5 (ZIP64). Reads only unencrypted, stored or deflated entries.
public struct ZipArchive: Sendable {
    /// A file in an archive.
    public struct Entry: Sendable {
        /// The path of the file in the archive.
        public let name: String
        fileprivate let method: Int
        fileprivate let isEncrypted: Bool
        fileprivate let size: Int
        fileprivate let offset: Int
        fileprivate let checksum: UInt
    }

    /// The maximum size of the central directory, in bytes.
    private static let maximumDirectory = 64 << 20
    /// The maximum size of the end record with its comment, in bytes.
    private static let longestEnd = 65_557

    private let path: String
    /// The files, in the order of the archive, without folders.
    public let entries: [Entry]

    /// Reads the central directory of an archive.
    ///
    /// - Parameters:
    ///   - path: the archive.
    ///   - size: the size of the archive, in bytes.
    /// - Throws: ``ImportError`` with `unreadable` or `malformed`.
    public init(path: String, size: Int) throws {
        self.path = path
        let tail = try Self.bytes(path, max(0, size - Self.longestEnd)..<size)
        let broken = ImportError(
            .malformed, localized("%1 is not a complete ZIP archive; download or copy it again", path))
        guard
            let end = tail.indices.dropLast(21).last(where: { tail[$0] == 0x50 && tail.number($0, 4) == 0x0605_4B50 })
        else { throw broken }
        var (length, start) = (tail.number(end + 12, 4), tail.number(end + 16, 4))
        // In a ZIP64 archive, a locator before the end record holds the offset of the ZIP64 end record.
        if end >= 20, tail.number(end - 20, 4) == 0x0706_4B50 {
            let offset = tail.number(end - 12, 8)
            guard offset >= 0, offset <= size - 56 else { throw broken }
            let record = try Self.bytes(path, offset..<(offset + 56))
            guard record.number(0, 4) == 0x0606_4B50 else { throw broken }
            (length, start) = (record.number(40, 8), record.number(48, 8))
        }
        guard length >= 0, length <= Self.maximumDirectory, start >= 0, start <= size - length else { throw broken }
        let directory = try Self.bytes(path, start..<(start + length))
        var entries: [Entry] = []
        var index = 0
        while index + 46 <= directory.count {
            guard directory.number(index, 4) == 0x0201_4B50 else { throw broken }
            let (name, extra, comment) = (
                directory.number(index + 28, 2), directory.number(index + 30, 2), directory.number(index + 32, 2)
            )
            let next = index + 46 + name + extra + comment
            guard next <= directory.count else { throw broken }
            let text = String(decoding: directory[(index + 46)..<(index + 46 + name)], as: UTF8.self)
            var (packed, offset) = (directory.number(index + 20, 4), directory.number(index + 42, 4))
            let isLong = (size: packed == 0xFFFF_FFFF, offset: offset == 0xFFFF_FFFF)
            if isLong.size || isLong.offset {
                // The ZIP64 extra field holds only the numbers that need 64 bits, in this order: the uncompressed size,
                // the compressed size, the offset.
                let full = directory.number(index + 24, 4) == 0xFFFF_FFFF
                let numbers = Self.longNumbers(directory[(index + 46 + name)..<(index + 46 + name + extra)])
                var position = full ? 1 : 0
                if isLong.size, numbers.indices.contains(position) {
                    packed = numbers[position]
                    position += 1
                }
                if isLong.offset, numbers.indices.contains(position) { offset = numbers[position] }
            }
            if !text.hasSuffix("/") {
                entries.append(
                    Entry(
                        name: text, method: directory.number(index + 10, 2),
                        isEncrypted: directory.number(index + 8, 2) & 1 == 1, size: packed, offset: offset,
                        checksum: UInt(max(0, directory.number(index + 16, 4)))))
            }
            index = next
        }
        self.entries = entries
    }

    /// Returns a stream of the uncompressed content of a file.
    ///
    /// - Parameter limit: the maximum uncompressed size in bytes, whatever the archive claims; `nil` for any size.
    /// - Throws: ``ImportError``: `unreadable`, `malformed`, `unknownFormat`, or `tooLong` when reading past the limit.
    public func open(_ entry: Entry, limit: Int? = nil) throws -> any ByteStream {
        guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else {
            throw ImportError(
                .unknownFormat,
                localized(
                    "%1 in %2 is encrypted or uses an unsupported compression; unpack it first", entry.name, path))
        }
        guard entry.offset >= 0, entry.size >= 0, entry.offset < Int.max - 30 else { throw broken(entry) }
        let header = try Self.bytes(path, entry.offset..<(entry.offset + 30))
        guard header.number(0, 4) == 0x0403_4B50 else { throw broken(entry) }
        let start = entry.offset + 30 + header.number(26, 2) + header.number(28, 2)
        guard start <= Int.max - entry.size else { throw broken(entry) }
        let stream = try FileStream(path: path, range: start..<(start + entry.size))
        let name = localized("%1 in %2", entry.name, path)
        let content: any ByteStream =
            entry.method == 0 ? stream : try InflatingStream(stream, .deflate, name: name)
        let excess = ImportError(
            .tooLong,
            localized("%1 is larger than the limit of %2 MiB; use a smaller file", name, (limit ?? .max) >> 20))
        return CheckedStream(
            content, checksum: entry.checksum, damage: broken(entry), limit: limit ?? .max, excess: excess)
    }

    private func broken(_ entry: Entry) -> ImportError {
        ImportError(
            .malformed, localized("%1 in %2 is damaged; download or copy the archive again", entry.name, path))
    }

    /// Returns the 64-bit numbers of the ZIP64 extra field, or none if an entry does not have the field.
    private static func longNumbers(_ extra: ArraySlice<UInt8>) -> [Int] {
        let extra = Array(extra)
        var index = 0
        while index + 4 <= extra.count {
            let length = extra.number(index + 2, 2)
            if extra.number(index, 2) == 1 {
                return stride(from: index + 4, through: min(index + 4 + length, extra.count) - 8, by: 8).map {
                    extra.number($0, 8)
                }
            }
            index += 4 + length
        }
        return []
    }

    private static func bytes(_ path: String, _ range: Range<Int>) throws -> [UInt8] {
        let stream = try FileStream(path: path, range: range)
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = try bytes.withUnsafeMutableBytes { buffer in
                try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard count > 0 else {
                throw ImportError(
                    .malformed, localized("%1 is not a complete ZIP archive; download or copy it again", path))
            }
            filled += count
        }
        return bytes
    }
}

/// A stream that fails if its content does not have the expected CRC-32 or exceeds a limit.
private final class CheckedStream: ByteStream {
    private let content: any ByteStream
    private let checksum: UInt
    private let damage: ImportError
    private var left: Int
    private let excess: ImportError
    private var sum: UInt = 0

    init(_ content: any ByteStream, checksum: UInt, damage: ImportError, limit: Int, excess: ImportError) {
        self.content = content
        self.checksum = checksum
        self.damage = damage
        left = limit
        self.excess = excess
    }

    var fraction: Double { content.fraction }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try content.read(into: buffer)
        left -= count
        guard left >= 0 else { throw excess }
        guard count > 0 || buffer.isEmpty || sum == checksum else { throw damage }
        sum = crc32_z(sum, buffer.baseAddress?.assumingMemoryBound(to: Bytef.self), count)
        return count
    }
}

extension [UInt8] {
    /// Returns the little-endian number in `length` bytes at an offset, or −1 if it is too large for an `Int`.
    fileprivate func number(_ offset: Int, _ length: Int) -> Int {
        var value: UInt64 = 0
        for index in (0..<length).reversed() { value = value << 8 | UInt64(self[offset + index]) }
        return Int(exactly: value) ?? -1
    }
}
