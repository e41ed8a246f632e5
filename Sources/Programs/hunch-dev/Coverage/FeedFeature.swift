import CommandSupport
import FoundationEssentials
import HunchModel
import Regions
import TransitFeed

/// The coverage file of a timetable: a GeoJSON Feature as described in `Regions/README.md`.
struct FeedFeature: Encodable {
    private let id: String
    private let properties: Properties
    private let geometry: Geometry

    private struct Geometry: Encodable {
        let type = "MultiPolygon"
        let coordinates: [[[[Double]]]]
    }

    private struct Properties: Encodable {
        let name: String
        let kind: String?
        let modes: [String]?
        let uri: [String: String]?
        let coverage = "stated"
        let origin: Origin
    }

    /// The origin of the area, for people.
    private struct Origin: Encodable {
        let claim: String
        let source: String
        let date: String
        let accuracy: String
        let modes: [String]?
    }

    private enum CodingKeys: String, CodingKey { case type, id, properties, geometry }

    /// - Parameters:
    ///   - day: the first day of the service.
    ///   - file: the path of the feed, for feeds without a publisher.
    ///   - id: the identifier; by default the reversed host of the first agency's site.
    ///   - name: the name; by default the agencies' names.
    ///   - modes: the travel modes; if empty, those of the routes.
    ///   - uri: the template of a link to a destination; `nil` for an area alone.
    init(
        feed: TransitFeed, outline: CoverageOutline, style: CoverageOutline.Style, day: ServiceDay, file: String,
        id: String?, name: String?, modes: Set<TransportMode>, uri: String?
    ) {
        let fileName = String(file.split(separator: "/").last ?? "feed")
        let name = name ?? Self.name(of: feed) ?? fileName
        self.id = id ?? feed.agencies.lazy.compactMap { Self.reversedHost(of: $0.url) }.first ?? fileName
        let words = (modes.isEmpty ? feed.modes : TransportMode.allCases.filter(modes.contains)).map(\.rawValue)
        let span = [feed.firstDay, feed.lastDay].map { $0.map(String.init) ?? "" }
        let validity = span == ["", ""] ? "" : ", valid \(span[0])…\(span[1])"
        properties = Properties(
            name: name, kind: uri == nil ? nil : "web", modes: uri == nil ? nil : words, uri: uri.map { ["to": $0] },
            origin: Origin(
                claim:
                    "\(words.joined(separator: ", ")): the \(feed.stops.count) stops that are served on or after \(day).",
                source:
                    "GTFS feed \(fileName) of \(feed.publisher ?? name)\(feed.version.map { ", version \($0)" } ?? "")\(validity)",
                date: day.description,
                accuracy:
                    "a hull around the stops (concaveness \(style.concaveness)), \(Int(clamping: style.buffer, .towardZero)) m beyond them, simplified by up to \(Int(clamping: style.simplification, .towardZero)) m",
                modes: uri == nil ? words : nil))
        geometry = Geometry(
            coordinates: outline.polygons.map { polygon in
                polygon.map { ring in ring.map { [$0.longitude, $0.latitude] } }
            })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Feature", forKey: .type)
        try container.encode(id, forKey: .id)
        try container.encode(properties, forKey: .properties)
        try container.encode(geometry, forKey: .geometry)
    }

    /// Returns the names of the agencies if they are few, else the publisher of the feed.
    private static func name(of feed: TransitFeed) -> String? {
        guard !feed.agencies.isEmpty else { return feed.publisher }
        return feed.agencies.count > 3 && feed.publisher != nil
            ? feed.publisher : feed.agencies.prefix(3).map(\.name).joined(separator: ", ")
    }

    /// Returns `fi.hsl` for `https://www.hsl.fi/en`.
    private static func reversedHost(of url: String) -> String? {
        guard let host = URL(string: url)?.host(), host.contains(".") else { return nil }
        let labels = host.lowercased().split(separator: ".").drop { $0 == "www" }
        guard labels.count > 1, !labels.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
        return labels.reversed().joined(separator: ".")
    }
}
