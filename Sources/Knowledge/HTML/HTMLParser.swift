internal import HunchModel

/// Reads the elements of a page in one pass.
///
/// It splits the page into tags, comments and texts as the HTML Standard does (section 13.2.5, "Tokenization"). The tree
/// follows its section 13.2.6 as far as structured data needs it: implied end tags, void elements, raw texts and scopes. It
/// does not move misplaced content of tables, and does not open formatting elements again.
///
/// The time is linear in the size of the page, whatever it contains. No well-kept parser of Debian 12 has that property:
/// libxml2 2.9 compares the attributes of an element with each other, and drops what is nested in 256 elements.
struct HTMLParser {
    /// The maximum number of elements of a page.
    static let maximumElements = 500_000
    /// The maximum number of elements around one. Deeper ones are read as if they were siblings, as browsers do below
    /// 512.
    private static let maximumDepth = 4_096

    /// An element of the tree. Its descendants follow it.
    struct Node {
        let name: HTMLName
        /// The offset of its start tag.
        let start: Int
        let attributes: Range<Int32>
        /// The index after its last descendant.
        var end: Int32
        /// Its texts, and those of its descendants.
        var texts: Range<Int32>
    }

    /// An attribute with its undecoded value.
    struct Attribute {
        let kind: HTMLAttribute
        let value: Range<Int32>
    }

    private(set) var nodes: [Node] = []
    private(set) var attributes: [Attribute] = []
    /// The undecoded texts of all elements; an empty range where a line or a block begins.
    private(set) var texts: [Range<Int32>] = []
    /// The contents of scripts and styles, by their nodes.
    private(set) var hiddenTexts: [Int: Range<Int32>] = [:]
    /// Whether the rest of the page was left out.
    private(set) var isCut = false

    private struct Open {
        let name: HTMLName
        let traits: HTMLTraits
        let index: Int
        /// The traits of this element and of those around it.
        let traitsAround: HTMLTraits
        /// The marks of their names; see ``HTMLName/mark``.
        let marksAround: UInt64
    }

    private var open: [Open] = []
    /// The number of open elements that are nested too deeply to be in ``open``.
    private var overflow = 0
    /// The number of open elements of SVG and MathML, in which other rules hold.
    private var foreignDepth = 0
    /// The remaining number of steps through ``open``.
    private var steps = 20_000_000

    /// Reads a page in UTF-8.
    ///
    /// - Parameter limit: the maximum number of elements.
    init(_ bytes: [UInt8], limit: Int = HTMLParser.maximumElements) {
        bytes.withUnsafeBufferPointer { read($0, limit) }
        close(to: 0)
    }

    // MARK: Tokens

    private mutating func read(_ page: UnsafeBufferPointer<UInt8>, _ limit: Int) {
        var index = 0
        while index < page.count {
            let tag = page.position(of: UInt8(ascii: "<"), from: index)
            addText(index, tag)
            guard tag + 1 < page.count else {
                addText(tag, page.count)
                return
            }
            guard nodes.count < limit, steps > 0 else {
                isCut = true
                return
            }
            switch page[tag + 1] {
            case _ where page[tag + 1].isLetter: index = readStartTag(page, tag)
            case UInt8(ascii: "/"): index = readEndTag(page, tag)
            case UInt8(ascii: "!"): index = readDeclaration(page, tag)
            case UInt8(ascii: "?"): index = page.position(of: UInt8(ascii: ">"), from: tag) + 1
            default:
                addText(tag, tag + 1)
                index = tag + 1
            }
        }
    }

    /// Reads a comment, a section of CDATA or a document type. Returns the position after it.
    private mutating func readDeclaration(_ page: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        if page.has("<!--", at: start) {
            let content = start + 4
            for end in [">", "->"] as [StaticString] where page.has(end, at: content) {
                return content + end.utf8CodeUnitCount
            }
            var dashes = page.position(of: UInt8(ascii: "-"), from: content)
            while dashes < page.count {
                for end in ["-->", "--!>"] as [StaticString] where page.has(end, at: dashes) {
                    return dashes + end.utf8CodeUnitCount
                }
                dashes = page.position(of: UInt8(ascii: "-"), from: dashes + 1)
            }
            return page.count
        }
        if foreignDepth > 0, page.has("<![CDATA[", at: start) {
            var end = page.position(of: UInt8(ascii: "]"), from: start + 9)
            while end < page.count, !page.has("]]>", at: end) {
                end = page.position(of: UInt8(ascii: "]"), from: end + 1)
            }
            addText(start + 9, end)
            return end + 3
        }
        return page.position(of: UInt8(ascii: ">"), from: start) + 1
    }

    private mutating func readEndTag(_ page: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        let first = start + 2
        guard first < page.count else {
            addText(start, page.count)
            return page.count
        }
        guard page[first].isLetter else { return page.position(of: UInt8(ascii: ">"), from: first) + 1 }
        let name = page.nameEnd(from: first)
        var index = name
        // An end tag may have attributes, which may contain its end.
        while page.attribute(from: &index) != nil {}
        if index <= page.count { end(HTMLName(page[first..<name])) }
        return index
    }

    private mutating func readStartTag(_ page: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        let nameEnd = page.nameEnd(from: start + 1)
        let name = HTMLName(page[start + 1..<nameEnd])
        let first = attributes.count
        var seen: UInt32 = 0
        var index = nameEnd
        while let attribute = page.attribute(from: &index) {
            // The first of several counts.
            guard let kind = HTMLAttribute.named(HTMLName(page[attribute.name])), seen & kind.bit == 0 else { continue }
            seen |= kind.bit
            let value = Int32(clamping: attribute.value.lowerBound)..<Int32(clamping: attribute.value.upperBound)
            attributes.append(Attribute(kind: kind, value: value))
        }
        guard index <= page.count else {
            // The standard drops a tag without an end.
            attributes.removeLast(attributes.count - first)
            return page.count
        }
        let traits = HTMLTraits.of(name)
        if foreignDepth > 0, traits.contains(.leavesForeign) { leaveForeign() }
        let isForeign = foreignDepth > 0 || traits.contains(.foreign)
        let isHidden = !isForeign && traits.contains(.hidden)
        let isEmpty = isForeign ? page[index - 2] == UInt8(ascii: "/") : isHidden || traits.contains(.void)
        begin(name, traits, at: start, attributes: Int32(clamping: first)..<Int32(clamping: attributes.count))
        if !isEmpty { push(name, traits) }
        guard !isForeign, isHidden || traits.contains(.raw) else { return index }
        let end = page.rawTextEnd(name, from: index)
        guard isHidden else {
            addText(index, end)
            return end
        }
        hiddenTexts[nodes.count - 1] = Int32(clamping: index)..<Int32(clamping: end)
        index = min(end + 2, page.count)
        while page.attribute(from: &index) != nil {}
        return index
    }

    // MARK: The tree

    private mutating func begin(_ name: HTMLName, _ traits: HTMLTraits, at start: Int, attributes: Range<Int32>) {
        if foreignDepth == 0 { closeImplied(before: traits) }
        if !traits.isDisjoint(with: [.block, .lineBreak]) { addBreak() }
        let count = Int32(clamping: texts.count)
        nodes.append(
            Node(
                name: name, start: start, attributes: attributes, end: Int32(clamping: nodes.count + 1),
                texts: count..<count))
    }

    /// Opens the last element.
    private mutating func push(_ name: HTMLName, _ traits: HTMLTraits) {
        guard open.count < Self.maximumDepth else {
            overflow += 1
            return
        }
        if traits.contains(.foreign) { foreignDepth += 1 }
        open.append(
            Open(
                name: name, traits: traits, index: nodes.count - 1,
                traitsAround: (open.last?.traitsAround ?? []).union(traits),
                marksAround: (open.last?.marksAround ?? 0) | name.mark))
    }

    /// Closes the elements that end where another one begins, as their end tags are optional.
    private mutating func closeImplied(before traits: HTMLTraits) {
        if let rule = traits.implied {
            for index in open.indices.reversed() where steps > 0 {
                if open[index].traitsAround.isDisjoint(with: rule.ends) { break }
                steps -= 1
                let outer = open[index].traits
                if !outer.isDisjoint(with: rule.ends) {
                    close(to: index)
                    if !rule.repeats { break }
                } else if !outer.isDisjoint(with: rule.bounds) {
                    break
                }
            }
        }
        guard traits.contains(.endsParagraph) else { return }
        for index in open.indices.reversed() where steps > 0 {
            if !open[index].traitsAround.contains(.paragraph) { return }
            steps -= 1
            let outer = open[index].traits
            if outer.contains(.paragraph) { return close(to: index) }
            if !outer.isDisjoint(with: [.scope, .button]) { return }
        }
    }

    private mutating func end(_ name: HTMLName) {
        let traits = HTMLTraits.of(name)
        if traits.contains(.lineBreak) { return addBreak() }
        // Content after the end of the body is still part of it.
        if !traits.isDisjoint(with: [.outermost, .void]) { return }
        if overflow > 0 {
            overflow -= 1
            return
        }
        let bounds: HTMLTraits = traits.isDisjoint(with: .tableParts) ? .scope : [.table, .template]
        for index in open.indices.reversed() where steps > 0 {
            let outer = open[index]
            if outer.marksAround & name.mark == 0, !traits.contains(.heading) { return }
            steps -= 1
            if outer.name == name || traits.contains(.heading) && outer.traits.contains(.heading) {
                return close(to: index)
            }
            // A block in a formatting element outlasts it.
            if traits.contains(.formatting), outer.traits.contains(.block) { return }
            if !outer.traits.isDisjoint(with: bounds) { return }
        }
    }

    /// Closes the open elements from a position on.
    private mutating func close(to position: Int) {
        while open.count > position, let last = open.popLast() {
            nodes[last.index].end = Int32(clamping: nodes.count)
            if last.traits.contains(.foreign) { foreignDepth -= 1 }
            let begin = nodes[last.index].texts.lowerBound
            // Browsers do not show the content of a template.
            if last.traits.contains(.template) { texts.removeLast(texts.count - Int(begin)) }
            nodes[last.index].texts = begin..<Int32(clamping: texts.count)
            if last.traits.contains(.block) { addBreak() }
            overflow = 0
        }
    }

    private mutating func leaveForeign() {
        while foreignDepth > 0, !open.isEmpty { close(to: open.count - 1) }
    }

    private mutating func addText(_ start: Int, _ end: Int) {
        let (start, end) = (Int32(clamping: start), Int32(clamping: end))
        guard start < end else { return }
        // The text of an open element may have begun with the last one.
        if let last = texts.last, last.upperBound == start, !last.isEmpty, !isBegun {
            texts[texts.count - 1] = last.lowerBound..<end
        } else {
            texts.append(start..<end)
        }
    }

    /// Whether an element begins after the last text.
    private var isBegun: Bool { nodes.last.map { Int($0.texts.lowerBound) == texts.count } ?? false }

    private mutating func addBreak() {
        if let last = texts.last, last.isEmpty { return }
        texts.append(0..<0)
    }
}
