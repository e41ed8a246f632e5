internal import HTML
internal import HunchModel
internal import JSON

/// The items of a page, which refer to each other by their identifiers.
struct ItemGraph {
    /// The maximum size of a text in a meaning, in bytes. The items have the whole.
    private static let longestText = 65_536
    /// The maximum number of types of an item.
    private static let maximumTypes = 32
    /// The maximum number of items in a property.
    private static let maximumItems = 100

    /// The items that have an identifier, in items too.
    private var named: [String: JSONValue] = [:]
    /// Whether properties have the prefix of their vocabulary.
    private var hasPrefixes = false
    private let budget: WorkBudget

    /// Creates a graph.
    ///
    /// - Parameter budget: the work that reading may cost.
    init(_ items: [Markup.Item], budget: WorkBudget) {
        self.budget = budget
        for item in items { remember(item.value, depth: 0) }
    }

    private mutating func remember(_ value: JSONValue, depth: Int) {
        guard depth < Markup.maximumDepth else { return }
        switch value {
        case .array(let values): for value in values { remember(value, depth: depth + 1) }
        case .object(let object):
            if let name = object["@id"]?.string, object.count > 1, named[name] == nil { named[name] = value }
            for (name, value) in object {
                hasPrefixes = hasPrefixes || name.utf8.starts(with: "schema:".utf8)
                remember(value, depth: depth + 1)
            }
        case .null, .boolean, .number, .string: break
        }
    }

    // MARK: Items

    /// Returns the short names of the types of an item.
    static func types(of value: JSONValue) -> [String] {
        switch value.object?["@type"] {
        case .string(let type): [MarkupText.shortName(type)]
        case .array(let types): types.prefix(maximumTypes).compactMap(\.string).map(MarkupText.shortName)
        default: []
        }
    }

    /// Returns the items at a path of properties of an item.
    func items(at path: [String], of value: JSONValue) -> [JSONValue] {
        var visited: Set<String> = []
        return path.reduce([value]) { items, name in items.flatMap { self.items(at: name, of: $0, &visited) } }
    }

    /// Returns the items in a property of an item, as far as no reference led to them before.
    func items(at name: String, of value: JSONValue, _ visited: inout Set<String>) -> [JSONValue] {
        guard budget.spend(1), let found = value.object.flatMap({ member(name, of: $0) }) else { return [] }
        let values: ArraySlice<JSONValue> =
            if case .array(let several) = found { several.prefix(Self.maximumItems) } else { [found] }
        return values.compactMap { value in
            guard budget.spend(4), reference(value).map({ visited.insert($0).inserted }) ?? true else { return nil }
            let item = resolved(value)
            return item.object == nil || Self.isOnline(item) ? nil : item
        }
    }

    /// Returns the places around places: the building of a room, the site of an organization.
    func places(around places: [JSONValue], _ visited: inout Set<String>) -> [JSONValue] {
        var found: [JSONValue] = []
        for place in places where found.count < Self.maximumItems {
            for name in MeaningPaths.around { found += items(at: name, of: place, &visited) }
        }
        return found
    }

    // MARK: Texts

    /// Returns the first text on several paths of properties, and its path.
    func first(of paths: [[String]], in value: JSONValue) -> (text: String, path: [String])? {
        for path in paths {
            if let found = text(value, path) { return (found, path) }
        }
        return nil
    }

    /// Returns the first text on a path of properties.
    func text(_ value: JSONValue, _ path: [String]) -> String? {
        var visited: Set<Visit> = []
        return text(value, path[...], &visited)
    }

    /// An item that a reference means, and the number of properties that are left of the path.
    private struct Visit: Hashable {
        let name: String
        let rest: Int
    }

    /// Returns the first text on the rest of a path. Follows each reference once: its target had no text the first
    /// time.
    private func text(_ value: JSONValue, _ path: ArraySlice<String>, _ visited: inout Set<Visit>) -> String? {
        guard budget.spend(2) else { return nil }
        guard let name = path.first else {
            guard let words = Self.words(value), budget.spend(words.utf8.count / 64) else { return nil }
            return words
        }
        if let name = reference(value) {
            budget.spend(2)
            guard visited.insert(Visit(name: name, rest: path.count)).inserted else { return nil }
        }
        guard let object = resolved(value).object else { return nil }
        switch member(name, of: object) {
        case .array(let values)?:
            for value in values {
                if let found = textOutsideOfWeb(value, path.dropFirst(), &visited) { return found }
                guard budget.isLeft else { return nil }
            }
            return nil
        case let value?: return textOutsideOfWeb(value, path.dropFirst(), &visited)
        case nil: return nil
        }
    }

    /// Returns the text of a value, unless it is the place of an online event, which is not a place.
    private func textOutsideOfWeb(
        _ value: JSONValue, _ path: ArraySlice<String>, _ visited: inout Set<Visit>
    ) -> String? {
        Self.isOnline(resolved(value)) ? nil : text(value, path, &visited)
    }

    // MARK: Properties

    /// Returns a property of an item, with or without the prefix of its vocabulary.
    private func member(_ name: String, of object: [String: JSONValue]) -> JSONValue? {
        object[name] ?? (hasPrefixes ? object["schema:\(name)"] : nil)
    }

    private static func isOnline(_ place: JSONValue) -> Bool { types(of: place).contains("VirtualLocation") }

    /// Returns the item that a reference means.
    private func resolved(_ value: JSONValue) -> JSONValue { reference(value).flatMap { named[$0] } ?? value }

    /// Returns the identifier of a reference; `nil` if the value is not a reference.
    private func reference(_ value: JSONValue) -> String? {
        guard let object = value.object, object.count == 1 else { return nil }
        return object["@id"]?.string
    }

    private static func words(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text):
            let words = MarkupText.collapsed(text.cut(toBytes: longestText))
            return words.isEmpty ? nil : words
        case .number(let number): return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let truth): return "\(truth)"
        case .object(let object): return (object["@value"] ?? object["name"]).flatMap(words)
        case .null, .array: return nil
        }
    }
}
