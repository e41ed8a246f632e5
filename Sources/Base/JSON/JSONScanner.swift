internal import HunchModel
internal import Localization

/// A scanner that reads JSON text (RFC 8259) token by token, without a tree of values for millions of positions.
///
/// A NUL that is not part of the text must follow the bytes, so that looking one byte ahead stays within them.
///
/// Members are public because the compiler inlines no `package` functions into other modules. Without inlining,
/// positions take half as long again.
public struct JSONScanner {
    /// The maximum nesting of arrays and objects.
    public static let maximumDepth = 64

    /// A fault and the offset of its byte.
    public struct Fault: Error {
        /// The kind of a fault.
        public enum Kind: Sendable {
            /// The text is not JSON.
            case syntax
            /// Arrays and objects are nested too deeply.
            case depth
            /// The text is JSON, but not what its reader wants. The reader has a code for that.
            case content(String)
        }

        /// The kind of the fault.
        public let kind: Kind
        /// The fault in words, without its position.
        public let reason: String
        /// The offset of the faulty byte.
        public let offset: Int
    }

    /// The part of the text that a reader expects.
    public enum Wanted: Sendable {
        case value, string, name, colon, number, digit, decimal, exponent, array, object
        /// A comma or the end of the array.
        case nextElement
        /// A comma or the end of the object.
        case nextMember

        fileprivate var words: String {
            switch self {
            case .value: localizedIn("JSON", "a value")
            case .string: localizedIn("JSON", "a string in double quotation marks")
            case .name: localizedIn("JSON", "a name in double quotation marks")
            case .colon: localizedIn("JSON", "a colon after the name")
            case .number: localizedIn("JSON", "a number")
            case .digit: localizedIn("JSON", "a digit")
            case .decimal: localizedIn("JSON", "a digit after the decimal point")
            case .exponent: localizedIn("JSON", "a digit in the exponent")
            case .array: localizedIn("JSON", "an array")
            case .object: localizedIn("JSON", "an object")
            case .nextElement: localizedIn("JSON", "a comma or the end of the array")
            case .nextMember: localizedIn("JSON", "a comma or the end of the object")
            }
        }
    }

    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline let end: Int
    /// The offset of the next byte. A reader may set it to the start of a value that it skipped.
    public var offset = 0
    @usableFromInline var depth = 0
    /// The maximum number of values that ``value()`` reads. The others are left out, unchecked.
    public var valueLimit = Int.max
    /// The number of values that were read.
    public private(set) var valueCount = 0
    /// Whether no more values are read.
    public var isFull: Bool { valueCount >= valueLimit }
    /// Whether values were left out.
    public private(set) var isCut = false

    /// Creates a scanner of a text, possibly with a byte order mark.
    ///
    /// - Parameter bytes: the text and a NUL. They must outlive the scanner.
    public init(nulTerminated bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.last == 0, "the text must end with a NUL")
        // A buffer with a last element has a base address.
        self.bytes = bytes.baseAddress.unsafelyUnwrapped
        end = bytes.count - 1
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Returns a fault, by default at the next byte.
    public func fault(_ reason: String, _ kind: Fault.Kind = .syntax, at offset: Int? = nil) -> Fault {
        Fault(kind: kind, reason: reason, offset: offset ?? self.offset)
    }

    /// Returns the next byte that is not white space without consuming it. Returns NUL at the end.
    @inlinable @inline(__always)
    public mutating func peek() -> UInt8 {
        while true {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            offset += 1
        }
    }

    /// Returns the fault that something else, or nothing, is at the next byte.
    @inline(never) @usableFromInline
    func missing(_ wanted: Wanted, at start: Int? = nil) -> Fault {
        let reason: StaticString =
            (start ?? offset) >= end ? localizable("the text ends before %1") : localizable("expected %1")
        return fault(localized(reason, wanted.words), at: start)
    }

    /// - Parameter wanted: the meaning of the byte.
    @inlinable
    mutating func expect(_ byte: UInt8, _ wanted: Wanted) throws(Fault) {
        guard peek() == byte else { throw missing(wanted) }
        offset += 1
    }

    /// Checks that only white space is left.
    public mutating func finish() throws(Fault) {
        _ = peek()
        guard offset == end else { throw fault(localized("expected the end of the text")) }
    }

    // MARK: Containers

    /// Calls `body` for each element of an array. It must read or skip the element.
    @inlinable @inline(__always)
    public mutating func elements(_ body: (inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
        try expect(UInt8(ascii: "["), .array)
        try enter()
        defer { depth -= 1 }
        if peek() == UInt8(ascii: "]") {
            offset += 1
            return
        }
        while true {
            try body(&self)
            if peek() == UInt8(ascii: ",") {
                offset += 1
            } else {
                return try expect(UInt8(ascii: "]"), .nextElement)
            }
        }
    }

    /// Calls `body` with the name of each member of an object. It must read or skip the value.
    public mutating func members(_ body: (String, inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
        try expect(UInt8(ascii: "{"), .object)
        try enter()
        defer { depth -= 1 }
        if peek() == UInt8(ascii: "}") {
            offset += 1
            return
        }
        while true {
            let name = try string(.name)
            try expect(UInt8(ascii: ":"), .colon)
            try body(name, &self)
            if peek() == UInt8(ascii: ",") {
                offset += 1
            } else {
                return try expect(UInt8(ascii: "}"), .nextMember)
            }
        }
    }

    @inlinable
    mutating func enter() throws(Fault) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw tooDeep }
    }

    @usableFromInline var tooDeep: Fault {
        fault(localized("arrays and objects are nested deeper than %1", Self.maximumDepth), .depth)
    }

    // MARK: Values

    /// Reads any value.
    public mutating func value() throws(Fault) -> JSONValue {
        valueCount += 1
        switch peek() {
        case UInt8(ascii: "{"):
            var object: [String: JSONValue] = [:]
            try members { (name, scanner) throws(Fault) in
                if scanner.isFull { try scanner.leaveOut() } else { object[name] = try scanner.value() }
            }
            return .object(object)
        case UInt8(ascii: "["):
            var array: [JSONValue] = []
            try elements { (scanner) throws(Fault) in
                if scanner.isFull { try scanner.leaveOut() } else { array.append(try scanner.value()) }
            }
            return .array(array)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try word("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default: return .number(try number(.value))
        }
    }

    /// Passes over a value that is beyond ``valueLimit``, to the bracket or comma after it.
    private mutating func leaveOut() throws(Fault) {
        isCut = true
        var open = 0
        while true {
            switch peek() {
            case UInt8(ascii: "\""):
                offset += 1
                while bytes[offset] != UInt8(ascii: "\"") {
                    guard offset < end else { throw fault(localized("a string is not closed")) }
                    offset += bytes[offset] == UInt8(ascii: "\\") && offset + 1 < end ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return }
                open -= 1
            case UInt8(ascii: ","): if open == 0 { return }
            default: guard offset < end else { throw fault(localized("an object or an array is not closed")) }
            }
            offset += 1
        }
    }

    /// Skips a value after checking its grammar.
    public mutating func skip() throws(Fault) {
        switch peek() {
        case UInt8(ascii: "{"): try members { (_, scanner) throws(Fault) in try scanner.skip() }
        case UInt8(ascii: "["): try elements { (scanner) throws(Fault) in try scanner.skip() }
        default: _ = try value()
        }
    }

    /// Reads a string, a number or a boolean as its text; `nil` for null, and for arrays and objects, which are skipped.
    public mutating func text() throws(Fault) -> String? {
        let first = peek()
        if first == UInt8(ascii: "\"") { return try string() }
        let start = offset
        try skip()
        if [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n")].contains(first) { return nil }
        return String(decoding: UnsafeBufferPointer(start: bytes + start, count: offset - start), as: UTF8.self)
    }

    /// Reads a word such as `null`.
    public mutating func word(_ word: StaticString) throws(Fault) {
        let start = offset
        for index in 0..<word.utf8CodeUnitCount {
            guard bytes[offset] == word.utf8Start[index] else { throw missing(.value, at: start) }
            offset += 1
        }
    }

    /// Reads a number. Returns infinity if it is too large for a `Double`.
    ///
    /// - Parameter wanted: what the error says if there is no number.
    @inlinable @inline(__always)
    public mutating func number(_ wanted: Wanted = .number) throws(Fault) -> Double {
        _ = peek()
        let start = offset
        let negative = bytes[offset] == UInt8(ascii: "-")
        if negative { offset += 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var exponent = 0
        func digit(_ offset: Int) -> UInt64? {
            let value = bytes[offset] &- UInt8(ascii: "0")
            return value < 10 ? UInt64(value) : nil
        }
        guard let first = digit(offset) else {
            if offset >= end { throw missing(negative ? .digit : wanted) }
            throw unknownValue(at: start) ?? missing(wanted, at: start)
        }
        // The mantissa of more than nineteen digits overflows. `slowNumber` then reads the number from its text.
        while let next = digit(offset) {
            mantissa = mantissa &* 10 &+ next
            digits += 1
            offset += 1
        }
        if first == 0, digits > 1 { throw leadingZero(at: start) }
        if bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            guard digit(offset) != nil else { throw missing(.decimal) }
            while let next = digit(offset) {
                mantissa = mantissa &* 10 &+ next
                digits += 1
                exponent -= 1
                offset += 1
            }
        }
        if bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            let below = bytes[offset] == UInt8(ascii: "-")
            if below || bytes[offset] == UInt8(ascii: "+") { offset += 1 }
            guard digit(offset) != nil else { throw missing(.exponent) }
            var power = 0
            while let next = digit(offset) {
                power = min(power * 10 + Int(next), 100_000)
                offset += 1
            }
            exponent += below ? -power : power
        }
        // The mantissa and the power of ten are exact as a Double, so the result is rounded only once.
        if digits <= 19, mantissa < 1 << 53, (-22...22).contains(exponent) {
            let whole = Double(mantissa)
            let value = exponent < 0 ? whole / Self.powersOfTen[-exponent] : whole * Self.powersOfTen[exponent]
            return negative ? -value : value
        }
        return try slowNumber(from: start)
    }

    /// Returns the fault of a non-JSON number such as NaN or of single quotation marks, otherwise `nil`.
    @inline(never) @usableFromInline
    func unknownValue(at start: Int) -> Fault? {
        if bytes[start] == UInt8(ascii: "'") {
            return fault(localized("a string needs double quotation marks, not single ones"), at: start)
        }
        let rest = UnsafeBufferPointer(start: bytes + start, count: end - start)
        let words = ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "-NaN", "-nan"]
        return words.first { rest.starts(with: $0.utf8) }
            .map { fault(localized("%1 is not a number in JSON", $0), at: start) }
    }

    @inline(never) @usableFromInline
    func leadingZero(at start: Int) -> Fault { fault(localized("a number has a leading zero"), at: start) }

    @inline(never) @usableFromInline
    func slowNumber(from start: Int) throws(Fault) -> Double {
        let text = String(decoding: UnsafeBufferPointer(start: bytes + start, count: offset - start), as: UTF8.self)
        guard let value = Double(text) else { throw missing(.number, at: start) }
        return value
    }

    @usableFromInline static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Returns the line and column of a byte, from 1.
    public func place(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, end) {
            if bytes[index] == 0x0A {
                line += 1
                column = 1
            } else if bytes[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
