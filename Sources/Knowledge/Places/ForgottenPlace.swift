import Coordinates
public import HunchModel
import JourneyWords
import MapLinks

/// A place to forget, as a user names it: by a part of its name, by a coordinate, or by a link to it.
///
/// ```swift
/// let place = ForgottenPlace("48.2082,16.3738")
/// place.isMentioned(in: "geo:48.2083,16.3737")   // true
/// ```
///
/// Every store that forgets places asks this type, so that all of them forget the same.
public struct ForgottenPlace: Sendable {
    /// The distance within which a coordinate means the place, in metres.
    private static let radius = 250.0
    private static let parser = PlaceParser()

    /// The name in lower case; `nil` for a mere coordinate.
    private let name: String?
    /// The words of the name, as in addresses of pages and among typed words; empty without any.
    private let words: String
    /// The coordinate; `nil` for a name.
    public let coordinate: Coordinate?

    /// - Parameter text: a part of the name, `latitude,longitude`, or a link.
    public init(_ text: String) {
        let plain = Self.plainCoordinate(text)
        let place = plain == nil ? try? Self.parser.parse(text).item : nil
        coordinate = plain ?? place?.coordinate
        let isLink = text.contains("://")
        name = plain != nil ? nil : (isLink && coordinate == nil ? place?.query ?? text : text).lowercased()
        words = name.map(Self.words) ?? ""
    }

    /// Whether a text contains the name, or is a coordinate or a link near the place.
    ///
    /// Letter case, accents, punctuation and percent-encoding do not matter.
    ///
    /// - Parameter wholeWords: whether the name must not begin or end within a word, as in long texts.
    public func isMentioned(in text: String, wholeWords: Bool = false) -> Bool {
        if let name {
            if !wholeWords, text.lowercased().contains(name) { return true }
            if !words.isEmpty {
                let found = Self.words(text)
                if wholeWords ? " \(found) ".contains(" \(words) ") : found.contains(words) { return true }
            }
        }
        guard coordinate != nil else { return false }
        if let other = Self.plainCoordinate(text) { return isNear(other) }
        guard text.contains("://") || text.hasPrefix("geo:"), let other = try? Self.parser.parse(text).item.coordinate
        else { return false }
        return isNear(other)
    }

    /// Whether a map item is at the place, or has its name.
    public func isMeant(_ item: MapItem) -> Bool {
        item.coordinate.map(isNear) ?? false
            || [item.name, item.query, item.address?.singleLine].contains { $0.map { isMentioned(in: $0) } ?? false }
    }

    /// Whether a word of the user for one of their places is the whole name.
    public func isNamed(_ word: String) -> Bool { word.lowercased() == name }

    /// Whether a coordinate is within 250 m.
    public func isNear(_ other: Coordinate) -> Bool {
        coordinate.map { $0.distance(to: other) <= Self.radius } ?? false
    }

    private static func words(_ text: String) -> String {
        let text = text.contains("%") ? (try? PercentEncoding.decode(text)) ?? text : text
        return WordFolding.words(of: text).joined(separator: " ")
    }

    /// `latitude,longitude`, with `geo:` before it and anything after it. Much quicker than the parser.
    private static func plainCoordinate(_ text: String) -> Coordinate? {
        let text = text.lowercased().hasPrefix("geo:") ? text.dropFirst(4) : text[...]
        let numbers = text.split(omittingEmptySubsequences: false) { ",;?".contains($0) }.prefix(2)
            .map { $0.filter { $0 != " " } }
        guard numbers.count == 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]),
            (-180...180).contains(longitude)
        else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }
}
