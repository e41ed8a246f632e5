internal import JSON
internal import Localization

/// Reads RDFa Lite. Source: W3C, “RDFa Lite 1.1”, and the rules for values of “RDFa Core 1.1”.
struct RDFaReader {
    /// The names that an element inherits.
    private struct Scope {
        var vocabulary = ""
        var prefixes: [String: String]
    }

    /// An element to read: in which scope, and into which item.
    private struct Step {
        let element: HTMLElement
        let scope: Scope
        /// The index of the item of which it is a part; `nil` outside of items.
        let item: Int?
    }

    /// An item in the order of the page.
    private struct Entry {
        /// A value of a property: a text, or the index of an item that begins later.
        enum Part {
            case text(String)
            case item(Int)
        }

        let types: [String]
        let identifier: String?
        let line: Int
        let depth: Int
        /// Whether it is the value of a property.
        let isValue: Bool
        var parts: [(property: String, part: Part)] = []
    }

    /// Prefixes that need no declaration. Source: W3C, “RDFa Core Initial Context”.
    private static let initial = [
        "schema": "http://schema.org/", "og": "http://ogp.me/ns#", "foaf": "http://xmlns.com/foaf/0.1/",
        "dc": "http://purl.org/dc/terms/", "dcterms": "http://purl.org/dc/terms/",
        "gr": "http://purl.org/goodrelations/v1#",
        "v": "http://rdf.data-vocabulary.org/#", "vcard": "http://www.w3.org/2006/vcard/ns#",
    ]

    private let base: LinkBase
    private var entries: [Entry] = []
    private(set) var problems: [MarkupProblem] = []
    private(set) var items: [Markup.Item] = []

    init(base: LinkBase) { self.base = base }

    /// Reads the items in an element.
    mutating func read(_ root: HTMLElement) {
        var pending = [Step(element: root, scope: Scope(prefixes: Self.initial), item: nil)]
        while let step = pending.popLast() {
            guard let (scope, item) = take(step) else { continue }
            pending += step.element.children.reversed().map { Step(element: $0, scope: scope, item: item) }
        }
        // An inner item begins later than an outer one.
        var values: [JSONValue] = Array(repeating: .null, count: entries.count)
        for (index, entry) in entries.enumerated().reversed() {
            var builder = ItemBuilder(types: entry.types, identifier: entry.identifier)
            for (property, part) in entry.parts {
                switch part {
                case .text(let text): builder.add(.string(text), to: property)
                case .item(let inner): builder.add(values[inner], to: property)
                }
            }
            values[index] = builder.value
        }
        items = zip(entries, values).filter { !$0.0.isValue }.map { entry, value in
            Markup.Item(syntax: .rdfa, line: entry.line, value: value)
        }
    }

    /// Takes an element. Returns the scope and the item of the elements in it; `nil` to leave them out.
    private mutating func take(_ step: Step) -> (Scope, Int?)? {
        let element = step.element
        var scope = step.scope
        if let vocabulary = element.attribute("vocab") { scope.vocabulary = MarkupText.collapsed(vocabulary) }
        if element.has("prefix") {
            let words = element.words("prefix")
            for (name, address) in zip(words, words.dropFirst()) where name.hasSuffix(":") {
                scope.prefixes[name.dropLast().lowercased()] = address
            }
        }
        let properties = element.words("property").compactMap { Self.name($0, scope) }
        let types = element.words("typeof").compactMap { Self.name($0, scope) }
        guard !types.isEmpty else {
            if let item = step.item, !properties.isEmpty {
                let text = value(element)
                entries[item].parts += properties.map { ($0, .text(text)) }
            }
            return (scope, step.item)
        }
        let depth = step.item.map { entries[$0].depth + 1 } ?? 1
        guard depth <= Markup.maximumDepth, entries.count < Markup.maximumItems else {
            let message =
                depth > Markup.maximumDepth
                ? localized("items are nested deeper than %1", Markup.maximumDepth)
                : localized("there are more than %1 items; the others are left out", Markup.maximumItems)
            if problems.isEmpty { problems.append(MarkupProblem(line: element.line, code: .limit, message: message)) }
            return nil
        }
        let identifier = ["resource", "about", "href", "src"].lazy.compactMap(element.attribute).first.map(
            base.resolved)
        let isValue = step.item != nil && !properties.isEmpty
        entries.append(
            Entry(types: types, identifier: identifier, line: element.line, depth: depth, isValue: isValue))
        if isValue, let item = step.item {
            entries[item].parts += properties.map { ($0, .item(entries.count - 1)) }
        }
        return (scope, entries.count - 1)
    }

    /// Returns a name without the vocabulary of schema.org, or with its full address; `nil` for one without a vocabulary.
    private static func name(_ word: String, _ scope: Scope) -> String? {
        if let colon = word.firstIndex(of: ":") {
            let rest = word[colon...].dropFirst()
            if rest.hasPrefix("//") { return MarkupText.shortName(word) }
            guard let address = scope.prefixes[word[..<colon].lowercased()] else { return word }
            return MarkupText.shortName(address + rest)
        }
        guard let end = scope.vocabulary.last else { return nil }
        return MarkupText.shortName(scope.vocabulary + (end == "/" || end == "#" ? "" : "/") + word)
    }

    private func value(_ element: HTMLElement) -> String {
        if let content = element.attribute("content") { return MarkupText.collapsed(content) }
        for name in ["resource", "href", "src", "data"] {
            if let link = element.attribute(name) { return base.resolved(link) }
        }
        if let date = element.attribute("datetime") { return MarkupText.collapsed(date) }
        return MarkupText.collapsed(element.text)
    }
}
