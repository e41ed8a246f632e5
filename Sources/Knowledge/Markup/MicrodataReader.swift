internal import HTML
internal import JSON
internal import Localization
internal import HunchModel

/// Reads Microdata. Source: HTML Standard, section 5 “Microdata”.
struct MicrodataReader {
    private let document: HTMLDocument
    private let base: LinkBase
    /// The elements that other elements refer to by `itemref`.
    private var named: [String: HTMLElement] = [:]
    /// The number of elements that may still be read. Items that refer to each other could have more than any number.
    private var remainingElements = 50_000
    private var budget: WorkBudget { document.budget }
    private(set) var items: [Markup.Item] = []
    private(set) var problems: [MarkupProblem] = []

    init(_ document: HTMLDocument, base: LinkBase) { (self.document, self.base) = (document, base) }

    /// Reads the items of the page that are not the value of a property.
    mutating func read() {
        var tops: [HTMLElement] = []
        var wanted: Set<String> = []
        document.forEachElement { element in
            guard element.has(.itemscope) else { return true }
            if !element.has(.itemprop) { tops.append(element) }
            wanted.formUnion(element.words(.itemref))
            return true
        }
        if !wanted.isEmpty {
            document.forEachElement { element in
                if let name = element.attribute(.id), wanted.contains(name), named[name] == nil {
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
    private mutating func item(_ element: HTMLElement, within outer: [HTMLElement]) -> JSONValue {
        let types = element.words(.itemtype)
        var builder = ItemBuilder(types: types, identifier: element.attribute(.itemid).map(base.resolved))
        if types.isEmpty, element.attribute(.itemprop) == nil {
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
        let within = outer + [element]
        // Elements that are referred to come after those inside.
        let referenced = element.words(.itemref).compactMap { named[$0] }
        var seen: Set<HTMLElement> = referenced.isEmpty ? [] : [element]
        func take(_ property: HTMLElement) -> Bool {
            guard remainingElements > 0 else { return false }
            remainingElements -= 1
            guard referenced.isEmpty || seen.insert(property).inserted else { return false }
            guard property.hasAttributes else { return true }
            let isItem = property.has(.itemscope)
            let names = property.words(.itemprop)
            guard !names.isEmpty, budget.spend(2 * names.count) else { return !isItem }
            if isItem, within.contains(property) {
                problems.append(
                    MarkupProblem(
                        line: property.line, code: .incomplete,
                        message: localized("an item refers to itself by itemref")))
            } else {
                let value = isItem ? item(property, within: within) : .string(value(property))
                for name in names { builder.add(value, to: MarkupText.shortName(name)) }
            }
            return !isItem
        }
        element.forEachDescendant(take)
        for property in referenced where take(property) { property.forEachDescendant(take) }
        return builder.value
    }

    private func value(_ element: HTMLElement) -> String {
        func link(_ name: HTMLAttribute) -> String { element.attribute(name).map(base.resolved) ?? "" }
        switch element.name {
        case .meta: return MarkupText.collapsed(element.attribute(.content) ?? "")
        case .audio, .embed, .iframe, .img, .source, .track, .video: return link(.src)
        case .a, .area, .link: return link(.href)
        case .object: return link(.data)
        case .data, .meter: return MarkupText.collapsed(element.attribute(.value) ?? "")
        case .time:
            if let date = element.attribute(.datetime) { return MarkupText.collapsed(date) }
        default: break
        }
        // Not in the standard, but in examples of schema.org.
        if let content = element.attribute(.content), !content.isEmpty { return MarkupText.collapsed(content) }
        return MarkupText.collapsed(element.text)
    }
}
