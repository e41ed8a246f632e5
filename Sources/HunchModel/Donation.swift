public import FoundationEssentials

/// An action that was done: an app, a kind, and the values that identify the action.
///
/// Two donations are equivalent when application, kind and ``identity`` are equal; the time is not a parameter.
public struct Donation: Hashable, Sendable, Codable {
    /// The kind of action. The set is open: apps may declare more.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The word in the history and on the bus, in camel case.
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
    /// The kind of action.
    public var kind: Kind
    /// The values of the action, by parameter name.
    public var parameters: [String: String]
    /// The time of the action.
    public var date: Date
    /// The context of the action.
    public var context: Context
    /// The donor's own identifier, for deletion; at most 1,024 bytes of UTF-8.
    public var identifier: String?
    /// The donor's group, for deletion.
    public var group: String?
    /// The names of the parameters that identify the action, sorted; `nil` for all parameters.
    public var combination: [String]?

    /// The values that identify the action. Equivalent donations have equal ones.
    public var identity: [String: String] {
        guard let combination else { return parameters }
        return parameters.filter { combination.contains($0.key) }
    }

    /// The identifier or URL by which the app can play the item again, or that of its playlist, album or station.
    /// `nil` if the donation has none, and for other kinds.
    public var mediaItem: String? {
        guard kind == .playMedia else { return nil }
        return [parameters["item"], parameters["container"]].compactMap(\.self).first { !$0.isEmpty }
    }

    /// Returns whether both are the same action, at any time.
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
