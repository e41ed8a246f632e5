internal import CDBus
internal import Glibc

/// Decodes the arguments of a message that libdbus has validated, within a memory budget.
struct MessageDecoder {
    private var budget: Int
    private let limit: Int
    /// The memory of a value itself: its place in an array that grows by doubling, or a box.
    private static let valueCost = 2 * MemoryLayout<Value>.stride
    /// The overhead of a heap allocation.
    private static let storageCost = 48

    /// The memory that the values read so far use, in bytes; an upper bound.
    var cost: Int { limit - budget }

    init(limit: Int) {
        self.limit = limit
        budget = limit
    }

    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` if the values use more memory than allowed.
    mutating func body(of message: OpaquePointer, cache: inout SignatureCache) throws(DBusError) -> [Value] {
        var iterator = DBusMessageIter()
        // FALSE: there are no arguments.
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        var values: [Value] = []
        while true {
            let code = dbus_message_iter_get_arg_type(&iterator)
            if code == DBusTypeCode.invalid { return values }
            let type = try type(of: &iterator, code, &cache)
            values.append(try value(&iterator, type, &cache))
            dbus_message_iter_next(&iterator)
        }
    }

    /// Returns the type of the value at an iterator's position.
    private func type(
        of iterator: inout DBusMessageIter, _ code: Int32, _ cache: inout SignatureCache
    ) throws(DBusError) -> ValueType {
        if let basic = ValueType(basicCode: UInt8(truncatingIfNeeded: code)) { return basic }
        if code == DBusTypeCode.variant { return .variant }
        // NULL: out of memory. We free the text.
        guard let text = dbus_message_iter_get_signature(&iterator) else { throw DBusError(.noMemory, "out of memory") }
        defer { dbus_free(text) }
        guard let type = try cache.types(String(cString: text)).first else {
            throw DBusError(.inconsistentMessage, "a value has no type")
        }
        return type
    }

    /// Charges one value to the budget.
    private mutating func spend() throws(DBusError) { try pay(Self.valueCost) }

    /// Charges a value's heap storage to the budget.
    private mutating func spend(storage bytes: Int) throws(DBusError) { try pay(Self.storageCost + bytes) }

    private mutating func pay(_ bytes: Int) throws(DBusError) {
        budget -= bytes
        if budget < 0 {
            throw DBusError(.limitsExceeded, "the message's values take more than \(limit) bytes")
        }
    }

    private mutating func value(
        _ iterator: inout DBusMessageIter, _ type: ValueType, _ cache: inout SignatureCache
    ) throws(DBusError) -> Value {
        switch type {
        case .array(.byte): return try bytes(&iterator)
        case .array(let element):
            return .array(of: element, try elements(&iterator, &cache) { _ in element })
        case .dictionary(let key, let value):
            return try dictionary(&iterator, key, value, &cache)
        case .structure(let fields):
            return .structure(try elements(&iterator, &cache) { fields[$0] })
        case .variant:
            try spend()
            try spend(storage: MemoryLayout<Value>.size)
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            let content = try self.type(of: &inner, dbus_message_iter_get_arg_type(&inner), &cache)
            return .variant(try value(&inner, content, &cache))
        default:
            return try basic(&iterator, type, &cache)
        }
    }

    private mutating func elements(
        _ iterator: inout DBusMessageIter, _ cache: inout SignatureCache, type: (Int) -> ValueType
    ) throws(DBusError) -> [Value] {
        try spend()
        try spend(storage: 0)
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        var values: [Value] = []
        while dbus_message_iter_get_arg_type(&inner) != DBusTypeCode.invalid {
            values.append(try value(&inner, type(values.count), &cache))
            dbus_message_iter_next(&inner)
        }
        return values
    }

    private mutating func dictionary(
        _ iterator: inout DBusMessageIter, _ key: ValueType, _ value: ValueType, _ cache: inout SignatureCache
    ) throws(DBusError) -> Value {
        try spend()
        try spend(storage: 0)
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        var entries: [Value.Entry] = []
        while dbus_message_iter_get_arg_type(&inner) != DBusTypeCode.invalid {
            var pair = DBusMessageIter()
            dbus_message_iter_recurse(&inner, &pair)
            let entryKey = try self.value(&pair, key, &cache)
            dbus_message_iter_next(&pair)
            entries.append(Value.Entry(key: entryKey, value: try self.value(&pair, value, &cache)))
            dbus_message_iter_next(&inner)
        }
        return .dictionary(key: key, value: value, entries)
    }

    private mutating func bytes(_ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner, &start, &count)
        try spend()
        try spend(storage: Int(count))
        return .bytes(Array(UnsafeBufferPointer(start: start, count: Int(count))))
    }

    private mutating func basic(
        _ iterator: inout DBusMessageIter, _ type: ValueType, _ cache: inout SignatureCache
    ) throws(DBusError) -> Value {
        // Charged before a descriptor is taken from the message, because an error afterwards would leak it.
        try spend()
        var basic = DBusBasicValue()
        dbus_message_iter_get_basic(&iterator, &basic)
        switch type {
        case .byte: return .byte(basic.byt)
        case .boolean: return .boolean(basic.bool_val != 0)
        case .int16: return .int16(basic.i16)
        case .uint16: return .uint16(basic.u16)
        case .int32: return .int32(basic.i32)
        case .uint32: return .uint32(basic.u32)
        case .int64: return .int64(Int64(basic.i64))
        case .uint64: return .uint64(UInt64(basic.u64))
        case .double: return .double(basic.dbl)
        case .descriptor:
            // −1: the process had no descriptor left for the duplicate. Otherwise we own the duplicate.
            guard basic.fd >= 0 else { throw DBusError(.limitsExceeded, "this process has no file descriptor left") }
            return .descriptor(UnixDescriptor(owning: basic.fd))
        case .objectPath: return .objectPath(ObjectPath(unchecked: try text(basic)))
        case .signature: return .signature(try cache.signature(try text(basic)))
        default: return .string(try text(basic))
        }
    }

    private mutating func text(_ basic: DBusBasicValue) throws(DBusError) -> String {
        guard let characters = basic.str else { return "" }
        try spend(storage: strlen(characters))
        return String(cString: characters)
    }
}

/// A cache of parsed signatures. It holds at most 256, because a peer chooses them.
struct SignatureCache {
    private var signatures: [String: Signature] = [:]

    mutating func signature(_ text: String) throws(DBusError) -> Signature {
        if let known = signatures[text] { return known }
        let signature = try Signature(text)
        if signatures.count >= 256 { signatures.removeAll() }
        signatures[text] = signature
        return signature
    }

    mutating func types(_ text: String) throws(DBusError) -> [ValueType] { try signature(text).types }
}

/// The type codes of libdbus, which are macros that Swift does not import.
enum DBusTypeCode {
    static let invalid: Int32 = 0
    static let array = Int32(UInt8(ascii: "a"))
    static let structure = Int32(UInt8(ascii: "r"))
    static let dictionaryEntry = Int32(UInt8(ascii: "e"))
    static let variant = Int32(UInt8(ascii: "v"))
}
