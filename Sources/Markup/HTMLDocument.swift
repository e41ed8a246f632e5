internal import CXML
internal import HunchModel

/// An HTML page as a tree, read by libxml2 without the network.
///
/// libxml2 repairs markup as browsers of HTML 4 did, and knows no elements of HTML 5. That changes the tree of some
/// pages, but not the attributes and texts that structured data consists of.
final class HTMLDocument {
    /// The maximum size in bytes of all texts that are read of a page. Elements in elements have the same text several times.
    static let textLimit = 20_000_000

    private let document: htmlDocPtr
    fileprivate var remainingText = HTMLDocument.textLimit

    /// The maximum number of attributes of an element. libxml2 compares each with all others.
    static let attributeLimit = 500
    /// Whether attributes were left out.
    let hasManyAttributes: Bool

    /// Replaces the attributes of each element after the first ones by spaces. Returns whether there were more.
    private static func cutAttributes(_ bytes: inout [UInt8]) -> Bool {
        var (isCut, isInTag, quote, count) = (false, false, UInt8(0), 0)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            defer { index += 1 }
            if !isInTag {
                // A script holds no elements, and ends at “</”.
                let follower = index + 1 < bytes.count ? bytes[index + 1] | 0x20 : 0
                isInTag = byte == UInt8(ascii: "<") && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(follower)
                (quote, count) = (0, 0)
                if isInTag, bytes[index...].prefix(7).map({ $0 | 0x20 }) == Array("<script".utf8).map({ $0 | 0x20 }) {
                    isInTag = false
                    while index + 1 < bytes.count,
                        !(bytes[index] == UInt8(ascii: "<") && bytes[index + 1] == UInt8(ascii: "/"))
                    {
                        index += 1
                    }
                }
                continue
            }
            if quote == 0, byte == UInt8(ascii: ">") {
                isInTag = false
                continue
            }
            if quote == 0, byte <= 0x20 { count += 1 }
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), bytes[index - 1] == UInt8(ascii: "=") {
                quote = byte
            }
            // Attributes are separated by white space, which may stand beside signs too.
            if count > 4 * attributeLimit {
                bytes[index] = 0x20
                isCut = true
            }
        }
        return isCut
    }

    /// Whether texts were left out.
    var isTextCut: Bool { remainingText <= 0 }

    /// Reads a page; `nil` if there is no element in it.
    ///
    /// - Parameter bytes: the page in UTF-8, or in the encoding that its `meta` element names.
    init?(_ bytes: [UInt8]) {
        // NUL would end the page. HTML replaces it by U+FFFD, which no value needs.
        var bytes = bytes.contains(0) ? bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 } : bytes
        hasManyAttributes = Self.cutAttributes(&bytes)
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_COMPACT.rawValue
        let read = bytes.withUnsafeBytes { buffer in
            htmlReadMemory(
                buffer.bindMemory(to: CChar.self).baseAddress, CInt(clamping: buffer.count), nil,
                isUTF8 ? "UTF-8" : nil, CInt(bitPattern: options))
        }
        guard let read else { return nil }
        document = read
        guard xmlDocGetRootElement(read) != nil else { return nil }
    }

    deinit { xmlFreeDoc(document) }

    /// The outermost element.
    var root: HTMLElement? { xmlDocGetRootElement(document).map { HTMLElement(document: self, node: $0) } }
}

/// An element of a page.
struct HTMLElement: Hashable {
    private let document: HTMLDocument
    private let node: xmlNodePtr

    fileprivate init(document: HTMLDocument, node: xmlNodePtr) { (self.document, self.node) = (document, node) }

    static func == (one: HTMLElement, other: HTMLElement) -> Bool { one.node == other.node }
    func hash(into hasher: inout Hasher) { hasher.combine(node) }

    /// The name of the element in lower case.
    var name: String { String(cString: UnsafePointer(node.pointee.name)) }

    /// The line on which the element begins, from 1.
    var line: Int { Int(xmlGetLineNo(node)) }

    /// Returns the value of an attribute, empty for one without a value; `nil` if the element has none of this name.
    func attribute(_ name: String) -> String? {
        guard let attribute = xmlHasProp(node, name) else { return nil }
        return Self.content(UnsafeMutableRawPointer(attribute).assumingMemoryBound(to: xmlNode.self))
    }

    /// Returns the words of an attribute.
    func words(_ name: String) -> [String] {
        attribute(name)?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }

    /// The text of the element and of all elements in it, as it stands; empty once ``HTMLDocument/textLimit`` is used up.
    var text: String {
        guard document.remainingText > 0 else { return "" }
        let text = Self.content(node)
        document.remainingText -= text.utf8.count
        return text
    }

    /// The elements directly in this one.
    var children: [HTMLElement] {
        var children: [HTMLElement] = []
        var next = node.pointee.children
        while let child = next {
            if child.pointee.type == XML_ELEMENT_NODE { children.append(HTMLElement(document: document, node: child)) }
            next = child.pointee.next
        }
        return children
    }

    /// Whether the element has an attribute.
    func has(_ name: String) -> Bool { xmlHasProp(node, name) != nil }

    /// Visits all elements in this one in the order of the page, without recursion.
    ///
    /// - Parameter body: takes an element; returns whether to visit the elements in it.
    func forEachDescendant(_ body: (HTMLElement) -> Bool) {
        var next = node.pointee.children
        while let child = next {
            let isEntered =
                child.pointee.type == XML_ELEMENT_NODE && body(HTMLElement(document: document, node: child))
            if isEntered, let inner = child.pointee.children {
                next = inner
                continue
            }
            var last = child
            while last.pointee.next == nil, let parent = last.pointee.parent, parent != node { last = parent }
            next = last.pointee.next
        }
    }

    private static func content(_ node: xmlNodePtr) -> String {
        guard let content = xmlNodeGetContent(node) else { return "" }
        defer { hunch_xml_free(content) }
        return String(cString: UnsafePointer(content))
    }
}
