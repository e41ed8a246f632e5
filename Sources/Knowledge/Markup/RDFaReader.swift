internal import HTML
internal import JSON
internal import Localization

/// Reads RDFa Lite. Source: W3C, “RDFa Lite 1.1”, and the rules for values of “RDFa Core 1.1”.
struct RDFaReader {
    /// The names that an element inherits.
    private struct Scope {
        var vocabulary = ""
        var prefixes: [String: String]
    }

    /// An element that gives the elements in it a scope, or an item.
    private struct Holder {
        let element: HTMLElement
        let scope: Scope
        /// The index of the item of which they are parts; `nil` outside of items.
        let item: Int?
    }

    /// The effect of an element on the elements in it.
    private enum Inner {
        /// None.
        case same
        /// They are left out.
        case leftOut
        /// They have a scope or an item of their own.
        case held(Holder)
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

    /// The maximum number of prefixes in a scope.
    private static let prefixLimit = 100

    private let base: LinkBase
    private let budget: WorkBudget
    private var entries: [Entry] = []
    private(set) var problems: [MarkupProblem] = []
    private(set) var items: [Markup.Item] = []

    init(base: LinkBase, budget: WorkBudget) { (self.base, self.budget) = (base, budget) }

    /// Reads the items of a page.
    mutating func read(_ document: HTMLDocument) {
        var holders: [Holder] = []
        let initial = Scope(prefixes: Self.initial)
        document.forEachElement { element in
            while let last = holders.last, !last.element.contains(element) { holders.removeLast() }
            guard element.hasAttributes else { return true }
            let (scope, item) = (holders.last?.scope ?? initial, holders.last?.item)
            switch take(element, scope, item) {
            case .same: return true
            case .leftOut: return false
            case .held(let holder):
                holders.append(holder)
                return true
            }
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
        items = zip(entries, values).filter { !$0.0.isValue && !($0.0.types.isEmpty && $0.0.parts.isEmpty) }.map {
            entry, value in
            Markup.Item(syntax: .rdfa, line: entry.line, value: value)
        }
    }

    /// Takes an element.
    ///
    /// - Parameters:
    ///   - outer: the scope of the element.
    ///   - item: the index of the item of which it is a part; `nil` outside of items.
    private mutating func take(_ element: HTMLElement, _ outer: Scope, _ item: Int?) -> Inner {
        // Outside of items, properties such as those of Open Graph are of no item.
        let isSubject = [HTMLAttribute.typeof, .vocab, .prefix, .about, .resource].contains(where: element.has)
        guard item != nil || isSubject else { return .same }
        var scope = outer
        if let vocabulary = element.attribute(.vocab) { scope.vocabulary = MarkupText.collapsed(vocabulary) }
        let words = element.words(.prefix)
        for (name, address) in zip(words, words.dropFirst())
        where name.hasSuffix(":") && scope.prefixes.count < Self.prefixLimit {
            scope.prefixes[name.dropLast().lowercased()] = address
        }
        let types = element.words(.typeof).compactMap { Self.name($0, scope) }
        if !types.isEmpty, let limit = limit(item.map { entries[$0].depth + 1 } ?? 1) {
            if problems.isEmpty { problems.append(MarkupProblem(line: element.line, code: .limit, message: limit())) }
            return .leftOut
        }
        let properties = element.words(.property).compactMap { budget.spend(8) ? Self.name($0, scope) : nil }
        guard !types.isEmpty else {
            let subject = subject(of: element, hasProperty: !properties.isEmpty) ?? item
            if let subject, !properties.isEmpty, budget.spend(4 * properties.count) {
                let text = value(element)
                entries[subject].parts += properties.map { ($0, .text(text)) }
            }
            let changesScope = element.has(.vocab) || !words.isEmpty || subject != item
            return changesScope ? .held(Holder(element: element, scope: scope, item: subject)) : .same
        }
        let identifier = [HTMLAttribute.resource, .about, .href, .src].lazy.compactMap(element.attribute).first.map(
            base.resolved)
        let isValue = item != nil && !properties.isEmpty
        entries.append(
            Entry(
                types: types, identifier: identifier, line: element.line,
                depth: item.map { entries[$0].depth + 1 } ?? 1, isValue: isValue))
        if isValue, let item {
            entries[item].parts += properties.map { ($0, .item(entries.count - 1)) }
        }
        return .held(Holder(element: element, scope: scope, item: entries.count - 1))
    }

    /// Returns the index of an item without a type that an element is about; `nil` if it is about no other one.
    private mutating func subject(of element: HTMLElement, hasProperty: Bool) -> Int? {
        guard let name = element.attribute(.about) ?? (hasProperty ? nil : element.attribute(.resource)),
            entries.count < Markup.maximumItems
        else { return nil }
        entries.append(
            Entry(types: [], identifier: base.resolved(name), line: element.line, depth: 1, isValue: false))
        return entries.count - 1
    }

    /// Returns the message about a limit that another item at a depth would exceed; `nil` for none.
    private func limit(_ depth: Int) -> (() -> String)? {
        if depth > Markup.maximumDepth { return { localized("items are nested deeper than %1", Markup.maximumDepth) } }
        guard entries.count >= Markup.maximumItems else { return nil }
        return { localized("there are more than %1 items; the others are left out", Markup.maximumItems) }
    }

    /// Returns a name without the vocabulary of schema.org, or with its full address; `nil` for one without a vocabulary.
    private static func name(_ word: String, _ scope: Scope) -> String? {
        if let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let rest = word[colon...].dropFirst()
            if rest.hasPrefix("//") { return MarkupText.shortName(word) }
            guard let address = scope.prefixes[word[..<colon].lowercased()] else { return word }
            return MarkupText.shortName(address + rest)
        }
        guard let end = scope.vocabulary.utf8.last else { return nil }
        return MarkupText.shortName(
            scope.vocabulary + (end == UInt8(ascii: "/") || end == UInt8(ascii: "#") ? "" : "/") + word)
    }

    private func value(_ element: HTMLElement) -> String {
        if let content = element.attribute(.content) { return MarkupText.collapsed(content) }
        for name in [HTMLAttribute.resource, .href, .src, .data] {
            if let link = element.attribute(name) { return base.resolved(link) }
        }
        if let date = element.attribute(.datetime) { return MarkupText.collapsed(date) }
        return MarkupText.collapsed(element.text)
    }
}
