internal import HTML
internal import JSON

/// The texts of JSON-LD, which many sites write as HTML: with character references and tags, and with `type` for `@type`.
enum JSONLDText {
    /// Returns a value whose texts are plain, and whose keywords have their `@`.
    static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(plain(text))
        case .array(let values): .array(values.map(plain))
        case .object(let object): .object(plain(object))
        case .null, .boolean, .number: value
        }
    }

    private static func plain(_ object: [String: JSONValue]) -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        result.reserveCapacity(object.count)
        for (name, value) in object {
            let isKeyword = name == "@id" || name == "@type" || name == "@context"
            result[name] = isKeyword ? value : plain(value)
        }
        // JSON-LD lets a context rename the keywords, which is not read. No property of schema.org has these names.
        if result["@type"] == nil, let type = result["type"], isType(type) {
            result["@type"] = type
            result["type"] = nil
            if result["@id"] == nil, case .string? = result["id"] { result["@id"] = result.removeValue(forKey: "id") }
        }
        return result
    }

    /// Whether a value names types of schema.org, which begin with a capital letter.
    private static func isType(_ value: JSONValue) -> Bool {
        let names = value.string.map { [$0] } ?? value.strings ?? []
        return !names.isEmpty && names.allSatisfy { MarkupText.shortName($0).first?.isUppercase == true }
    }

    /// Returns a text without character references and tags. Systems that escape a text twice are common.
    static func plain(_ text: String) -> String {
        var searched = text
        let isPlain = searched.withUTF8 { utf8 in
            utf8.position(of: UInt8(ascii: "&"), from: 0) == utf8.count
                && utf8.position(of: UInt8(ascii: "<"), from: 0) == utf8.count
        }
        if isPlain { return text }
        var bytes = Array(text.utf8)
        for _ in 0..<2 where bytes.contains(UInt8(ascii: "&")) {
            bytes = bytes.withUnsafeBufferPointer { page in
                var result: [UInt8] = []
                result.reserveCapacity(page.count)
                HTMLText.append(page, to: &result, isAttribute: true, needsSemicolon: true)
                return result
            }
        }
        return String(decoding: withoutTags(bytes), as: UTF8.self)
    }

    /// The elements that texts have. Others, as in a title about HTML, may be meant as text.
    private static let elements = Set(
        "a b br div em h1 h2 h3 h4 h5 h6 i li ol p small span strong sub sup u ul".split(separator: " ").map {
            HTMLName($0.utf8)
        })

    private static func withoutTags(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "<")) else { return bytes }
        return bytes.withUnsafeBufferPointer { page in
            var result: [UInt8] = []
            result.reserveCapacity(page.count)
            var index = 0
            while index < page.count {
                let mark = page.position(of: UInt8(ascii: "<"), from: index)
                result += page[index..<mark]
                guard mark < page.count else { break }
                if let tag = tag(page, mark) {
                    if tag.isBlock { result.append(0x20) }
                    index = tag.end
                } else {
                    result.append(page[mark])
                    index = mark + 1
                }
            }
            return result
        }
    }

    /// The maximum size of a tag in bytes. Without it, signs that begin none would be looked for an end again and again.
    private static let longestTag = 1_024

    /// Returns the end of the tag at a position, and whether it divides words; `nil` if none is there.
    private static func tag(_ page: UnsafeBufferPointer<UInt8>, _ mark: Int) -> (end: Int, isBlock: Bool)? {
        let start = min(page.count, mark + (mark + 1 < page.count && page[mark + 1] == UInt8(ascii: "/") ? 2 : 1))
        var end = start
        while end < page.count, end < start + 7, page[end].isLetter || page[end].hexadecimalDigit != nil { end += 1 }
        let name = HTMLName(page[start..<end])
        guard elements.contains(name) else { return nil }
        while end < page.count, end - mark < longestTag, page[end] != UInt8(ascii: "<") {
            if page[end] == UInt8(ascii: ">") {
                return (end + 1, !HTMLTraits.of(name).isDisjoint(with: [.block, .lineBreak]))
            }
            end += 1
        }
        return nil
    }
}
