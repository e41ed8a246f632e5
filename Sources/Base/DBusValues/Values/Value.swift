/// A value of any D-Bus type.
public enum Value: Hashable, Sendable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case boolean(Bool)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`: UTF-8 without zero bytes.
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(Signature)
    /// `h`
    case descriptor(UnixDescriptor)
    /// `ay`: received byte arrays always use this case.
    case bytes([UInt8])
    /// `a…` with any other element type, which all elements have.
    case array(of: ValueType, [Value])
    /// `a{…}`: entries keep their order.
    case dictionary(key: ValueType, value: ValueType, [Entry])
    /// `(…)`: at least one field.
    case structure([Value])
    /// `v`
    indirect case variant(Value)

    /// An entry of a dictionary.
    public struct Entry: Hashable, Sendable {
        /// The key, which has a basic type.
        public let key: Value
        /// The value.
        public let value: Value
        /// Creates an entry.
        public init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The type of the value.
    public var type: ValueType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .descriptor: .descriptor
        case .bytes: .array(.byte)
        case .array(let element, _): .array(element)
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        case .structure(let fields): .structure(fields.map(\.type))
        case .variant: .variant
        }
    }

    /// Whether the value contains no other values.
    package var isBasic: Bool {
        switch self {
        case .bytes, .array, .dictionary, .structure, .variant: false
        default: true
        }
    }

    /// Returns whether the value has the given type, without creating its ``type``.
    package func isOf(_ expected: ValueType) -> Bool {
        switch (self, expected) {
        case (.byte, .byte), (.boolean, .boolean), (.int16, .int16), (.uint16, .uint16), (.int32, .int32),
            (.uint32, .uint32), (.int64, .int64), (.uint64, .uint64), (.double, .double), (.string, .string),
            (.objectPath, .objectPath), (.signature, .signature), (.descriptor, .descriptor), (.variant, .variant),
            (.bytes, .array(.byte)):
            true
        case (.array(let element, _), .array(let type)): element == type
        case (.dictionary(let key, let value, _), .dictionary(let keyType, let valueType)):
            key == keyType && value == valueType
        case (.structure(let fields), .structure(let types)):
            fields.count == types.count && zip(fields, types).allSatisfy { $0.isOf($1) }
        default: false
        }
    }

    /// The value inside all enclosing variants.
    public var unwrapped: Value {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }
}
