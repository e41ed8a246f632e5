public import EventLoops
public import HunchDBus
public import HunchModel

/// Follows whether the user sees the screen, and when the user comes back.
///
/// It combines logind on the system bus with the screen savers on the session bus. A screen saver that uncovers an
/// unlocked session counts as an unlocking. If both report the same return, it is delivered once.
public actor ScreenWatch: LoopActor {
    /// The loop that executes the actor.
    public nonisolated let loop: EventLoop
    private var presence = ScreenPresence()

    /// Creates the watch without sending anything.
    ///
    /// - Parameter loop: a running loop, which also executes the actor.
    public init(on loop: EventLoop) { self.loop = loop }

    /// Returns whether the user is known to have authenticated, rather than been logged in automatically. `false`
    /// while nothing is known.
    ///
    /// - Parameter bus: the system bus.
    public static func isAuthenticated(_ bus: Connection) async -> Bool { await Session().isAuthenticated(bus) }

    /// Follows the user's sessions until the connection ends.
    ///
    /// - Parameters:
    ///   - bus: the system bus.
    ///   - screen: called initially and after each change, before `deliver`, with whether the user sees the screen.
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    public func followSessions(
        _ bus: Connection, screen: @Sendable (_ isSeen: Bool) async -> Void = { _ in },
        _ deliver: @Sendable (SessionEvent) async -> Void
    ) async throws {
        try await Session().follow(bus, isHidden: !presence.isOpen) { isOpen, isUnlocking in
            await screen(await setOpen(isOpen, byUnlocking: isUnlocking))
        } _: { event in
            if await isNews(event) { await deliver(event) }
        }
    }

    /// Follows screen savers until the connection ends, after which none covers the screen.
    ///
    /// - Parameters:
    ///   - bus: the session bus.
    ///   - screen: called initially and after each change, before `deliver`, with whether the user sees the screen.
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    public func followSavers(
        _ bus: Connection, screen: @Sendable (_ isSeen: Bool) async -> Void = { _ in },
        _ deliver: @Sendable (SessionEvent) async -> Void
    ) async throws {
        do {
            try await ScreenSavers().follow(bus) { cover in
                let (isSeen, isReturn) = await take(cover)
                await screen(isSeen)
                if isReturn { await deliver(.unlocked) }
            }
        } catch {
            await screen(take(.gone).isSeen)
            throw error
        }
        await screen(take(.gone).isSeen)
    }

    private func setOpen(_ isOpen: Bool, byUnlocking isUnlocking: Bool) -> Bool {
        presence.setOpen(isOpen, byUnlocking: isUnlocking)
        return presence.isSeen
    }

    private func isNews(_ event: SessionEvent) -> Bool { presence.take(event) }

    private func take(_ cover: ScreenCover) -> (isSeen: Bool, isReturn: Bool) {
        let isReturn = presence.take(cover)
        return (presence.isSeen, isReturn)
    }
}
