public import HunchDBus

/// A suggestion as the bus shows it.
public struct OfferedSuggestion: Hashable, Sendable, Identifiable {
    /// Its identifier: the last element of its path.
    public let id: String
    /// `media`, `directions`, `call`, `message`, `item`, `reservation`, or the word of a kind that an app declared.
    public let kind: String
    /// The title for people.
    public let title: String
    /// The subtitle for people.
    public let subtitle: String
    /// A local picture as a `file:` URI; empty for none.
    public let artwork: String
    /// Desktop identifier of the app, without `.desktop`; for a web service the identifier of its coverage.
    public let application: String
    /// The name of that app for people.
    public let applicationName: String
    /// The source, for people.
    public let source: String
    /// The confidence that it is wanted, 0…1.
    public let score: Double
    /// The expiry, in microseconds since 1970 (UTC).
    public let expiry: Int64
    /// The state in its life cycle.
    public let state: String

    /// Reads the properties of `org.hunch.Suggestion1`.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` when one is missing or of another type.
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
        application = try property("Application")
        applicationName = try property("ApplicationName")
        source = try property("Source")
        score = try property("Score")
        expiry = try property("Expiry")
        state = try property("State")
    }
}
