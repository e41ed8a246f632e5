internal import FoundationEssentials
internal import HunchModel

/// A reader of the `dconf` database, a single GVDB file. The service of `dconf` has no interface for reading.
///
/// Each item stores its own part of the key and the index of the item with the preceding part. Values are GVariants.
/// Only files in this machine's byte order are understood.
///
/// Source: gvdb-format.h of GVDB; the GVariant specification, "Serialisation Format".
package struct DconfDatabase {
    /// The maximum file size, in bytes. Typical files have some ten kilobytes.
    package static let sizeLimit = 4 << 20
    /// The maximum number of parts of a key.
    private static let depthLimit = 64
    private static let itemSize = 24
    /// The parent index of an item without parent.
    private static let none: UInt32 = 0xFFFF_FFFF

    private let bytes: [UInt8]
    /// The offset and number of the root table's items.
    private let items: (start: Int, count: Int)

    /// Reads a file; `nil` if it is missing or not a database.
    package init?(file: String) {
        guard let data = FileManager.default.contents(atPath: file), data.count <= Self.sizeLimit else { return nil }
        self.init([UInt8](data))
    }

    /// Parses the bytes of a file; `nil` if they are not a database.
    package init?(_ bytes: [UInt8]) {
        let reader = LittleEndian(bytes)
        guard bytes.starts(with: Array("GVariant".utf8)), let start = reader.word(at: 16),
            let end = reader.word(at: 20),
            start <= end, end <= bytes.count, let bloom = reader.word(at: start),
            let buckets = reader.word(at: start + 4)
        else { return nil }
        // The upper five bits are the shift of the bloom filter.
        let first = start + 8 + 4 * (bloom & 0x07FF_FFFF) + 4 * buckets
        guard first <= end else { return nil }
        self.bytes = bytes
        items = (first, (end - first) / Self.itemSize)
    }

    /// Returns the value of a key, which begins with a slash; `nil` if it was never set or is not a boolean.
    package func boolean(_ key: String) -> Bool? {
        guard let value = value(key, type: "b"), value.count == 1, let flag = value.first, flag <= 1 else { return nil }
        return flag == 1
    }

    /// Returns the value of a key, which begins with a slash; `nil` if it was never set or is not a string.
    package func string(_ key: String) -> String? {
        guard let value = value(key, type: "s"), value.last == 0 else { return nil }
        return String(validating: value.dropLast(), as: UTF8.self)
    }

    /// Returns the bytes of a value; `nil` if the key was never set or its value has another type.
    private func value(_ key: String, type: Character) -> ArraySlice<UInt8>? {
        let key = Array(key.utf8)
        for number in 0..<items.count {
            let item = items.start + number * Self.itemSize
            guard bytes[item + 14] == UInt8(ascii: "v"), isNamed(key[...], number) else { continue }
            let reader = LittleEndian(bytes)
            guard let start = reader.word(at: item + 16), let end = reader.word(at: item + 20), start <= end,
                end <= bytes.count
            else { return nil }
            // A serialised variant: the value, a zero byte, and its type string.
            let value = bytes[start..<end]
            return Array(value.suffix(2)) == [0] + Array(String(type).utf8) ? value.dropLast(2) : nil
        }
        return nil
    }

    private func isNamed(_ key: ArraySlice<UInt8>, _ number: Int) -> Bool {
        let reader = LittleEndian(bytes)
        var (rest, number) = (key, number)
        for _ in 0..<Self.depthLimit {
            let item = items.start + number * Self.itemSize
            guard let start = reader.word(at: item + 8), let size = reader.half(at: item + 12),
                start + size <= bytes.count, rest.reversed().starts(with: bytes[start..<start + size].reversed()),
                let parent = reader.word(at: item + 4)
            else { return false }
            rest = rest.dropLast(size)
            if parent == Self.none { return rest.isEmpty }
            guard parent < items.count else { return false }
            number = parent
        }
        return false
    }
}

/// Little-endian integers in bytes, with bounds checks.
private struct LittleEndian {
    package let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func word(at offset: Int) -> Int? { number(4, at: offset) }
    package func half(at offset: Int) -> Int? { number(2, at: offset) }

    private func number(_ count: Int, at offset: Int) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
