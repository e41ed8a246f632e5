public import HunchDBus
public import HunchModel

/// Follows whether the person sees the screen, and when they come to it: logind on the system bus and screen savers on the
/// session bus together. That a screen saver lifts while the session is unlocked is as good as an unlocking; where both are told
/// of one return, it is delivered once.
public actor ScreenWatch {
    private let loop: EventLoop
    private var presence = ScreenPresence()

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Describes what is followed; nothing is sent.
    ///
    /// - Parameter loop: a running loop, on which everything happens.
    public init(on loop: EventLoop) { self.loop = loop }

    /// Follows the person's sessions as long as the connection lasts.
    ///
    /// - Parameters:
    ///   - bus: the system bus.
    ///   - screen: told whether the person sees the screen, once the sessions are known and whenever that changes, before what
    ///     happens is delivered.
    /// - Throws: ``DBusError`` when the bus refuses the subscription; `CancellationError`.
    public func followSessions(
        _ bus: Connection, screen: @Sendable (_ isSeen: Bool) async -> Void = { _ in },
        _ deliver: @Sendable (SessionEvent) async -> Void
    ) async throws {
        try await Session().follow(bus) { isOpen, isUnlocking in
            await screen(await setOpen(isOpen, byUnlocking: isUnlocking))
        } _: { event in
            if await isNews(event) { await deliver(event) }
        }
    }

    /// Follows screen savers as long as the connection lasts; then none covers the screen.
    ///
    /// - Parameters:
    ///   - bus: the session bus.
    ///   - screen: told whether the person sees the screen, once that is known and whenever it changes, before their coming back
    ///     is delivered.
    /// - Throws: ``DBusError`` when the bus refuses the subscription; `CancellationError`.
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
