internal import JSON
internal import Localization
internal import HunchModel

/// Reads Microdata. Source: HTML Standard, section 5 “Microdata”.
struct MicrodataReader {
    private let root: HTMLElement
    private let base: LinkBase
    /// The elements that other elements refer to by `itemref`.
    private var named: [String: HTMLElement] = [:]
    /// The number of elements that may still be read. Items that refer to each other could have more than any number.
    private var remainingElements = 200_000
    private(set) var items: [Markup.Item] = []
    private(set) var problems: [MarkupProblem] = []

    init(root: HTMLElement, base: LinkBase) { (self.root, self.base) = (root, base) }

    /// Reads the items of the page that are not the value of a property.
    mutating func read() {
        var tops: [HTMLElement] = []
        var wanted: Set<String> = []
        root.forEachDescendant { element in
            guard element.has("itemscope") else { return true }
            if !element.has("itemprop") { tops.append(element) }
            wanted.formUnion(element.words("itemref"))
            return true
        }
        if !wanted.isEmpty {
            root.forEachDescendant { element in
                if let name = element.attribute("id"), wanted.contains(name), named[name] == nil {
                    named[name] = element
                }
                return true
            }
        }
        for top in tops.prefix(Markup.maximumItems + 1) {
            items.append(Markup.Item(syntax: .microdata, line: top.line, value: item(top, within: [])))
        }
        if remainingElements == 0 {
            // Before the others, of which only the first are kept.
            problems.insert(
                MarkupProblem(
                    line: 1, code: .limit, message: localized("items refer to too many elements; some are left out")),
                at: 0)
        }
    }

    /// Returns an item.
    ///
    /// - Parameter outer: the elements of the items around it, which it cannot contain.
    private mutating func item(_ element: HTMLElement, within outer: Set<HTMLElement>) -> JSONValue {
        let types = element.words("itemtype")
        var builder = ItemBuilder(types: types, identifier: element.attribute("itemid").map(base.resolved))
        if types.isEmpty, element.attribute("itemprop") == nil {
            problems.append(
                MarkupProblem(line: element.line, code: .incomplete, message: localized("an item has no itemtype")))
        }
        guard outer.count < Markup.maximumDepth else {
            problems.append(
                MarkupProblem(
                    line: element.line, code: .limit,
                    message: localized("items are nested deeper than %1", Markup.maximumDepth)))
            return builder.value
        }
        let within = outer.union([element])
        var seen: Set<HTMLElement> = [element]
        var pending = element.children.reversed() as [HTMLElement]
        // Referenced elements come after those inside.
        var referenced = element.words("itemref").compactMap { named[$0] }
        while let property = pending.popLast() ?? Self.first(of: &referenced) {
            guard remainingElements > 0 else { break }
            remainingElements -= 1
            guard seen.insert(property).inserted else { continue }
            let isItem = property.has("itemscope")
            let names = property.words("itemprop")
            if !names.isEmpty {
                if isItem, within.contains(property) {
                    problems.append(
                        MarkupProblem(
                            line: property.line, code: .incomplete,
                            message: localized("an item refers to itself by itemref")))
                } else {
                    let value = isItem ? item(property, within: within) : .string(value(property))
                    for name in names { builder.add(value, to: MarkupText.shortName(name)) }
                }
            }
            if !isItem { pending += property.children.reversed() }
        }
        return builder.value
    }

    private static func first(of elements: inout [HTMLElement]) -> HTMLElement? {
        elements.isEmpty ? nil : elements.removeFirst()
    }

    private func value(_ element: HTMLElement) -> String {
        func link(_ name: String) -> String { element.attribute(name).map(base.resolved) ?? "" }
        switch element.name {
        case "meta": return MarkupText.collapsed(element.attribute("content") ?? "")
        case "audio", "embed", "iframe", "img", "source", "track", "video": return link("src")
        case "a", "area", "link": return link("href")
        case "object": return link("data")
        case "data", "meter": return MarkupText.collapsed(element.attribute("value") ?? "")
        case "time":
            if let date = element.attribute("datetime") { return MarkupText.collapsed(date) }
        default: break
        }
        // Not in the standard, but in examples of schema.org.
        if let content = element.attribute("content"), !content.isEmpty { return MarkupText.collapsed(content) }
        return MarkupText.collapsed(element.text)
    }
}
