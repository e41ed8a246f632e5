internal import Glibc
internal import HunchModel

extension UInt8 {
    /// Whether it is a letter of ASCII.
    @inlinable package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    /// The value of a hexadecimal digit; `nil` for another byte.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
    /// Whether it is white space of HTML.
    var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C }
}

/// The state of a script's text: in itself, after `<!--`, and after `<!-- <script>`.
private enum ScriptState { case data, escaped, doubleEscaped }

/// The steps of the tokenizer. Source: HTML Standard, section 13.2.5.
extension UnsafeBufferPointer<UInt8> {
    /// Returns the next position of a byte; the end if there is none.
    package func position(of byte: UInt8, from start: Int) -> Int {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, CInt(byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns whether an ASCII text is at a position. Case counts.
    package func has(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start + length <= count, let base = baseAddress else { return false }
        return memcmp(base + start, text.utf8Start, length) == 0
    }

    /// Returns the end of an element's name.
    func nameEnd(from start: Int) -> Int {
        var index = start
        while index < count, !self[index].isSpace, self[index] != UInt8(ascii: "/"), self[index] != UInt8(ascii: ">") {
            index += 1
        }
        return index
    }

    /// Returns the next attribute of a tag; `nil` at the end of the tag.
    ///
    /// - Parameter index: moves behind the attribute, or behind the tag; beyond the end of the page if the tag does not end.
    func attribute(from index: inout Int) -> (name: Range<Int>, value: Range<Int>)? {
        while index < count, self[index].isSpace || self[index] == UInt8(ascii: "/") { index += 1 }
        guard index < count else {
            index = count + 1
            return nil
        }
        guard self[index] != UInt8(ascii: ">") else {
            index += 1
            return nil
        }
        let first = index
        // A name may begin with an equals sign.
        index += 1
        while index < count, !self[index].isSpace, self[index] != UInt8(ascii: "/"), self[index] != UInt8(ascii: ">"),
            self[index] != UInt8(ascii: "=")
        {
            index += 1
        }
        let name = first..<index
        var value = index
        while value < count, self[value].isSpace { value += 1 }
        guard value < count, self[value] == UInt8(ascii: "=") else { return (name, index..<index) }
        value += 1
        while value < count, self[value].isSpace { value += 1 }
        guard value < count else {
            index = count
            return (name, count..<count)
        }
        let quote = self[value]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = position(of: quote, from: value + 1)
            index = end + 1
            return (name, value + 1..<end)
        }
        index = value
        while index < count, !self[index].isSpace, self[index] != UInt8(ascii: ">") { index += 1 }
        return (name, value..<index)
    }

    /// Returns the position of the end tag that ends a raw text; the end of the page if there is none.
    func rawTextEnd(_ name: HTMLName, from start: Int) -> Int {
        if name == .script { return scriptEnd(from: start) }
        var index = position(of: UInt8(ascii: "<"), from: start)
        while index < count {
            if isTag(name, at: index, isEnd: true) { return index }
            index = position(of: UInt8(ascii: "<"), from: index + 1)
        }
        return count
    }

    /// Returns the end of a script, which may contain `<!-- <script> … </script> -->`.
    private func scriptEnd(from start: Int) -> Int {
        var state = ScriptState.data
        var index = start
        while index < count {
            switch self[index] {
            case UInt8(ascii: "-"): if has("-->", at: index) { state = .data }
            case UInt8(ascii: "<"):
                switch state {
                case .data, .escaped:
                    if isTag(.script, at: index, isEnd: true) { return index }
                    if state == .data, has("<!--", at: index) {
                        state = .escaped
                        // The dashes may be those of the end, too.
                        index += 1
                    } else if state == .escaped, isTag(.script, at: index, isEnd: false) {
                        state = .doubleEscaped
                    }
                case .doubleEscaped: if isTag(.script, at: index, isEnd: true) { state = .escaped }
                }
            default: break
            }
            index += 1
        }
        return count
    }

    /// Returns whether the tag of an element is at a position.
    private func isTag(_ name: HTMLName, at start: Int, isEnd: Bool) -> Bool {
        let first = start + (isEnd ? 2 : 1)
        guard first < count, !isEnd || self[start + 1] == UInt8(ascii: "/"), self[first].isLetter else { return false }
        // The longest name of an element with raw text has nine letters.
        var end = first
        while end < count, end < first + 10, self[end].isLetter { end += 1 }
        guard end < count, self[end].isSpace || self[end] == UInt8(ascii: "/") || self[end] == UInt8(ascii: ">") else {
            return false
        }
        return HTMLName(self[first..<end]) == name
    }
}
