internal import HTML
internal import HunchModel

/// Repairs JSON as pages and mails commonly break it. Only for text that is not JSON: it would change valid strings.
///
/// It removes comments, `CDATA` marks, surplus commas and what follows the value; adds missing commas, quotation marks of
/// names and closing brackets; and escapes control characters and quotation marks in strings.
struct JSONRepair {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var result: [UInt8] = []
    /// The closing brackets that are due, the innermost last.
    private var open: [UInt8] = []
    /// The last byte that is not white space outside strings; 0 at the beginning of a value.
    private var last: UInt8 = 0

    /// Returns repaired text in UTF-8.
    static func repaired(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { bytes in
            // Some systems escape the whole script like text.
            let isEscaped =
                !bytes.contains(UInt8(ascii: "\""))
                && bytes.indices.contains {
                    bytes[$0] == UInt8(ascii: "&") && (bytes.has("&quot;", at: $0) || bytes.has("&#34;", at: $0))
                }
            return isEscaped ? unescaped(bytes).withUnsafeBufferPointer(repaired) : repaired(bytes)
        }
    }

    private static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var repair = JSONRepair(bytes: bytes)
        repair.run()
        return repair.result
    }

    private static let entities: [(name: StaticString, byte: UInt8)] = [
        ("&quot;", UInt8(ascii: "\"")), ("&#34;", UInt8(ascii: "\"")), ("&#39;", UInt8(ascii: "'")),
        ("&apos;", UInt8(ascii: "'")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&amp;", UInt8(ascii: "&")),
    ]

    /// Replaces the references to signs of JSON and HTML.
    private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "&"), let entity = entities.first(where: { bytes.has($0.name, at: index) })
            {
                result.append(entity.byte)
                index += entity.name.utf8CodeUnitCount
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// - Parameter bytes: the text. It must outlive the repair.
    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        result.reserveCapacity(bytes.count)
    }

    private mutating func run() {
        // The scanner refuses deeper nesting anyway.
        while index < bytes.count, open.count <= Markup.maximumDepth {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                separate()
                open.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                emit(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if !skipMark() { close(byte) }
            case UInt8(ascii: ","):
                // A comma after nothing is surplus.
                let isSurplus =
                    open.isEmpty || last == UInt8(ascii: ",") || last == UInt8(ascii: "{") || last == UInt8(ascii: "[")
                if isSurplus { index += 1 } else { emit(byte) }
            case UInt8(ascii: ":"): emit(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): if !skipMark() { number() }
            case _ where byte.isWordByte: word()
            case 0x20, 0x09, 0x0A, 0x0D:
                result.append(byte)
                index += 1
            default: if !skipMark() { index += 1 }
            }
        }
        while let bracket = open.popLast() {
            dropComma()
            result.append(bracket)
        }
    }

    /// Writes a byte and advances.
    private mutating func emit(_ byte: UInt8) {
        result.append(byte)
        last = byte
        index += 1
    }

    /// Writes the comma that is missing between two values.
    private mutating func separate() {
        let isAfterValue =
            last != 0 && last != UInt8(ascii: ",") && last != UInt8(ascii: ":") && last != UInt8(ascii: "{")
            && last != UInt8(ascii: "[")
        if isAfterValue, !open.isEmpty { result.append(UInt8(ascii: ",")) }
    }

    private mutating func close(_ bracket: UInt8) {
        defer { index += 1 }
        // A bracket that closes nothing is surplus. One that closes an outer value closes the inner ones too.
        guard let place = open.lastIndex(of: bracket) else { return }
        while open.count > place {
            dropComma()
            if last == UInt8(ascii: ":") { result += "null".utf8 }
            let due = open.removeLast()
            result.append(due)
            last = due
        }
        if open.isEmpty { last = 0 }
    }

    /// Removes a comma before a closing bracket.
    private mutating func dropComma() {
        guard last == UInt8(ascii: ",") else { return }
        if let place = result.lastIndex(of: UInt8(ascii: ",")) { result.remove(at: place) }
        last = UInt8(ascii: "1")
    }

    private mutating func number() {
        separate()
        while index < bytes.count, bytes[index].isNumberByte { emit(bytes[index]) }
    }

    private mutating func word() {
        var end = index
        while end < bytes.count, bytes[end] >= 0x80 || bytes[end].isWordByte { end += 1 }
        let start = index
        index = end
        separate()
        if next(end) == UInt8(ascii: ":") {
            result.append(UInt8(ascii: "\""))
            result += bytes[start..<end]
            result.append(UInt8(ascii: "\""))
        } else {
            let words: [StaticString] = ["true", "false", "null"]
            let isKnown = words.contains { $0.utf8CodeUnitCount == end - start && bytes.has($0, at: start) }
            if isKnown { result += bytes[start..<end] } else { result += "null".utf8 }
        }
        last = UInt8(ascii: "\"")
    }

    private mutating func string() {
        separate()
        // Appending to a variable is much faster than to a property.
        var result: [UInt8] = []
        swap(&result, &self.result)
        defer { swap(&result, &self.result) }
        result.append(UInt8(ascii: "\""))
        index += 1
        while index < bytes.count, !(bytes[index] == UInt8(ascii: "\"") && isEnd(index + 1)) {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                result.append(UInt8(ascii: "\\"))
                result.append(byte)
            case UInt8(ascii: "\\"):
                let following = index + 1 < bytes.count ? bytes[index + 1] : 0
                if following == UInt8(ascii: "u"), skipHalfPair(into: &result) { continue }
                if "\"\\/bfnrtu".utf8.contains(following) {
                    result.append(byte)
                    result.append(following)
                    index += 1
                }
            case 0x0A: result += "\\n".utf8
            case 0x0D: break
            case 0x09: result += "\\t".utf8
            case 0..<0x20: result.append(0x20)
            default: result.append(byte)
            }
            index += 1
        }
        result.append(UInt8(ascii: "\""))
        last = UInt8(ascii: "\"")
        index += 1
    }

    /// Replaces the escape of half a surrogate pair, and writes that of a whole one. Returns whether there was one.
    private mutating func skipHalfPair(into result: inout [UInt8]) -> Bool {
        func unit(_ position: Int) -> UInt16? {
            guard position + 6 <= bytes.count, bytes.has("\\u", at: position) else { return nil }
            let digits = String(decoding: bytes[position + 2..<position + 6], as: UTF8.self)
            return UInt16(digits, radix: 16)
        }
        guard let first = unit(index), (0xD800..<0xE000).contains(first) else { return false }
        if first < 0xDC00, let second = unit(index + 6), (0xDC00..<0xE000).contains(second) {
            result += bytes[index..<index + 12]
            index += 12
        } else {
            result += "\u{FFFD}".utf8
            index += 6
        }
        return true
    }

    /// Whether a quotation mark before a position ends a string: what may follow a string follows, another line begins
    /// with a quotation mark, or a name does.
    private func isEnd(_ position: Int) -> Bool {
        var (end, hasLineBreak) = (position, false)
        while end < bytes.count, bytes[end] <= 0x20 {
            hasLineBreak = hasLineBreak || bytes[end] == 0x0A
            end += 1
        }
        guard end < bytes.count else { return true }
        switch bytes[end] {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "/"): return true
        case UInt8(ascii: "\""): return hasLineBreak || end > position && isName(end + 1)
        default: return false
        }
    }

    /// Whether the name of a member begins at a position: letters, a quotation mark and a colon.
    private func isName(_ position: Int) -> Bool {
        var end = position
        while end < bytes.count, end - position < 64, bytes[end].isWordByte || bytes[end] == UInt8(ascii: ":") {
            end += 1
        }
        return end > position && end < bytes.count && bytes[end] == UInt8(ascii: "\"")
            && next(end + 1) == UInt8(ascii: ":")
    }

    /// The next byte that is not white space; 0 at the end.
    private func next(_ position: Int) -> UInt8 {
        var position = position
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        return position < bytes.count ? bytes[position] : 0
    }

    /// Skips a comment, or a mark of HTML or XML around a script. Returns whether there was one.
    private mutating func skipMark() -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "<"): skip("<!--") || skip("<![CDATA[")
        case UInt8(ascii: "-"): skip("-->")
        case UInt8(ascii: "]"): skip("]]>")
        case UInt8(ascii: "/"): skipComment()
        default: false
        }
    }

    private mutating func skip(_ mark: StaticString) -> Bool {
        guard bytes.has(mark, at: index) else { return false }
        index += mark.utf8CodeUnitCount
        return true
    }

    private mutating func skipComment() -> Bool {
        if bytes.has("//", at: index) {
            // A mark may follow the slashes, and the value that mark.
            var line = index + 2
            while line < bytes.count, bytes[line] == 0x20 { line += 1 }
            let marks: [StaticString] = ["<![CDATA[", "]]>", "-->"]
            if marks.contains(where: { bytes.has($0, at: line) }) {
                index += 2
            } else {
                index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
            }
            return true
        }
        guard bytes.has("/*", at: index) else { return false }
        index += 2
        while index < bytes.count,
            !(bytes[index] == UInt8(ascii: "*") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/"))
        {
            index += 1
        }
        index = min(index + 2, bytes.count)
        return true
    }
}

extension UInt8 {
    /// Whether it is part of a number.
    fileprivate var isNumberByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Whether it is a letter, a digit or a sign in a name of JavaScript.
    fileprivate var isWordByte: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
