internal import FoundationEssentials
public import HunchDBus
public import HunchModel

// A searchable item as `a{sv}`; the keys are described in org.hunch.Index1.xml.

extension SearchableItem: MapValue {
    /// Reads an item.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` for an unknown key or an item
    ///   that cannot be indexed. The message names the item and the reason.
    public init(transfer map: VariantMap) throws(DBusError) {
        self.init(id: try map.value("id", as: String.self) ?? "", attributes: [:])
        do throws(DBusError) {
            try read(map)
        } catch {
            throw DBusError(error.name, "item “\(id.cut(to: 80))”: \(error.message)")
        }
    }

    private mutating func read(_ map: VariantMap) throws(DBusError) {
        try map.checkKeys("id", "domain", "expires", "protected", "public", "attributes")
        domain = (try map.value("domain", as: String.self)).flatMap { $0.isEmpty ? nil : $0 }
        if let date = try map.date(microseconds: "expires"), date.timeIntervalSince1970 > 0 {
            expiry = date
        }
        if try map.value("protected", as: Bool.self) == true { protection = .unlocked }
        isPublic = try map.value("public", as: Bool.self) ?? false
        for (name, value) in try map.value("attributes", as: VariantMap.self) ?? [:] {
            attributes[name] = try AttributeValue(dbusValue: value, of: name)
        }
        if let problem { throw DBusError(.invalidInput, problem) }
    }

    /// The item with the same keys. Absent values have no key.
    public var transfer: VariantMap {
        var map: VariantMap = ["id": .string(id), "attributes": attributes.transfer.dbusValue]
        map["domain"] = domain.map(Value.string)
        map["expires"] = expiry.map { .uint64($0.microseconds) }
        if protection == .unlocked { map["protected"] = .boolean(true) }
        if isPublic { map["public"] = .boolean(true) }
        return map
    }
}

extension [String: AttributeValue] {
    /// The attributes as `a{sv}`. Dates are numbers of seconds.
    var transfer: VariantMap { mapValues(\.dbusValue) }
}

extension AttributeValue {
    /// Reads the value of an attribute. For attributes that are dates, a whole number is microseconds since 1970, `d` seconds,
    /// and text a date as in ISO 8601.
    ///
    /// - Throws: ``DBusError`` `InvalidInput` for another type.
    init(dbusValue value: Value, of name: String) throws(DBusError) {
        let type = SearchableAttribute.standard[name]?.type
        if type == .date, let date = try Self.date(value.unwrapped, name) {
            self = .number(date)
            return
        }
        switch value.unwrapped {
        case .string(let text): self = .text(text)
        case .boolean(let flag): self = .flag(flag)
        case .double(let number): self = .number(number)
        case .byte(let number): self = .number(Double(number))
        case .int16(let number): self = .number(Double(number))
        case .uint16(let number): self = .number(Double(number))
        case .int32(let number): self = .number(Double(number))
        case .uint32(let number): self = .number(Double(number))
        case .int64(let number): self = .number(Double(number))
        case .uint64(let number): self = .number(Double(number))
        default:
            guard let texts = try? [String](dbusValue: value.unwrapped) else {
                let wanted = type == .texts ? "a list of texts" : "a text, a list of texts, a number, true or false"
                throw DBusError(.invalidInput, "“\(name.cut(to: 80))” must be \(wanted)")
            }
            self = .texts(texts)
        }
    }

    /// Returns the seconds since 1970 of a date; `nil` if it is in seconds already, or no date.
    private static func date(_ value: Value, _ name: String) throws(DBusError) -> Double? {
        switch value {
        case .double(let number) where abs(number) < 100_000_000_000_000: return nil
        case .string, .uint64, .double: break
        case .int64(let number) where number < 0: return Double(number) / 1_000_000
        case .byte, .int16, .uint16, .int32, .uint32, .int64: break
        default: return nil
        }
        return try ([name: value] as VariantMap).date(microseconds: name)?.timeIntervalSince1970
    }

    fileprivate var dbusValue: Value {
        switch self {
        case .text(let text): .string(text)
        case .texts(let texts): texts.dbusValue
        case .number(let number): .double(number)
        case .flag(let flag): .boolean(flag)
        }
    }
}
