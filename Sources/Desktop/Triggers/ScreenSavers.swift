internal import HunchDBus

/// Follows the screen savers and lockers that report on the session bus when they cover the screen. It starts none.
///
/// They share one interface under many names, in which “active” means that the screen is covered. Not all of them
/// report whether unlocking needs a password, but nobody can read a covered screen either way. Lockers without this
/// interface (swaylock, i3lock) are known only through logind; see ``Session``.
///
/// Source: the D-Bus interface of gnome-screensaver. The screen savers of Cinnamon, MATE and Xfce adopted it, and so
/// did GNOME Shell and Plasma, the latter as `org.freedesktop.ScreenSaver`.
struct ScreenSavers: Sendable {
    private static let services: [BusName] = [
        "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver", "org.xfce.ScreenSaver",
        "org.freedesktop.ScreenSaver",
    ]
    private static let deadline = Duration.seconds(5)

    init() {}

    /// Delivers whether the screen is covered, now and after each change, until the connection ends.
    ///
    /// A screen saver that does not run, or does not answer within five seconds, does not cover the screen.
    ///
    /// - Parameter bus: the session bus.
    /// - Throws: ``DBusError`` if the bus refuses the subscription or a name; `CancellationError`.
    func follow(_ bus: Connection, _ deliver: @Sendable (ScreenCover) async -> Void) async throws {
        let signals = try await bus.signals(
            Self.services.flatMap { service in
                [
                    .ownerChanges(of: service),
                    MatchRule(sender: service, interface: try? InterfaceName(service.text), member: "ActiveChanged"),
                ]
            })
        var covering = try await readAll(bus)
        var wasCovered = !covering.isEmpty
        await deliver(wasCovered ? .covered : .gone)
        for await signal in signals {
            var isEnd = false
            switch signal {
            case .lost: covering = try await readAll(bus)
            case .signal(let message):
                try await take(message, bus, &covering)
                isEnd = message.ownerChange != nil
            }
            guard covering.isEmpty == wasCovered else { continue }
            wasCovered.toggle()
            await deliver(wasCovered ? .covered : isEnd ? .gone : .lifted)
        }
    }

    private func take(_ message: Message, _ bus: Connection, _ covering: inout Set<String>) async throws {
        if let change = message.ownerChange {
            // A screen saver that ended covers nothing. A new one may cover the screen at once.
            covering.remove(change.name.text)
            if change.owner != nil, try await isActive(change.name, bus) { covering.insert(change.name.text) }
        } else if let isActive: Bool = try? message.arguments(Bool.self), let name = message.interface?.text {
            if isActive { covering.insert(name) } else { covering.remove(name) }
        }
    }

    /// Returns the names of the screen savers that cover the screen now.
    private func readAll(_ bus: Connection) async throws -> Set<String> {
        var covering: Set<String> = []
        for service in Self.services where try await bus.owner(of: service) != nil {
            if try await isActive(service, bus) { covering.insert(service.text) }
        }
        return covering
    }

    private func isActive(_ service: BusName, _ bus: Connection) async throws -> Bool {
        let path = try ObjectPath("/" + service.text.replacing(".", with: "/"))
        let isActive: Bool? = try? await bus.call(
            service, path, InterfaceName(service.text), "GetActive", timeout: Self.deadline, startsService: false)
        try Task.checkCancellation()
        return isActive ?? false
    }
}

/// The state of the screen according to the screen savers.
enum ScreenCover: Hashable, Sendable {
    /// A screen saver covers the screen.
    case covered
    /// The last screen saver uncovered the screen: the user is there.
    case lifted
    /// No screen saver covers the screen: none did at first, or the one that did has ended.
    case gone
}
