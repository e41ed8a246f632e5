internal import HunchModel

/// The keys of a line of a trace, or of an object in it. A key must have the type that is read. Unread keys are
/// ignored, and `null` counts as a missing key.
public struct TraceFields: Hashable, Sendable {
    /// All keys.
    public let values: [String: TraceValue]

    /// Creates the fields from an object's keys.
    public init(_ values: [String: TraceValue]) { self.values = values }

    /// Returns a string, or `nil` if the key is missing.
    ///
    /// - Throws: ``TraceError`` if the value is not a string.
    public func text(_ key: String) throws(TraceError) -> String? {
        switch values[key] {
        case nil, .null: nil
        case .text(let text): text
        default: throw TraceError("“\(key)” must be a text")
        }
    }

    /// Returns a string, which must be present and not empty.
    public func requiredText(_ key: String) throws(TraceError) -> String {
        guard let text = try text(key), !text.isEmpty else { throw TraceError("“\(key)” is missing, a text") }
        return text
    }

    /// Returns `true` or `false`, or `nil` if the key is missing.
    public func boolean(_ key: String) throws(TraceError) -> Bool? {
        switch values[key] {
        case nil, .null: nil
        case .boolean(let value): value
        default: throw TraceError("“\(key)” must be true or false")
        }
    }

    /// Returns a finite number, or `nil` if the key is missing.
    public func number(_ key: String) throws(TraceError) -> Double? {
        switch values[key] {
        case nil, .null: nil
        case .integer(let value): Double(value)
        case .number(let value) where value.isFinite: value
        default: throw TraceError("“\(key)” must be a number")
        }
    }

    /// Returns a number without a fraction, or `nil` if the key is missing.
    public func integer(_ key: String) throws(TraceError) -> Int64? {
        switch values[key] {
        case nil, .null: return nil
        case .integer(let value): return value
        case .number(let value):
            // 1.0 and 1e6 also count.
            if let exact = Int64(exactly: value) { return exact }
        default: break
        }
        throw TraceError("“\(key)” must be a number without a fraction")
    }

    /// Returns a list of strings, or `nil` if the key is missing.
    public func texts(_ key: String) throws(TraceError) -> [String]? {
        guard let list = try list(key) else { return nil }
        var texts: [String] = []
        for value in list {
            guard case .text(let text) = value else { throw TraceError("“\(key)” must be a list of texts") }
            texts.append(text)
        }
        return texts
    }

    /// Returns the key `processes`, the numbers of processes, or `nil` if it is missing.
    public func processes() throws(TraceError) -> [UInt32]? {
        guard let list = try list("processes") else { return nil }
        var processes: [UInt32] = []
        for value in list {
            guard case .integer(let number) = value, let process = UInt32(exactly: number) else {
                throw TraceError("“processes” must be a list of process numbers")
            }
            processes.append(process)
        }
        return processes
    }

    /// Returns a list, or `nil` if the key is missing.
    public func list(_ key: String) throws(TraceError) -> [TraceValue]? {
        switch values[key] {
        case nil, .null: nil
        case .list(let values): values
        default: throw TraceError("“\(key)” must be a list")
        }
    }

    /// Returns a list of objects, empty if the key is missing.
    public func objects(_ key: String) throws(TraceError) -> [TraceFields] {
        var objects: [TraceFields] = []
        for value in try list(key) ?? [] {
            guard case .object(let values) = value else { throw TraceError("“\(key)” must be a list of objects") }
            objects.append(TraceFields(values))
        }
        return objects
    }

    /// Returns an object, or `nil` if the key is missing.
    public func object(_ key: String) throws(TraceError) -> TraceFields? {
        switch values[key] {
        case nil, .null: nil
        case .object(let values): TraceFields(values)
        default: throw TraceError("“\(key)” must be an object")
        }
    }

    /// Returns an object, which must be present.
    public func requiredObject(_ key: String) throws(TraceError) -> TraceFields {
        guard let object = try object(key) else { throw TraceError("“\(key)” is missing, an object") }
        return object
    }

    /// Returns one of some words.
    ///
    /// - Throws: ``TraceError`` that lists the words if the key is missing or has another value.
    public func word(_ key: String, of words: [String]) throws(TraceError) -> String {
        let list = words.joined(separator: ", ")
        guard let word = try text(key) else { throw TraceError("“\(key)” is missing: one of \(list)") }
        guard words.contains(word) else {
            throw TraceError("“\(key)” is “\(word.cut(to: 40))”, and must be one of \(list)")
        }
        return word
    }
}
