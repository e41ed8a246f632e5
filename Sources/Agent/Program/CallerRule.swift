internal import HunchDBus

/// Who may say for the person that something is to be done: any program of the session, but none in a sandbox.
enum CallerRule {
    /// Lets a call pass that the person answers for.
    ///
    /// - Throws: ``DBusError`` with the name `…AccessDenied` for a caller in a sandbox, or one that has gone.
    static func check(_ call: IncomingCall) async throws {
        guard let caller = try? await call.caller(), mayDecide(caller) else {
            throw DBusError(.accessDenied, "an app in a sandbox cannot decide for the person; use “hunch” instead")
        }
    }

    /// A caller of which nothing is known is a plain process of the session: sandboxes run their apps in units of theirs.
    static func mayDecide(_ caller: CallerIdentity) -> Bool { caller.confinement != .sandboxed }
}
