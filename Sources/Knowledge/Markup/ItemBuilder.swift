internal import JSON

/// An item while its properties are collected.
struct ItemBuilder {
    private var members: [String: [JSONValue]] = [:]
    private var types: [String]
    private let identifier: String?

    /// - Parameter types: the types, of which those in schema.org lose their vocabulary.
    init(types: [String], identifier: String?) {
        self.types = types.map(MarkupText.shortName)
        self.identifier = identifier
    }

    /// Adds a value of a property.
    mutating func add(_ value: JSONValue, to property: String) { members[property, default: []].append(value) }

    /// The item in the shape of JSON-LD.
    var value: JSONValue {
        var object = members.mapValues { $0.count == 1 ? $0[0] : .array($0) }
        if !types.isEmpty {
            object["@type"] = types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))
        }
        if let identifier { object["@id"] = .string(identifier) }
        return .object(object)
    }
}
