// Dynamic languages choose the type of a value by the value alone: a whole number becomes `i`, and a dictionary of texts
// `a{ss}`. So a value of another type that means the same is taken.

extension Value {
    /// Returns the value of another type that means the same; `nil` if there is none.
    ///
    /// A number becomes any number type that holds it exactly. Text becomes an object path, its UTF-8 bytes, or a list of
    /// one text. Variants are opened or added. Elements of arrays, dictionaries and structures are converted one by one.
    package func converted(to type: ValueType) -> Value? {
        if isOf(type) { return self }
        switch (self, type) {
        case (_, .variant): return .variant(self)
        case (.variant(let content), _): return content.converted(to: type)
        case (.string(let text), .objectPath): return (try? ObjectPath(text)).map(Value.objectPath)
        case (.string(let text), .array(.byte)): return .bytes(Array(text.utf8))
        case (.string, .array(.string)): return .array(of: .string, [self])
        case (.array(_, let values), .array(.byte)):
            let bytes: [UInt8]? = Self.all(values) { $0.whole() }
            return bytes.map(Value.bytes)
        case (.array(_, let values), .array(let element)):
            return Self.all(values) { $0.converted(to: element) }.map { .array(of: element, $0) }
        case (.dictionary(_, _, let entries), .dictionary(let key, let value)):
            return Self.all(entries) { entry in
                guard let newKey = entry.key.converted(to: key), let new = entry.value.converted(to: value) else {
                    return nil
                }
                return Entry(key: newKey, value: new)
            }.map { .dictionary(key: key, value: value, $0) }
        case (.structure(let fields), .structure(let types)) where fields.count == types.count:
            return Self.all(Array(zip(fields, types))) { $0.converted(to: $1) }.map(Value.structure)
        default: return number(of: type)
        }
    }

    /// Returns the results for all items; `nil` if there is none for one of them.
    private static func all<Item, Result>(_ items: [Item], _ convert: (Item) -> Result?) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(items.count)
        for item in items {
            guard let result = convert(item) else { return nil }
            results.append(result)
        }
        return results
    }

    private func number(of type: ValueType) -> Value? {
        switch type {
        case .byte: whole().map(Value.byte)
        case .int16: whole().map(Value.int16)
        case .uint16: whole().map(Value.uint16)
        case .int32: whole().map(Value.int32)
        case .uint32: whole().map(Value.uint32)
        case .int64: whole().map(Value.int64)
        case .uint64: whole().map(Value.uint64)
        case .double: double.map(Value.double)
        default: nil
        }
    }

    /// Returns the number if it is whole and in the range of its new type.
    private func whole<Number: FixedWidthInteger>() -> Number? {
        switch self {
        case .byte(let number): Number(exactly: number)
        case .int16(let number): Number(exactly: number)
        case .uint16(let number): Number(exactly: number)
        case .int32(let number): Number(exactly: number)
        case .uint32(let number): Number(exactly: number)
        case .int64(let number): Number(exactly: number)
        case .uint64(let number): Number(exactly: number)
        case .double(let number): Number(exactly: number)
        case .variant(let content): content.whole()
        default: nil
        }
    }

    /// The number, if a floating-point number holds it exactly.
    private var double: Double? {
        switch self {
        case .double(let number): number
        case .uint64(let number): Double(exactly: number)
        default: (whole() as Int64?).flatMap { Double(exactly: $0) }
        }
    }

    /// The value as text: a text, a number, `true` or `false`; `nil` for others.
    package var scalarText: String? {
        switch unwrapped {
        case .string(let text): text
        case .boolean(let flag): flag ? "true" : "false"
        case let value: value.numberText
        }
    }

    /// The number as text; `nil` if it is not a number.
    fileprivate var numberText: String? {
        if case .double(let number) = self { return "\(number)" }
        if case .uint64(let number) = self { return "\(number)" }
        return (whole() as Int64?).map { "\($0)" }
    }
}

extension ValueType {
    /// The least and the greatest number of a type of whole numbers.
    fileprivate var range: (least: String, greatest: String)? {
        func range<Number: FixedWidthInteger>(_ type: Number.Type) -> (String, String) {
            ("\(type.min)", "\(type.max)")
        }
        return switch self {
        case .byte: range(UInt8.self)
        case .int16: range(Int16.self)
        case .uint16: range(UInt16.self)
        case .int32: range(Int32.self)
        case .uint32: range(UInt32.self)
        case .int64: range(Int64.self)
        case .uint64: range(UInt64.self)
        default: nil
        }
    }
}

extension DBusRepresentable {
    /// Reads a value of this type, or of another type that means the same.
    ///
    /// - Throws: ``DBusError``, as ``init(dbusValue:)``.
    package static func reading(_ value: Value) throws(DBusError) -> Self {
        do {
            return try Self(dbusValue: value)
        } catch {
            guard !value.isOf(dbusType), let converted = value.converted(to: dbusType) else { throw error }
            return try Self(dbusValue: converted)
        }
    }
}

extension [String: Value] {
    /// Returns the value of a key as a Swift type, or `nil` if the key is absent. A value of another type is taken if it
    /// means the same: a number of any type that is in the range, or a dictionary or an array of other values.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs`, naming the key, if its value has another type; the error of
    ///   `Result` if it refuses a value of its own type.
    public func value<Result: DBusRepresentable>(
        _ key: String, as type: Result.Type = Result.self
    ) throws(DBusError) -> Result? {
        guard let value = self[key] else { return nil }
        do {
            return try Result.reading(value)
        } catch {
            guard value.converted(to: Result.dbusType) == nil else { throw error }
            if let range = Result.dbusType.range, let number = value.unwrapped.numberText {
                throw DBusError(
                    .invalidArgs,
                    "“\(key)” must be a whole number from \(range.least) to \(range.greatest), not \(number)")
            }
            throw DBusError(
                .invalidArgs, "“\(key)” must be of type “\(Result.dbusType)”, not “\(value.type)”")
        }
    }
}
