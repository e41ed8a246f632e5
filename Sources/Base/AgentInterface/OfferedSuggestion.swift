public import HunchDBus
public import HunchModel

/// A suggestion as read from the bus.
public struct OfferedSuggestion: Hashable, Sendable, Identifiable {
    /// The identifier: the last element of the object path.
    public let id: String
    /// The kind: `media`, `directions`, `call`, `message`, `item`, `reservation`, or a kind that an app declared.
    public let kind: String
    /// The first line that a user sees.
    public let title: String
    /// The second line that a user sees.
    public let subtitle: String
    /// A local image as a `file:` URI; empty for none.
    public let artwork: String
    /// The desktop identifier of the app, without `.desktop`; for a web service, the identifier of its coverage.
    public let application: AppID
    /// The name of the app.
    public let applicationName: String
    /// The source of the suggestion, in words.
    public let source: String
    /// The estimated probability that the user wants it, 0…1.
    public let score: Double
    /// The instant at which the suggestion expires, in microseconds since 1970 (UTC).
    public let expiry: UInt64
    /// The instant at which it was offered, in microseconds since 1970 (UTC); 0 if the agent does not report it.
    public let offered: UInt64
    /// The device whose connection led to it; `nil` for another trigger.
    public let device: AudioDevice.ID?
    /// The state of the suggestion, as documented in `org.hunch.Suggestion1`.
    public let state: String
    /// The reason for which it is made.
    public let origin: Origin
    /// The trigger before it; `nil` for none, or if it tells where the user is.
    public let trigger: Trigger?
    /// The unique name of the connection that requested it; `nil` if none did.
    public let requester: BusName?

    /// A reason for which a suggestion is made.
    public enum Origin: String, Sendable {
        /// Something happened: see ``OfferedSuggestion/trigger``.
        case spontaneous
        /// A program asked what is likely.
        case likely
        /// A program asked for something in particular, such as directions.
        case requested
    }

    /// Whether a program asked for it, so that Hunch did not suggest it by itself.
    public var isRequested: Bool { origin != .spontaneous }

    /// Reads the properties of `org.hunch.Suggestion1`.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` if a property is missing or of another type.
    public init(path: ObjectPath, properties: VariantMap) throws(DBusError) {
        func property<Held: DBusRepresentable>(_ name: String, _ type: Held.Type = Held.self) throws(DBusError) -> Held
        {
            guard let value = try properties.value(name, as: Held.self) else {
                throw DBusError(.invalidArgs, "the suggestion has no “\(name)”")
            }
            return value
        }
        id = path.lastElement
        kind = try property("Kind")
        title = try property("Title")
        subtitle = try property("Subtitle")
        artwork = try property("Artwork")
        application = try property("App")
        applicationName = try property("AppName")
        source = try property("Source")
        score = try property("Score")
        expiry = try property("Expiry")
        offered = try properties.value("Offered", as: UInt64.self) ?? 0
        device = try properties.value("Device", as: AudioDevice.ID.self).flatMap { $0.isEmpty ? nil : $0 }
        state = try property("State")
        // A later agent may have further origins, all of them requested.
        origin = Origin(rawValue: try property("Origin")) ?? .requested
        trigger = try properties.value("Trigger", as: String.self).flatMap { $0.isEmpty ? nil : Trigger($0) }
        requester = try properties.value("Requester", as: String.self).flatMap { try? BusName($0) }
    }
}
