public import FoundationEssentials
public import HunchModel

/// A place that an app had on the screen. There is one for each content of the app, or for each place without content.
public struct SeenPlace: Hashable, Sendable {
    /// Desktop identifier of the app, without `.desktop`.
    public var application: AppID
    /// The place, with a coordinate or without.
    public var place: MapItem
    /// The app's identifier of the content.
    public var content: String?
    /// The identifier of a donation or of other content about the same subject.
    public var related: String?
    /// The group to which the place belongs, for deletion.
    public var group: String?
    /// The date on which it was last on the screen.
    public var date: Date
    /// The date of a suggestion for this place, or `nil` if there was none.
    public var offered: Date?
    /// The reservation at this place, or `nil` if there is none. Its place is ``place``.
    public var reservation: CalendarEvent?

    /// Creates a seen place.
    public init(
        application: AppID, place: MapItem, content: String? = nil, related: String? = nil, group: String? = nil,
        date: Date, offered: Date? = nil,
        reservation: CalendarEvent? = nil
    ) {
        self.application = application
        self.place = place
        self.content = content
        self.related = related
        self.group = group
        self.date = date
        self.offered = offered
        self.reservation = reservation
        self.reservation?.place = place
    }

    /// The application of reservations that the user added with `hunch calendar add`.
    private static let added: AppID = "org.hunch.Hunch"

    /// Whether it has a later version of the reservation of another place. Only the user and the same app replace one.
    func isNewerVersion(of other: SeenPlace) -> Bool {
        guard let reservation, let former = other.reservation, reservation.replaces(former),
            application == other.application || application == Self.added
        else { return false }
        // Of two at the same instant, one must count.
        return (date, reservation.start) > (other.date, former.start)
    }

    /// The key that distinguishes it from other places of its app.
    package var key: String { content.map { "content " + $0 } ?? "place " + whereabouts }

    /// A key that is equal for the same place in different apps: the name, and the coordinate to some ten metres or
    /// else the address.
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
