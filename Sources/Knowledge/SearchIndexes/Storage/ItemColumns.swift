internal import FullText
internal import FoundationEssentials
internal import HunchModel

/// The columns of an item: its title and text, the other texts in which typed words find it, and its other attributes in JSON.
struct ItemColumns {
    let id: String
    let domain: String?
    /// The expiry, and the date of the content if it has one, in seconds since 1970.
    let expiry, date: Double?
    let protection: Int
    let isPublic: Bool
    let title: String
    var names = ""
    let text: String
    /// All attributes but the title and the text, as a JSON object.
    let attributes: String
    /// The tokens of title, names and text, and those of the beginnings of words.
    let words: [EncodedTokens]
    let starts: EncodedTokens
    let lengths: ItemLengths

    /// - Parameter stemmer: makes the stems of words; `nil` for no stems.
    init(_ item: SearchableItem, stemmer: Stemmer?) {
        (id, domain, expiry) = (item.id, item.domain, item.expiry?.timeIntervalSince1970)
        date = (item.attributes["modified"] ?? item.attributes["created"])?.number
        (protection, isPublic) = (item.protection.rawValue, item.isPublic)
        title = Self.cleaned(item.title)
        text = Self.cleaned(item.attributes["text"]?.texts.first ?? "")
        var json = "{"
        for (name, value) in item.attributes.sorted(by: { $0.key < $1.key }) {
            let standard = SearchableAttribute.standard[name]
            if let field = standard?.field, field != .names { continue }
            if standard?.field == .names || standard == nil { Self.append(value, to: &names) }
            if name == "phone" { Self.append(Self.digits(value), to: &names) }
            if json.utf8.count > 1 { json += "," }
            Self.write(name, to: &json)
            json += ":"
            Self.write(value, to: &json)
        }
        attributes = json + "}"
        names = Self.cleaned(names)
        words = [title, names, text].map { EncodedTokens($0, stemmer: stemmer) }
        lengths = ItemLengths(title: words[0].count, names: words[1].count, text: words[2].count)
        // The view puts the source and the protection before these; see ``ItemWriter``.
        starts = EncodedTokens("\u{1} \(title) \(names)", stemmer: nil)
    }

    private static func append(_ value: AttributeValue, to column: inout String) {
        for text in value.texts {
            // A period, so that no phrase continues into the next text.
            if !column.isEmpty { column += ". " }
            column += text
        }
    }

    /// Returns phone numbers as people paste them, without signs between the digits.
    private static func digits(_ value: AttributeValue) -> AttributeValue {
        .texts(value.texts.map { $0.filter { $0.isASCII && $0.isNumber } })
    }

    /// Returns a text without the marks of ``IndexTokenizer`` at its beginning.
    private static func cleaned(_ text: String) -> String {
        guard let first = text.utf8.first, first <= EncodedTokens.mark else { return text }
        return String(text.unicodeScalars.drop { $0.value <= EncodedTokens.mark })
    }

    // MARK: JSON

    static func write(_ value: AttributeValue, to json: inout String) {
        switch value {
        case .text(let text): write(text, to: &json)
        case .texts(let texts):
            json += "["
            for (index, text) in texts.enumerated() {
                if index > 0 { json += "," }
                write(text, to: &json)
            }
            json += "]"
        case .number(let number): json += "\(number)"
        case .flag(let flag): json += flag ? "true" : "false"
        }
    }

    static func write(_ text: String, to json: inout String) {
        json += "\""
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            json += text
        } else {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": json += "\\\""
                case "\\": json += "\\\\"
                case "\u{0}"..<"\u{20}":
                    let digits = String(scalar.value, radix: 16)
                    json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                default: json.unicodeScalars.append(scalar)
                }
            }
        }
        json += "\""
    }
}
