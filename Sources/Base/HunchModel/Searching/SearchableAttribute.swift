/// An attribute that searchable items may have.
///
/// Apps may add attributes of their own. Their names begin with a letter and contain letters, digits and underscores.
public struct SearchableAttribute: Hashable, Sendable {
    /// The type of an attribute's value.
    public enum ValueType: String, Hashable, Sendable {
        case text, texts, number
        /// A number of seconds since 1970 (UTC), or ISO 8601 in JSON.
        case date
    }

    /// The part of an item's text in which typed words find an attribute.
    public enum Field: Hashable, Sendable {
        case title, names, text
    }

    /// The name.
    public let name: String
    /// The type of its value.
    public let type: ValueType
    /// The part in which typed words find it (attributes that are not standard are found like names); `nil` if only the query language does.
    public let field: Field?

    /// The standard attributes, by name.
    public static let standard: [String: SearchableAttribute] = {
        let all: [(ValueType, Field?, String)] = [
            (.text, .title, "title"), (.texts, .names, "alternateNames keywords authors"),
            (.text, .names, "album description placeName address phone email"), (.text, .text, "text"),
            (.text, nil, "kind contentType thumbnail url activity"),
            (.number, nil, "rating duration latitude longitude"), (.date, nil, "created modified start end"),
        ]
        let pairs = all.flatMap { type, field, names in
            names.split(separator: " ").map { name in
                (String(name), SearchableAttribute(name: String(name), type: type, field: field))
            }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// Returns whether a text can be the name of an attribute: at most 64 letters, digits and underscores in ASCII, the
    /// first one a letter.
    public static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        return isLetter(first)
            && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }
}
