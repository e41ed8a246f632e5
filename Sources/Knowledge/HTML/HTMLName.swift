internal import HunchModel

/// The name of an element or an attribute in lower case, as one number that is quick to compare.
///
/// Names of up to eight bytes are their bytes. Longer ones are their hash (FNV-1a, 64 bits), so that two long names may be
/// the same. Nothing but the tree of such a page would be wrong then.
package struct HTMLName: Hashable {
    @usableFromInline let code: UInt64

    /// Reads a name in any case.
    @inlinable package init(_ bytes: some Sequence<UInt8>) {
        var (packed, hash, count) = (UInt64(0), UInt64(0xCBF2_9CE4_8422_2325), 0)
        for byte in bytes {
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            packed = packed << 8 | UInt64(lower)
            hash = (hash ^ UInt64(lower)) &* 0x0000_0100_0000_01B3
            count += 1
        }
        code = count <= 8 ? packed : hash
    }

    /// A number with one bit, which differs for most names.
    var mark: UInt64 { 1 << UInt64(bucket & 63) }

    /// A number below 512 that differs for most names.
    fileprivate var bucket: Int { Int(truncatingIfNeeded: (code &* 0x9E37_79B9_7F4A_7C15) >> 55) }

    init(_ text: StaticString) {
        self = text.withUTF8Buffer { HTMLName($0) }
    }
}

/// Elements with a meaning for structured data.
extension HTMLName {
    package static let base = HTMLName("base")
    package static let title = HTMLName("title")
    package static let link = HTMLName("link")
    package static let meta = HTMLName("meta")
    package static let script = HTMLName("script")
    static let template = HTMLName("template")
    package static let a = HTMLName("a")
    package static let abbr = HTMLName("abbr")
    package static let area = HTMLName("area")
    package static let audio = HTMLName("audio")
    package static let data = HTMLName("data")
    package static let embed = HTMLName("embed")
    package static let iframe = HTMLName("iframe")
    package static let img = HTMLName("img")
    package static let meter = HTMLName("meter")
    package static let object = HTMLName("object")
    package static let source = HTMLName("source")
    package static let time = HTMLName("time")
    package static let track = HTMLName("track")
    package static let video = HTMLName("video")
}

/// Values by names, for many lookups.
struct HTMLNameTable<Value: Sendable>: Sendable {
    private var entries: [(name: HTMLName, value: Value)?]

    /// - Parameter values: at most 250 values by names in lower case.
    init(_ values: [String: Value]) {
        entries = Array(repeating: nil, count: 512)
        for (text, value) in values {
            let name = HTMLName(text.utf8)
            var bucket = name.bucket
            while entries[bucket] != nil { bucket = (bucket + 1) % entries.count }
            entries[bucket] = (name, value)
        }
    }

    /// The value of a name.
    subscript(name: HTMLName) -> Value? {
        var bucket = name.bucket
        while let entry = entries[bucket] {
            if entry.name == name { return entry.value }
            bucket = (bucket + 1) % entries.count
        }
        return nil
    }
}

/// The attributes that structured data consists of. The reader skips all others.
package enum HTMLAttribute: UInt32, CaseIterable {
    case about, alt, charset, `class`, content, data, datetime, href, httpEquivalent, id, itemid, itemprop, itemref
    case itemscope, itemtype, name, prefix, property, rel, resource, src, title, type, `typeof`, value, vocab

    /// A set with this attribute alone.
    var bit: UInt32 { 1 << rawValue }

    /// Returns the attribute of a name; `nil` for others.
    static func named(_ name: HTMLName) -> HTMLAttribute? { table[name] }

    private static let table = HTMLNameTable(
        Dictionary(uniqueKeysWithValues: allCases.map { ($0 == .httpEquivalent ? "http-equiv" : "\($0)", $0) }))
}
