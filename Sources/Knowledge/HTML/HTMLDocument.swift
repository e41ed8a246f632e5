internal import HunchModel

/// A page as a tree of elements.
package final class HTMLDocument {
    /// The maximum size in bytes of all texts that are read of a page. Elements in elements have the same text several times.
    package static let textLimit = 20_000_000
    /// The maximum number of bytes in which texts are looked for, to find their line numbers.
    private static let searchLimit = 20_000_000
    private var remainingSearch = HTMLDocument.searchLimit

    fileprivate let bytes: [UInt8]
    fileprivate let parser: HTMLParser
    fileprivate var remainingText = HTMLDocument.textLimit
    fileprivate lazy var lineStarts: [Int] = {
        var starts: [Int] = []
        for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
        return starts
    }()

    /// The work that reading may cost.
    package let budget: WorkBudget

    /// Reads a page in any encoding.
    ///
    /// - Parameter limit: the maximum size of the page in UTF-8, in bytes.
    package init(_ page: [UInt8], limit: Int = .max, budget: WorkBudget = WorkBudget()) {
        self.budget = budget
        var bytes = HTMLEncoding.utf8(page)
        // The replacement for an invalid byte has three.
        isPageCut = bytes.count > limit
        if isPageCut { bytes.removeLast(bytes.count - limit) }
        self.bytes = bytes
        parser = HTMLParser(bytes)
    }

    /// Whether the end of the page was left out.
    package let isPageCut: Bool

    /// Returns the first line from another one on that contains a text; that line if none does, or after
    /// ``searchLimit`` bytes in all.
    package func line(of text: String, from line: Int) -> Int {
        let start = line < 2 ? 0 : lineStarts[min(line - 2, lineStarts.count - 1)]
        let wanted = Array(text.utf8.prefix(64))
        guard let first = wanted.first, remainingSearch > 0 else { return line }
        let end = min(bytes.count, start + remainingSearch)
        return bytes.withUnsafeBufferPointer { page in
            var index = page.position(of: first, from: start)
            defer { remainingSearch -= min(index, end) - start }
            while index < end {
                if page[index...].starts(with: wanted) { return self.line(at: index) }
                index = page.position(of: first, from: index + 1)
            }
            return line
        }
    }

    /// Returns the line of an offset, from 1.
    fileprivate func line(at offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    /// Whether elements were left out.
    package var isCut: Bool { parser.isCut }
    /// Whether texts were left out.
    package var isTextCut: Bool { remainingText <= 0 }

    /// Visits all elements in the order of the page.
    ///
    /// - Parameter body: takes an element; returns whether to visit the elements in it.
    package func forEachElement(_ body: (HTMLElement) -> Bool) { visit(0, parser.nodes.count, body) }

    fileprivate func visit(_ start: Int, _ end: Int, _ body: (HTMLElement) -> Bool) {
        var index = start
        while index < end {
            let node = parser.nodes[index]
            let isEntered = node.name != .template && body(HTMLElement(document: self, index: index))
            index = isEntered ? index + 1 : Int(node.end)
        }
    }

    fileprivate func attributeText(_ range: Range<Int32>) -> String {
        let isPlain = bytes[Int(range.lowerBound)..<Int(range.upperBound)].allSatisfy { $0 > 0x0D && $0 != 0x26 }
        guard isPlain else { return text(CollectionOfOne(range), isAttribute: true) }
        return String(decoding: bytes[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
    }

    fileprivate func text(_ ranges: some Sequence<Range<Int32>>, isAttribute: Bool, isRaw: Bool = false) -> String {
        var text: [UInt8] = []
        bytes.withUnsafeBufferPointer { page in
            for range in ranges {
                guard !range.isEmpty else {
                    text.append(0x0A)
                    continue
                }
                let piece = UnsafeBufferPointer(rebasing: page[Int(range.lowerBound)..<Int(range.upperBound)])
                if isRaw { text += piece } else { HTMLText.append(piece, to: &text, isAttribute: isAttribute) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// An element of a page.
package struct HTMLElement: Hashable {
    private let document: HTMLDocument
    private let index: Int

    fileprivate init(document: HTMLDocument, index: Int) { (self.document, self.index) = (document, index) }

    package static func == (one: HTMLElement, other: HTMLElement) -> Bool { one.index == other.index }
    package func hash(into hasher: inout Hasher) { hasher.combine(index) }

    private var node: HTMLParser.Node { document.parser.nodes[index] }

    /// The maximum number of words of an attribute.
    private static let wordLimit = 256

    /// The name of the element.
    package var name: HTMLName { node.name }

    /// The line on which the element begins, from 1.
    package var line: Int { document.line(at: node.start) }

    /// Returns the value of an attribute, empty for one without a value; `nil` if the element does not have it.
    package func attribute(_ kind: HTMLAttribute) -> String? {
        value(kind).map { $0.isEmpty ? "" : document.attributeText($0) }
    }

    private func value(_ kind: HTMLAttribute) -> Range<Int32>? {
        for index in node.attributes where document.parser.attributes[Int(index)].kind == kind {
            return document.parser.attributes[Int(index)].value
        }
        return nil
    }

    /// Whether a word of an attribute may end with one of some endings of three bytes. It makes no text of the words.
    package func mayHaveWord(_ kind: HTMLAttribute, endingIn endings: Set<UInt32>) -> Bool {
        guard let range = value(kind) else { return false }
        var last: UInt32 = 0
        for byte in document.bytes[Int(range.lowerBound)..<Int(range.upperBound)] {
            if byte.isSpace, endings.contains(last) { return true }
            last = (last << 8 | UInt32(byte)) & 0xFF_FFFF
        }
        return endings.contains(last)
    }

    /// Returns the first ``wordLimit`` words of an attribute; none once the budget of the page is spent.
    package func words(_ kind: HTMLAttribute) -> [String] {
        guard var text = attribute(kind) else { return [] }
        guard document.budget.isLeft else { return [] }
        guard text.utf8.contains(where: \.isSpace) else { return text.isEmpty ? [] : [text] }
        return text.withUTF8 { bytes in
            var words: [String] = []
            var start = 0
            while start < bytes.count, words.count < Self.wordLimit {
                let end = bytes[start...].firstIndex(where: \.isSpace) ?? bytes.count
                if end > start {
                    words.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self))
                }
                start = end + 1
            }
            document.budget.spend(2 * words.count)
            return words
        }
    }

    /// Whether the element has an attribute.
    package func has(_ kind: HTMLAttribute) -> Bool { value(kind) != nil }

    /// Whether the element has any attribute that structured data consists of.
    package var hasAttributes: Bool { !node.attributes.isEmpty }

    /// The text of the element and of all elements in it, with line breaks where blocks begin and end; empty once
    /// ``HTMLDocument/textLimit`` is used up. It leaves out the text of scripts and styles.
    package var text: String {
        let texts = node.texts
        guard document.budget.spend(texts.count / 4) else { return "" }
        return counted {
            document.text(document.parser.texts[Int(texts.lowerBound)..<Int(texts.upperBound)], isAttribute: false)
        }
    }

    /// Returns about the first `limit` bytes of ``text``.
    package func text(limit: Int) -> String {
        let texts = node.texts
        return counted {
            let ranges = document.parser.texts[Int(texts.lowerBound)..<Int(texts.upperBound)].prefix(limit / 16).map {
                $0.lowerBound..<min($0.upperBound, $0.lowerBound + Int32(clamping: limit))
            }
            return document.text(ranges, isAttribute: false).cut(toBytes: limit)
        }
    }

    /// The content of a script as it stands.
    package var rawText: String {
        guard let range = document.parser.hiddenTexts[index], !range.isEmpty else { return "" }
        return counted { document.text(CollectionOfOne(range), isAttribute: false, isRaw: true) }
    }

    private func counted(_ read: () -> String) -> String {
        guard document.remainingText > 0, document.budget.spend(1) else { return "" }
        let text = read()
        document.remainingText -= text.utf8.count
        document.budget.spend(text.utf8.count / 20)
        return text
    }

    /// Whether an element is in this one.
    package func contains(_ other: HTMLElement) -> Bool { index < other.index && other.index < Int(node.end) }

    /// Visits all elements in this one in the order of the page.
    ///
    /// - Parameter body: takes an element; returns whether to visit the elements in it.
    package func forEachDescendant(_ body: (HTMLElement) -> Bool) { document.visit(index + 1, Int(node.end), body) }
}
