internal import HunchModel

/// The keys of a line of a trace, or of an object within one. What is read has to be of its type; keys that nobody reads
/// do not matter, and `null` is as good as no key.
public struct TraceFields: Hashable, Sendable {
    /// All keys.
    public let values: [String: TraceValue]

    /// Takes an object's keys.
    public init(_ values: [String: TraceValue]) { self.values = values }

    /// A text, or `nil` where there is no such key.
    ///
    /// - Throws: ``TraceError`` when it is something else.
    public func text(_ key: String) throws(TraceError) -> String? {
        switch values[key] {
        case nil, .null: nil
        case .text(let text): text
        default: throw TraceError("“\(key)” is to be a text")
        }
    }

    /// A text that has to be there, and not empty.
    public func requiredText(_ key: String) throws(TraceError) -> String {
        guard let text = try text(key), !text.isEmpty else { throw TraceError("“\(key)” is missing, a text") }
        return text
    }

    /// `true` or `false`, or `nil` where there is no such key.
    public func boolean(_ key: String) throws(TraceError) -> Bool? {
        switch values[key] {
        case nil, .null: nil
        case .boolean(let value): value
        default: throw TraceError("“\(key)” is to be true or false")
        }
    }

    /// A number that is finite, or `nil` where there is no such key.
    public func number(_ key: String) throws(TraceError) -> Double? {
        switch values[key] {
        case nil, .null: nil
        case .integer(let value): Double(value)
        case .number(let value) where value.isFinite: value
        default: throw TraceError("“\(key)” is to be a number")
        }
    }

    /// A number without a fraction, or `nil` where there is no such key.
    public func integer(_ key: String) throws(TraceError) -> Int64? {
        switch values[key] {
        case nil, .null: return nil
        case .integer(let value): return value
        case .number(let value):
            // 1.0 and 1e6 are numbers without a fraction too.
            if let exact = Int64(exactly: value) { return exact }
        default: break
        }
        throw TraceError("“\(key)” is to be a number without a fraction")
    }

    /// The texts of a list, or `nil` where there is no such key.
    public func texts(_ key: String) throws(TraceError) -> [String]? {
        guard let list = try list(key) else { return nil }
        var texts: [String] = []
        for value in list {
            guard case .text(let text) = value else { throw TraceError("“\(key)” is to be a list of texts") }
            texts.append(text)
        }
        return texts
    }

    /// A list, or `nil` where there is no such key.
    public func list(_ key: String) throws(TraceError) -> [TraceValue]? {
        switch values[key] {
        case nil, .null: nil
        case .list(let values): values
        default: throw TraceError("“\(key)” is to be a list")
        }
    }

    /// The objects of a list; none where there is no such key.
    public func objects(_ key: String) throws(TraceError) -> [TraceFields] {
        var objects: [TraceFields] = []
        for value in try list(key) ?? [] {
            guard case .object(let values) = value else { throw TraceError("“\(key)” is to be a list of objects") }
            objects.append(TraceFields(values))
        }
        return objects
    }

    /// An object, or `nil` where there is no such key.
    public func object(_ key: String) throws(TraceError) -> TraceFields? {
        switch values[key] {
        case nil, .null: nil
        case .object(let values): TraceFields(values)
        default: throw TraceError("“\(key)” is to be an object")
        }
    }

    /// An object that has to be there.
    public func requiredObject(_ key: String) throws(TraceError) -> TraceFields {
        guard let object = try object(key) else { throw TraceError("“\(key)” is missing, an object") }
        return object
    }

    /// One of some words.
    ///
    /// - Throws: ``TraceError`` with the words when there is none, or another one.
    public func word(_ key: String, of words: [String]) throws(TraceError) -> String {
        let list = words.joined(separator: ", ")
        guard let word = try text(key) else { throw TraceError("“\(key)” is missing: one of \(list)") }
        guard words.contains(word) else {
            throw TraceError("“\(key)” is “\(word.cut(to: 40))”, and is to be one of \(list)")
        }
        return word
    }
}
