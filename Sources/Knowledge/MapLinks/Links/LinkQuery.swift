package import Coordinates
import HunchModel

/// The fields of a link's query. Names are case-insensitive; the first of a repeated name counts.
package struct LinkQuery: Sendable {
    private let fields: [(name: String, value: Substring)]

    /// Parses a query without the `?`.
    package init(_ query: Substring) {
        fields = query.split(separator: "&").map { field in
            let name = field.prefix { $0 != "=" }
            let value = field.dropFirst(name.count + 1)
            // Links copied from a page's source have "&amp;" between their fields.
            let plain = name.hasPrefix("amp;") ? name.dropFirst(4) : name
            return ((try? PercentEncoding.decode(plain))?.lowercased() ?? plain.lowercased(), value)
        }
    }

    /// The names of the fields, in lower case.
    package var names: [String] { fields.map(\.name) }

    /// Whether there are no fields.
    package var isEmpty: Bool { fields.isEmpty }

    /// Returns whether one of the fields is present, even if empty.
    package func has(_ names: String...) -> Bool { fields.contains { names.contains($0.name) } }

    /// Returns the first of these fields that is not empty, decoded and single-spaced; `+` is a space.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` if its encoding is broken.
    package func text(_ names: String...) throws(PlaceError) -> String? { try text(among: names) }

    /// Returns the first non-empty field, for names in an array.
    package func text(among names: [String]) throws(PlaceError) -> String? {
        for name in names {
            guard let field = fields.first(where: { $0.name == name }) else { continue }
            let text = try PercentEncoding.decode(field.value, plusIsSpace: true).singleSpaced
            if !text.isEmpty { return text }
        }
        return nil
    }

    /// Returns all values of a repeated field, decoded and single-spaced, including empty ones.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` if an encoding is broken.
    package func texts(_ name: String) throws(PlaceError) -> [String] {
        var texts: [String] = []
        for field in fields where field.name == name {
            texts.append(try PercentEncoding.decode(field.value, plusIsSpace: true).singleSpaced)
        }
        return texts
    }

    /// Returns the raw value, for formats with an encoding of their own.
    package func raw(_ name: String) -> Substring? { fields.first { $0.name == name }?.value }
}
