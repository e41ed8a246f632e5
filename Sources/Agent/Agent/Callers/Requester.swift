package import HunchDBus

/// A caller that requests suggestions. They are private to it.
package struct Requester: Sendable {
    /// Its key among those that request, see ``CallerPermission/requester``.
    let key: String
    /// Its connection; `nil` for the agent itself.
    let connection: BusName?

    /// The caller of a method.
    package init(_ permission: CallerPermission, _ call: IncomingCall) {
        (key, connection) = (permission.requester, call.sender)
    }

    /// A part of the agent.
    package init(part key: String) { (self.key, connection) = (key, nil) }

    /// The connection with which the suggestions end; `nil` for the user, who may accept with another `hunch` what one
    /// requested, and for the agent itself.
    var lifeline: BusName? { key == CallerPermission.personsRequests ? nil : connection }

    /// The subject of the suggestions on the bus, see ``CallerPermission/maySee(_:from:)``.
    var subject: String { lifeline?.text ?? CallerPermission.personsRequests }
}
