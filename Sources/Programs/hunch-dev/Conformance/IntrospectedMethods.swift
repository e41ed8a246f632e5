import CommandSupport

/// The methods of one interface in introspection data, with their types. Parses only the XML that this needs.
///
/// Source: D-Bus specification, "Introspection Data Format".
struct IntrospectedMethods {
    /// The signatures of arguments and results, by method name.
    private(set) var methods: [String: (input: String, output: String)] = [:]

    /// - Returns: `nil` if the data do not describe the interface.
    init?(_ xml: String, of interface: String) {
        var (isWithin, wasFound) = (false, false)
        var method: String?
        for tag in Self.tags(xml) {
            switch tag.name {
            case "interface":
                isWithin = tag.attributes["name"] == interface
                wasFound = wasFound || isWithin
            case "/interface": isWithin = false
            case "method" where isWithin:
                method = tag.attributes["name"]
                if let method { methods[method] = ("", "") }
            case "/method", "signal", "property": method = nil
            case "arg":
                guard let method, let type = tag.attributes["type"] else { continue }
                // An argument without a direction is an input.
                if tag.attributes["direction"] == "out" {
                    methods[method]?.output += type
                } else {
                    methods[method]?.input += type
                }
            default: break
            }
        }
        guard wasFound else { return nil }
    }

    private struct Tag {
        let name: Substring
        var attributes: [Substring: String] = [:]
    }

    private static func tags(_ xml: String) -> [Tag] {
        var tags: [Tag] = []
        var rest = Substring(xml)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { break }
                rest = rest[end.upperBound...]
                continue
            }
            let text = rest.prefix { $0 != ">" }
            rest = rest.dropFirst(text.count)
            tags.append(tag(text))
        }
        return tags
    }

    private static func tag(_ text: Substring) -> Tag {
        var tag = Tag(name: text.prefix { !$0.isWhitespace && ($0 != "/" || text.first == "/") })
        var rest = text.dropFirst(tag.name.count)
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
            rest = rest[equals...].dropFirst().drop { $0.isWhitespace }
            guard let quote = rest.first, quote == "\"" || quote == "'" else { break }
            let value = rest.dropFirst().prefix { $0 != quote }
            tag.attributes[key] = String(value)
            rest = rest.dropFirst(value.count + 2)
        }
        return tag
    }
}
