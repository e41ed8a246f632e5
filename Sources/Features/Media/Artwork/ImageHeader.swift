internal import HunchModel

/// The format and size of a picture, read from its first bytes. Nothing is decoded.
///
/// Sources: PNG (W3C, section 11.2.2), JPEG (ITU-T T.81, annex B), GIF89a, WebP container (RFC 9649).
public struct ImageHeader: Hashable, Sendable {
    /// The supported formats.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// Portable Network Graphics.
        case png
        /// JPEG, baseline or progressive.
        case jpeg
        /// WebP, lossy, lossless or extended.
        case webp
        /// GIF.
        case gif
    }

    /// The format.
    public let format: Format
    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int

    /// Reads a picture's header; `nil` if the bytes are not the beginning of a picture in a supported format.
    public init?(_ bytes: some Collection<UInt8>) {
        let reader = Bytes(Array(bytes))
        guard let found = Self.png(reader) ?? Self.gif(reader) ?? Self.webp(reader) ?? Self.jpeg(reader),
            found.width > 0, found.height > 0
        else { return nil }
        self = found
    }

    private init(_ format: Format, _ width: Int, _ height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    private static func png(_ bytes: Bytes) -> ImageHeader? {
        guard bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), bytes.has("IHDR", at: 12),
            let width = bytes.big(4, at: 16), let height = bytes.big(4, at: 20)
        else { return nil }
        return ImageHeader(.png, width, height)
    }

    private static func gif(_ bytes: Bytes) -> ImageHeader? {
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0), let width = bytes.little(2, at: 6),
            let height = bytes.little(2, at: 8)
        else { return nil }
        return ImageHeader(.gif, width, height)
    }

    private static func webp(_ bytes: Bytes) -> ImageHeader? {
        guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
        if bytes.has("VP8X", at: 12), let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) {
            return ImageHeader(.webp, width + 1, height + 1)
        }
        if bytes.has("VP8L", at: 12), bytes.has([0x2F], at: 20), let bits = bytes.little(4, at: 21) {
            return ImageHeader(.webp, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        // A key frame starts with a frame tag, whose lowest bit is 0, and a start code.
        if bytes.has("VP8 ", at: 12), let tag = bytes.little(1, at: 20), tag & 1 == 0,
            bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.little(2, at: 26),
            let height = bytes.little(2, at: 28)
        {
            return ImageHeader(.webp, width & 0x3FFF, height & 0x3FFF)
        }
        return nil
    }

    private static func jpeg(_ bytes: Bytes) -> ImageHeader? {
        guard bytes.has([0xFF, 0xD8, 0xFF], at: 0) else { return nil }
        var offset = 2
        while bytes.has([0xFF], at: offset), let marker = bytes.big(1, at: offset + 1) {
            switch marker {
            case 0xFF:
                // Fill bytes may precede a marker.
                offset += 1
            case 0x01, 0xD0...0xD7:
                offset += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = bytes.big(2, at: offset + 5), let width = bytes.big(2, at: offset + 7) else {
                    return nil
                }
                return ImageHeader(.jpeg, width, height)
            case 0xD8...0xDA:
                return nil
            default:
                guard let length = bytes.big(2, at: offset + 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }
}

/// A byte array with reads that are checked against its end.
private struct Bytes {
    let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    func has(_ pattern: [UInt8], at offset: Int) -> Bool {
        offset + pattern.count <= all.count && all[offset..<offset + pattern.count].elementsEqual(pattern)
    }

    func has(_ text: StaticString, at offset: Int) -> Bool { has(Array("\(text)".utf8), at: offset) }

    func big(_ count: Int, at offset: Int) -> Int? {
        guard offset + count <= all.count else { return nil }
        return all[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(_ count: Int, at offset: Int) -> Int? {
        guard offset + count <= all.count else { return nil }
        return all[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
