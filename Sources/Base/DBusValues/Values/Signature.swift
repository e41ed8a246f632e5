/// A sequence of complete types: at most 255 bytes, with arrays and structures each nested at most 32 deep.
///
/// Source: D-Bus specification, "Valid signatures".
public struct Signature: Hashable, Sendable, CustomStringConvertible {
    /// The complete types, in order.
    public let types: [ValueType]
    /// The signature as text.
    public let text: String

    /// Parses a signature.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidSignature` and a message that says what is wrong.
    public init(_ text: String) throws(DBusError) {
        guard text.utf8.count <= 255 else {
            throw DBusError(.invalidSignature, "a signature is at most 255 bytes long, this one is \(text.utf8.count)")
        }
        var parser = Parser(bytes: Array(text.utf8))
        self.types = try parser.parse()
        self.text = text
    }

    /// Creates a signature from types.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidSignature` if it would be too long or too deeply nested.
    public init(of types: [ValueType]) throws(DBusError) {
        try self.init(types.map(\.description).joined())
    }

    /// The signature as text.
    public var description: String { text }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0

        mutating func parse() throws(DBusError) -> [ValueType] {
            var types: [ValueType] = []
            while index < bytes.count { types.append(try completeType(arrays: 0, structures: 0)) }
            return types
        }

        private mutating func completeType(arrays: Int, structures: Int) throws(DBusError) -> ValueType {
            guard index < bytes.count else { throw fault("a type is missing at the end") }
            let code = bytes[index]
            index += 1
            if let basic = ValueType(basicCode: code) { return basic }
            switch code {
            case UInt8(ascii: "v"): return .variant
            case UInt8(ascii: "a"):
                guard arrays < 32 else { throw fault("arrays are nested deeper than 32") }
                if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
                    return try dictionary(arrays: arrays + 1, structures: structures)
                }
                return .array(try completeType(arrays: arrays + 1, structures: structures))
            case UInt8(ascii: "("):
                guard structures < 32 else { throw fault("structures are nested deeper than 32") }
                var fields: [ValueType] = []
                while index < bytes.count, bytes[index] != UInt8(ascii: ")") {
                    fields.append(try completeType(arrays: arrays, structures: structures + 1))
                }
                guard index < bytes.count else { throw fault("a structure is not closed") }
                guard !fields.isEmpty else { throw fault("a structure is empty") }
                index += 1
                return .structure(fields)
            default:
                throw fault("byte \(index) is not a type")
            }
        }

        private mutating func dictionary(arrays: Int, structures: Int) throws(DBusError) -> ValueType {
            // A dictionary entry counts neither as an array nor as a structure.
            index += 1
            let key = try completeType(arrays: arrays, structures: structures)
            guard key.isBasic else { throw fault("a dictionary key is not of a basic type") }
            let value = try completeType(arrays: arrays, structures: structures)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else {
                throw fault("a dictionary entry must have exactly two types")
            }
            index += 1
            return .dictionary(key: key, value: value)
        }

        private func fault(_ reason: String) -> DBusError {
            DBusError(.invalidSignature, "“\(String(decoding: bytes, as: UTF8.self))” is not a signature: \(reason)")
        }
    }
}

extension Signature: ExpressibleByStringLiteral {
    /// Creates a signature from a literal. Traps if it is invalid.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try Signature(text.description) } }
}
