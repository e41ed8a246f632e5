import HunchModel

/// The fields of a link's query: names in any case, the first of a repeated name counts.
struct LinkQuery: Sendable {
    private let fields: [(name: String, value: Substring)]

    /// Parses a query without the `?`.
    init(_ query: Substring) {
        fields = query.split(separator: "&").map { field in
            let name = field.prefix { $0 != "=" }
            let value = field.dropFirst(name.count + 1)
            // Links copied out of a page's source have "&amp;" between their fields.
            let plain = name.hasPrefix("amp;") ? name.dropFirst(4) : name
            return ((try? PercentEncoding.decode(plain))?.lowercased() ?? plain.lowercased(), value)
        }
    }

    /// The names of the fields, in lower case.
    var names: [String] { fields.map(\.name) }

    /// Whether there are no fields.
    var isEmpty: Bool { fields.isEmpty }

    /// Whether one of the fields is there, be it empty.
    func has(_ names: String...) -> Bool { fields.contains { names.contains($0.name) } }

    /// The first of these fields that is not empty, decoded and single-spaced; `+` is a space.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` when its encoding is broken.
    func text(_ names: String...) throws(PlaceError) -> String? { try text(among: names) }

    /// The same for names in an array.
    func text(among names: [String]) throws(PlaceError) -> String? {
        for name in names {
            guard let field = fields.first(where: { $0.name == name }) else { continue }
            let text = try PercentEncoding.decode(field.value, plusIsSpace: true).singleSpaced
            if !text.isEmpty { return text }
        }
        return nil
    }

    /// All values of a repeated field, decoded and single-spaced, empty ones too.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` when an encoding is broken.
    func texts(_ name: String) throws(PlaceError) -> [String] {
        var texts: [String] = []
        for field in fields where field.name == name {
            texts.append(try PercentEncoding.decode(field.value, plusIsSpace: true).singleSpaced)
        }
        return texts
    }

    /// The value as it stands in the link, for formats that encode within it.
    func raw(_ name: String) -> Substring? { fields.first { $0.name == name }?.value }
}
