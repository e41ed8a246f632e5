package import HunchDBus

/// A notification on the screen or kept by a server.
package struct StandingNotification: Hashable, Sendable {
    /// The number that the server gave it.
    package let number: UInt32
    /// The unique bus name of the server, which no other connection to this bus ever gets.
    package let owner: BusName

    package init(number: UInt32, owner: BusName) {
        self.number = number
        self.owner = owner
    }

    /// The call that closes it. A server that has ended is not started again.
    package var closing: MethodCall {
        MethodCall(
            owner, .notifications, .notifications, "CloseNotification", body: [.uint32(number)], startsService: false)
    }
}
