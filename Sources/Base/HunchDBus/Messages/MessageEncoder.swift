internal import CDBus
internal import Glibc

/// Appends arguments to a message, after checking everything that would make libdbus abort.
struct MessageEncoder {
    /// The maximum length of an array, in bytes (D-Bus specification, "Marshaling containers").
    static let maximumArrayBytes = 1 << 26
    /// The maximum length of a body, in bytes. D-Bus allows 2²⁷ for a message; 2²⁰ of these are left for the header.
    static let maximumBodyBytes = (1 << 27) - (1 << 20)
    /// The maximum number of descriptors in a message: libdbus's default, which every bus accepts.
    static let maximumDescriptors = 16

    private let limit: Int
    /// The length of the encoded body so far, in bytes.
    private(set) var offset = 0
    private var depth = 0
    private var descriptors = 0

    /// - Parameter limit: the maximum length of the body in bytes, capped at ``maximumBodyBytes``.
    init(limit: Int) { self.limit = min(limit, Self.maximumBodyBytes) }

    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` for too much data; `…InvalidArgs` for text with a zero
    ///   byte, an element that does not have its container's type, or a closed descriptor; `…InvalidSignature` for
    ///   types that fit in no signature; `…NoMemory`.
    mutating func append(_ values: [Value], to message: OpaquePointer) throws(DBusError) {
        guard !values.isEmpty else { return }
        // Basic types always form valid signatures. Containers are checked as a whole.
        if values.count > 255 || !values.allSatisfy({ $0.isBasic }) { _ = try Signature(of: values.map(\.type)) }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for value in values { try append(value, &iterator) }
    }

    private mutating func grow(_ bytes: Int, alignment: Int) throws(DBusError) {
        offset = (offset + alignment - 1) / alignment * alignment + bytes
        if offset > limit { throw DBusError(.limitsExceeded, "the message is longer than \(limit) bytes") }
    }

    private mutating func append(_ value: Value, _ iterator: inout DBusMessageIter) throws(DBusError) {
        switch value {
        case .byte(let number): try fixed(number, "y", &iterator)
        case .boolean(let flag): try fixed(UInt32(flag ? 1 : 0), "b", &iterator)
        case .int16(let number): try fixed(number, "n", &iterator)
        case .uint16(let number): try fixed(number, "q", &iterator)
        case .int32(let number): try fixed(number, "i", &iterator)
        case .uint32(let number): try fixed(number, "u", &iterator)
        case .int64(let number): try fixed(number, "x", &iterator)
        case .uint64(let number): try fixed(number, "t", &iterator)
        case .double(let number): try fixed(number, "d", &iterator)
        case .string(let text): try string(text, "s", &iterator)
        case .objectPath(let path): try string(path.text, "o", &iterator)
        case .signature(let signature):
            try grow(signature.text.utf8.count + 2, alignment: 1)
            try pointer(signature.text, "g", &iterator)
        case .descriptor(let descriptor): try append(descriptor, &iterator)
        case .bytes(let bytes): try append(bytes, &iterator)
        case .array(let element, let values): try array(of: element, values, &iterator)
        case .dictionary(let key, let type, let entries): try dictionary(key, type, entries, &iterator)
        case .structure(let fields):
            try grow(0, alignment: 8)
            try container(DBusTypeCode.structure, nil, &iterator) { (encoder, inner) throws(DBusError) in
                for field in fields { try encoder.append(field, &inner) }
            }
        case .variant(let inside):
            let signature = inside.isBasic ? inside.type.description : try Signature(of: [inside.type]).text
            try grow(signature.utf8.count + 2, alignment: 1)
            try container(DBusTypeCode.variant, signature, &iterator) { (encoder, inner) throws(DBusError) in
                try encoder.append(inside, &inner)
            }
        }
    }

    private mutating func fixed<Number: BitwiseCopyable>(
        _ number: Number, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        try grow(MemoryLayout<Number>.size, alignment: MemoryLayout<Number>.size)
        var number = number
        // FALSE: out of memory; the message is then unusable. The number is copied.
        guard dbus_message_iter_append_basic(&iterator, Int32(code.value), &number) != 0 else {
            throw DBusError(.noMemory, "out of memory")
        }
    }

    private mutating func append(
        _ descriptor: UnixDescriptor, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        descriptors += 1
        guard descriptors <= Self.maximumDescriptors else {
            throw DBusError(.limitsExceeded, "a message holds at most \(Self.maximumDescriptors) file descriptors")
        }
        try grow(4, alignment: 4)
        try descriptor.withDescriptor { (number) throws(DBusError) in
            guard number >= 0 else { throw DBusError(.invalidArgs, "the file descriptor was already taken") }
            var number = number
            // FALSE: not duplicated, or out of memory; the message is then unusable. We keep the descriptor.
            guard dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "h")), &number) != 0 else {
                throw DBusError(.invalidArgs, "file descriptor \(number) cannot be duplicated; is it open?")
            }
        }
    }

    private mutating func string(
        _ text: String, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        try grow(text.utf8.count + 5, alignment: 4)
        try pointer(text, code, &iterator)
    }

    private func pointer(
        _ text: String, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        let length = text.utf8.count
        let appended: dbus_bool_t? = text.withCString { characters in
            if strlen(characters) != length { return nil }
            var characters: UnsafePointer<CChar>? = characters
            return dbus_message_iter_append_basic(&iterator, Int32(code.value), &characters)
        }
        guard let appended else { throw DBusError(.invalidArgs, "text on the bus must not contain a zero byte") }
        // FALSE: out of memory; the message is then unusable. The text is copied.
        guard appended != 0 else { throw DBusError(.noMemory, "out of memory") }
    }

    private mutating func append(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) throws(DBusError) {
        try grow(4, alignment: 4)
        try grow(bytes.count, alignment: 1)
        try check(arrayFrom: offset - bytes.count)
        try container(DBusTypeCode.array, "y", &iterator) { (_, inner) throws(DBusError) in
            let appended = bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return buffer.isEmpty
                    ? 1
                    : dbus_message_iter_append_fixed_array(
                        &inner, Int32(UInt8(ascii: "y")), &start, Int32(buffer.count))
            }
            // FALSE: out of memory. The bytes are copied.
            guard appended != 0 else { throw DBusError(.noMemory, "out of memory") }
        }
    }

    private mutating func array(
        of element: ValueType, _ values: [Value], _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        try grow(4, alignment: 4)
        try grow(0, alignment: element.alignment)
        let start = offset
        try container(DBusTypeCode.array, element.description, &iterator) { (encoder, inner) throws(DBusError) in
            for value in values {
                try encoder.match(value, element)
                try encoder.append(value, &inner)
            }
        }
        try check(arrayFrom: start)
    }

    private mutating func dictionary(
        _ key: ValueType, _ type: ValueType, _ entries: [Value.Entry], _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        try grow(4, alignment: 4)
        try grow(0, alignment: 8)
        let start = offset
        try container(DBusTypeCode.array, "{\(key)\(type)}", &iterator) { (encoder, inner) throws(DBusError) in
            for entry in entries {
                try encoder.match(entry.key, key)
                try encoder.match(entry.value, type)
                try encoder.grow(0, alignment: 8)
                try encoder.container(DBusTypeCode.dictionaryEntry, nil, &inner) { (encoder, pair) throws(DBusError) in
                    try encoder.append(entry.key, &pair)
                    try encoder.append(entry.value, &pair)
                }
            }
        }
        try check(arrayFrom: start)
    }

    private func match(_ value: Value, _ type: ValueType) throws(DBusError) {
        if !value.isOf(type) { throw .mismatch(expected: type, found: value) }
    }

    private func check(arrayFrom start: Int) throws(DBusError) {
        if offset - start > Self.maximumArrayBytes {
            throw DBusError(.limitsExceeded, "an array is longer than \(Self.maximumArrayBytes) bytes")
        }
    }

    private mutating func container(
        _ code: Int32, _ signature: String?, _ iterator: inout DBusMessageIter,
        _ body: (inout MessageEncoder, inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        guard depth < 64 else { throw DBusError(.limitsExceeded, "values are nested deeper than 64") }
        depth += 1
        defer { depth -= 1 }
        var inner = DBusMessageIter()
        // FALSE: out of memory; nothing was opened.
        guard dbus_message_iter_open_container(&iterator, code, signature, &inner) != 0 else {
            throw DBusError(.noMemory, "out of memory")
        }
        do {
            try body(&self, &inner)
        } catch {
            // The appended values are freed with the message.
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        // FALSE: out of memory; the message is then unusable.
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else {
            throw DBusError(.noMemory, "out of memory")
        }
    }
}

extension ValueType {
    /// The alignment of a value of this type, in bytes.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .descriptor, .array, .dictionary: 4
        case .int64, .uint64, .double, .structure: 8
        }
    }
}
