public import FoundationEssentials

/// What was done: an app, a kind of action, and the values that tell it from others.
///
/// Two donations are equivalent when application, kind and ``identity`` are equal; the time is not a parameter.
public struct Donation: Hashable, Sendable, Codable {
    /// The kind of action. Open: apps may declare further ones.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The word in the store and on the bus, in camel case.
        public let rawValue: String
        /// Makes a kind from its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word.
        public var description: String { rawValue }

        /// Media was played by the person.
        public static let playMedia = Kind(rawValue: "playMedia")
        /// Directions were opened.
        public static let getDirections = Kind(rawValue: "getDirections")
    }

    /// Desktop identifier of the app, without `.desktop`.
    public var application: String
    /// What was done.
    public var kind: Kind
    /// The values that tell this action from others of its kind, by parameter name.
    public var parameters: [String: String]
    /// When it was done.
    public var date: Date
    /// The circumstances.
    public var context: Context
    /// The donor's own identifier, for deletion; at most 1,024 bytes of UTF-8.
    public var identifier: String?
    /// The donor's group, for deletion.
    public var group: String?
    /// Names of the parameters that tell it from others of its kind, sorted; `nil` for all of them.
    public var combination: [String]?

    /// The values that tell it from others of its kind: of equivalent donations they are equal.
    public var identity: [String: String] {
        guard let combination else { return parameters }
        return parameters.filter { combination.contains($0.key) }
    }

    /// What the app of a play plays it again by: its own identifier of the item, or the URL; else those of the playlist, album
    /// or station that it was played from. `nil` when it was told without, and for what is no play.
    public var mediaItem: String? {
        guard kind == .playMedia else { return nil }
        return [parameters["item"], parameters["container"]].compactMap(\.self).first { !$0.isEmpty }
    }

    /// Whether both are the same action, done at whatever time.
    public func isEquivalent(to other: Donation) -> Bool {
        application == other.application && kind == other.kind && identity == other.identity
    }

    /// Makes a donation.
    public init(
        application: String, kind: Kind, parameters: [String: String], date: Date, context: Context = Context(),
        identifier: String? = nil, group: String? = nil, combination: [String]? = nil
    ) {
        self.application = application
        self.kind = kind
        self.parameters = parameters
        self.date = date
        self.context = context
        self.identifier = identifier
        self.group = group
        self.combination = combination
    }
}
