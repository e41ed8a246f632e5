extension UInt8 {
    @inlinable package var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension String {
    /// Returns the first Unicode scalars. Characters are not counted, because one may have a megabyte of accents.
    package func head(_ count: Int) -> String { String(unicodeScalars.prefix(count)) }

    /// The text without ASCII white space at its ends. Linear, so a megabyte of white space causes no delay.
    package var trimmed: String {
        var copy = self
        return copy.withUTF8 { bytes in
            var start = 0
            var end = bytes.count
            while start < end, bytes[start].isASCIISpace { start += 1 }
            while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
    }

    /// The text for people: control characters and runs of white space become one space, without spaces at the ends.
    package var singleSpaced: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                if let last = result.last, last != " " { result.append(" ") }
            } else {
                result.append(scalar)
            }
        }
        if result.last == " " { result.removeLast() }
        return String(result)
    }
}
