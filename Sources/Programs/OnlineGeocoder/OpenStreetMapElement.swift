internal import HunchModel

/// A node, way or relation of OpenStreetMap, identified by a link.
public struct OpenStreetMapElement: Hashable, Sendable {
    /// The kinds of elements.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A point.
        case node
        /// A line, or the outline of an area.
        case way
        /// Several elements that belong together.
        case relation
    }

    /// The kind of element.
    public let kind: Kind
    /// The number among the elements of the same kind, from 1.
    public let number: UInt64

    /// Parses a link to an element's page, such as `https://www.openstreetmap.org/node/3075519634#map=19/37.79/-122.39`.
    ///
    /// Source: the OpenStreetMap wiki's page "Browsing".
    /// - Returns: `nil` for any other text.
    public init?(link: String) {
        // The host, the kind and the number.
        let page = link.prefix { $0 != "?" && $0 != "#" }
        let parts = page.split(separator: "/").drop { $0.hasSuffix(":") }.map(String.init)
        guard let host = ShortLinks.host(of: link), host.hasSuffix("openstreetmap.org") || host.hasSuffix("osm.org"),
            parts.count >= 3, let kind = Kind(rawValue: parts[1]), let number = UInt64(parts[2]), number > 0
        else { return nil }
        (self.kind, self.number) = (kind, number)
    }
}
