internal import TextEncodings
internal import HunchModel

/// The character encodings of pages. Source: HTML Standard, section 13.2.3.2; WHATWG Encoding.
package enum HTMLEncoding {
    /// The number of bytes in which a page may name its encoding.
    private static let prescanned = 4_096

    /// Returns a page in UTF-8.
    ///
    /// A byte order mark counts first. A page that is UTF-8 is read as such, whatever it says. Then the encoding that its
    /// `meta` element names counts, then windows-1252.
    package static func utf8(_ page: [UInt8]) -> [UInt8] {
        TextEncoding.unmarked(page) ?? TextEncoding.utf8(page, labelled: declared(page))
    }

    /// Returns the encoding that the page names, in lower case; empty if it names none.
    private static func declared(_ page: [UInt8]) -> String {
        let start = Array(page.prefix(prescanned))
        let parser = HTMLParser(start, limit: 200)
        for node in parser.nodes where node.name == .meta {
            func value(_ kind: HTMLAttribute) -> String? {
                parser.attributes[Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)]
                    .first { $0.kind == kind }.map {
                        let value = start[Int($0.value.lowerBound)..<Int($0.value.upperBound)]
                        return String(decoding: value, as: UTF8.self).lowercased()
                    }
            }
            if let label = value(.charset) { return trimmed(label) }
            guard value(.httpEquivalent) == "content-type", let content = value(.content),
                let label = content.split(separator: "charset", maxSplits: 1).last, label.count < content.count
            else { continue }
            return trimmed(label.prefix { $0 != ";" })
        }
        return ""
    }

    private static func trimmed(_ label: some StringProtocol) -> String {
        String(label.filter { !$0.isWhitespace && $0 != "=" && $0 != "\"" && $0 != "'" })
    }
}
