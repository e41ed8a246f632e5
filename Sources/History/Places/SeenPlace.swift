public import FoundationEssentials
public import HunchModel

/// A place that an app had on the screen: one for each content of the app, or for each place that is no content.
public struct SeenPlace: Hashable, Sendable {
    /// Desktop identifier of the app, without `.desktop`.
    public var application: String
    /// The place, with a coordinate or without.
    public var place: MapItem
    /// The app's name of the content.
    public var content: String?
    /// The identifier of a donation, or of other content, that is about the same.
    public var related: String?
    /// The group, for deletion.
    public var group: String?
    /// The date on which it was last on the screen.
    public var date: Date
    /// The date of a suggestion made from it; `nil` if there was none.
    public var offered: Date?

    /// Makes a seen place.
    public init(
        application: String, place: MapItem, content: String? = nil, related: String? = nil, group: String? = nil,
        date: Date, offered: Date? = nil
    ) {
        self.application = application
        self.place = place
        self.content = content
        self.related = related
        self.group = group
        self.date = date
        self.offered = offered
    }

    /// The key among the places of its app.
    var key: String { content.map { "content " + $0 } ?? "place " + whereabouts }

    /// The same for what a person takes for the same place, whichever app shows it: the name, and where it is to some ten
    /// metres, or else how it is written.
    var whereabouts: String {
        let name = (place.name ?? "").lowercased()
        if let coordinate = place.coordinate {
            func rounded(_ degrees: Double) -> Int { Int(clamping: degrees * 10_000) }
            return "\(name) \(rounded(coordinate.latitude)) \(rounded(coordinate.longitude))"
        }
        return [name, place.address?.singleLine.lowercased() ?? "", place.query?.lowercased() ?? ""]
            .joined(separator: "\n")
    }
}
