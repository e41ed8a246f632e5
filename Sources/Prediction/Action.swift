public import HunchModel

/// What a person does again and again: what equivalent donations have in common.
public struct Action: Hashable, Sendable {
    /// Desktop identifier of the app, without `.desktop`.
    public var application: String
    /// What is done.
    public var kind: Donation.Kind
    /// The values that tell this action from others of its kind; empty for "this app, whatever it does".
    public var parameters: [String: String]

    /// Makes an action.
    public init(application: String, kind: Donation.Kind, parameters: [String: String] = [:]) {
        self.application = application
        self.kind = kind
        self.parameters = parameters
    }

    /// The action that was donated.
    public init(_ donation: Donation) {
        self.init(application: donation.application, kind: donation.kind, parameters: donation.identity)
    }
}
