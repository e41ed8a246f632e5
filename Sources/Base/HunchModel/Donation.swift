public import FoundationEssentials

/// A past action that an app reports for learning: the app, the kind of action, and its parameters.
///
/// Two donations are equivalent when application, kind and ``identity`` are equal. The time does not count.
public struct Donation: Hashable, Sendable, Codable {
    /// A kind of action. Apps may declare further kinds.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The kind in the history and on the bus, in camel case.
        public let rawValue: String
        /// Creates a kind from its raw value.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The raw value.
        public var description: String { rawValue }

        /// The user played media.
        public static let playMedia = Kind(rawValue: "playMedia")
        /// The user opened directions.
        public static let getDirections = Kind(rawValue: "getDirections")
    }

    /// The desktop identifier of the app, without `.desktop`.
    public var application: AppID
    /// The kind of action.
    public var kind: Kind
    /// The parameters of the action by name.
    public var parameters: [String: String]
    /// The instant of the action.
    public var date: Date
    /// The context of the action.
    public var context: Context
    /// The app's identifier of the donation, for deletion; at most 1,024 bytes of UTF-8.
    public var identifier: String?
    /// The app's group of donations, for deletion.
    public var group: String?
    /// The sorted names of the parameters that identify the action; `nil` for all of them.
    public var combination: [String]?

    /// The parameters that identify the action. Equivalent donations have equal ones.
    public var identity: [String: String] {
        guard let combination else { return parameters }
        return parameters.filter { combination.contains($0.key) }
    }

    /// The identifier or URL with which the app plays the item again, or that of the playlist, album or station that
    /// contained it. `nil` if the app reported neither, and for other kinds than `playMedia`.
    public var mediaItem: String? {
        guard kind == .playMedia else { return nil }
        return [parameters["item"], parameters["container"]].compactMap(\.self).first { !$0.isEmpty }
    }

    /// Returns whether both donations are the same action, regardless of the time.
    public func isEquivalent(to other: Donation) -> Bool {
        application == other.application && kind == other.kind && identity == other.identity
    }

    /// Creates a donation.
    public init(
        application: AppID, kind: Kind, parameters: [String: String], date: Date, context: Context = Context(),
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
