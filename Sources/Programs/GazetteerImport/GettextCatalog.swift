import Glibc
internal import HunchModel

/// A compiled message catalogue (`.mo`): translations by their original text.
///
/// Source: the GNU gettext manual, "The Format of GNU MO Files". All offsets are checked. In a corrupt catalogue, only
/// the texts of its intact part are found.
struct GettextCatalog {
    /// The maximum number of bytes of a catalogue.
    static let maximumSize = 16 << 20

    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private let count: Int
    private let originals: Int
    private let translations: Int

    /// Opens a catalogue; `nil` if the bytes are not a catalogue or exceed the limit.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 28, bytes.count <= Self.maximumSize else { return nil }
        switch Array(bytes[..<4]) {
        case [0xDE, 0x12, 0x04, 0x95]: isBigEndian = false
        case [0x95, 0x04, 0x12, 0xDE]: isBigEndian = true
        default: return nil
        }
        let header = [4, 8, 12, 16].map { offset in
            let parts = bytes[offset..<(offset + 4)]
            return (bytes[0] == 0x95 ? Array(parts) : parts.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        // The upper 16 bits of the revision are the major version. Versions 0 and 1 have the same layout.
        guard header[0] >> 16 <= 1 else { return nil }
        (count, originals, translations) = (header[1], header[2], header[3])
        guard originals + 8 * count <= bytes.count, translations + 8 * count <= bytes.count else { return nil }
        self.bytes = bytes
    }

    /// Returns the translation of a text; `nil` if there is none or it is not UTF-8.
    ///
    /// - Parameter key: the text, or its context, U+0004 and the text.
    func translation(of key: [UInt8]) -> String? {
        bytes.withUnsafeBytes { bytes in
            // Originals are sorted by bytes.
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                guard let candidate = string(in: bytes, originals, middle) else { return nil }
                let order = Self.order(candidate, key)
                if order == 0 {
                    guard let found = string(in: bytes, translations, middle), !found.isEmpty else { return nil }
                    return String(validating: found, as: UTF8.self)
                }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }

    /// Returns the key of a text in a context.
    static func key(_ text: String, context: String?) -> [UInt8] {
        Array((context.map { $0 + "\u{4}" } ?? "").utf8) + Array(text.utf8)
    }

    private static func order(_ candidate: UnsafeRawBufferPointer, _ key: [UInt8]) -> Int {
        let difference = key.withUnsafeBytes { key in
            guard let left = candidate.baseAddress, let right = key.baseAddress else { return 0 }
            return Int(memcmp(left, right, min(candidate.count, key.count)))
        }
        return difference == 0 ? candidate.count - key.count : difference
    }

    /// Returns a string of a table, up to its first zero byte. Plural forms follow it.
    private func string(in bytes: UnsafeRawBufferPointer, _ table: Int, _ index: Int) -> UnsafeRawBufferPointer? {
        let length = word(in: bytes, table + 8 * index)
        let offset = word(in: bytes, table + 8 * index + 4)
        guard offset + length <= bytes.count, let base = bytes.baseAddress else { return nil }
        // NULL: not found.
        let end = memchr(base + offset, 0, length).map { UnsafeRawPointer($0) - (base + offset) }
        return UnsafeRawBufferPointer(start: base + offset, count: end ?? length)
    }

    private func word(in bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    }
}
