public import HunchModel

/// A recurring action: the properties that equivalent donations share.
public struct Action: Hashable, Sendable {
    /// The desktop identifier of the app, without `.desktop`.
    public var application: AppID
    /// The kind of action.
    public var kind: Donation.Kind
    /// The values that distinguish this action from others of its kind. Empty for "this app, whatever it does".
    public var parameters: [String: String]

    /// Creates an action.
    public init(application: AppID, kind: Donation.Kind, parameters: [String: String] = [:]) {
        self.application = application
        self.kind = kind
        self.parameters = parameters
    }

    /// Creates the action of a donation.
    public init(_ donation: Donation) {
        self.init(application: donation.application, kind: donation.kind, parameters: donation.identity)
    }
}
