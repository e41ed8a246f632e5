internal import HunchModel
internal import Localization

extension JSONScanner {
    /// Reads a string.
    ///
    /// - Parameter wanted: what the error says if there is no string.
    public mutating func string(_ wanted: Wanted = .string) throws(Fault) -> String {
        try expect(UInt8(ascii: "\""), wanted)
        let start = offset
        var plain = true
        var all: UInt8 = 0
        while true {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") { break }
            all |= byte
            if byte == UInt8(ascii: "\\") {
                plain = false
                offset += 1
                guard bytes[offset] >= 0x20 else { continue }
            } else if byte < 0x20 {
                throw fault(
                    offset >= end
                        ? localized("a string is not closed")
                        : localized("a string contains an unescaped control character"))
            }
            offset += 1
        }
        let text = UnsafeBufferPointer(start: bytes + start, count: offset - start)
        offset += 1
        // Validating takes several times as long, and ASCII needs none.
        if all >= 0x80 {
            guard let raw = String(validating: text, as: UTF8.self) else {
                throw fault(localized("a string is not UTF-8"), at: start)
            }
            if plain { return raw }
        }
        return plain ? String(decoding: text, as: UTF8.self) : try unescaped(text, at: start)
    }

    /// Returns the text of a string that contains escapes and is UTF-8.
    private func unescaped(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) throws(Fault) -> String {
        var fault: Fault?
        let text = String(unsafeUninitializedCapacity: raw.count) { text in
            do throws(Fault) { return try unescape(raw, into: text, at: start) } catch {
                fault = error
                return 0
            }
        }
        if let fault { throw fault }
        return text
    }

    /// Writes the text of a string, which is never longer than the string. Returns its length in bytes.
    private func unescape(
        _ raw: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) throws(Fault) -> Int {
        var (index, count) = (0, 0)
        func append(_ byte: UInt8) {
            text[count] = byte
            count += 1
        }
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                append(raw[index])
                index += 1
                continue
            }
            index += 2
            switch index <= raw.count ? raw[index - 1] : 0 {
            case UInt8(ascii: "\""): append(0x22)
            case UInt8(ascii: "\\"): append(0x5C)
            case UInt8(ascii: "/"): append(0x2F)
            case UInt8(ascii: "b"): append(0x08)
            case UInt8(ascii: "f"): append(0x0C)
            case UInt8(ascii: "n"): append(0x0A)
            case UInt8(ascii: "r"): append(0x0D)
            case UInt8(ascii: "t"): append(0x09)
            case UInt8(ascii: "u"):
                for byte in UTF8.encode(try scalar(in: raw, &index, at: start)).unsafelyUnwrapped { append(byte) }
            default: throw fault(localized("a string contains an unknown escape"), at: start)
            }
        }
        return count
    }

    /// Reads the digits of a `\u` escape, and a second escape if the first one is half of a surrogate pair.
    private func scalar(
        in raw: UnsafeBufferPointer<UInt8>, _ index: inout Int, at start: Int
    ) throws(Fault) -> Unicode.Scalar {
        let first = try unit(in: raw, &index, at: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high half, and the low half after it.
        if first < 0xDC00, index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"), raw[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            let second = try unit(in: raw, &index, at: start)
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw fault(localized("a string contains half a surrogate pair"), at: start)
    }

    /// Reads the four digits of a `\u` escape.
    private func unit(
        in raw: UnsafeBufferPointer<UInt8>, _ index: inout Int, at start: Int
    ) throws(Fault) -> UInt32 {
        var code: UInt32 = 0
        for offset in index..<index + 4 {
            let byte = offset < raw.count ? raw[offset] : 0
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: throw fault(localized("a \\u escape needs four hexadecimal digits"), at: start)
            }
            code = code << 4 | UInt32(digit)
        }
        index += 4
        return code
    }
}
