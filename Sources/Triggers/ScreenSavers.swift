internal import HunchDBus

/// Follows the screen savers and lockers that tell on the session bus when they cover the screen, and starts none.
///
/// They have one interface under many names, in which “active” means that the screen is covered; whether a password is asked
/// for then, not all of them tell. Nobody reads what is below either way. Lockers without it (swaylock, i3lock) are known only
/// as far as logind is told of them; see ``Session``.
///
/// Source: the D-Bus interface of gnome-screensaver, which Cinnamon's, MATE's and Xfce's have taken over, GNOME Shell and
/// Plasma serve, the latter as `org.freedesktop.ScreenSaver`.
struct ScreenSavers: Sendable {
    private static let services: [BusName] = [
        "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver", "org.xfce.ScreenSaver",
        "org.freedesktop.ScreenSaver",
    ]
    private static let deadline = Duration.seconds(5)

    /// Describes what is followed; nothing is sent.
    init() {}

    /// Delivers whether the screen is covered, once that is known and whenever it changes, until cancelled or as long as the
    /// connection lasts. It is not while no screen saver runs, or when it does not answer within five seconds.
    ///
    /// - Parameter bus: the session bus.
    /// - Throws: ``DBusError`` when the bus refuses the subscription or a name; `CancellationError`.
    func follow(_ bus: Connection, _ deliver: @Sendable (ScreenCover) async -> Void) async throws {
        let signals = try await bus.signals(
            Self.services.flatMap { service in
                [
                    MatchRule(
                        sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged",
                        argument0: service.text),
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
                isEnd = message.member == "NameOwnerChanged"
            }
            guard covering.isEmpty == wasCovered else { continue }
            wasCovered.toggle()
            await deliver(wasCovered ? .covered : isEnd ? .gone : .lifted)
        }
    }

    private func take(_ message: Message, _ bus: Connection, _ covering: inout Set<String>) async throws {
        if message.member == "NameOwnerChanged" {
            guard let (name, _, new) = try? message.arguments(String.self, String.self, String.self) else { return }
            // What ends, covers nothing; what begins may cover the screen at once.
            covering.remove(name)
            if !new.isEmpty, let service = try? BusName(name), try await isActive(service, bus) {
                covering.insert(name)
            }
        } else if let isActive: Bool = try? message.arguments(Bool.self), let name = message.interface?.text {
            if isActive { covering.insert(name) } else { covering.remove(name) }
        }
    }

    /// The names of those that cover the screen now.
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

/// What screen savers do with the screen.
enum ScreenCover: Hashable, Sendable {
    /// One covers it.
    case covered
    /// The last one that covered it says that it does no more: somebody is there.
    case lifted
    /// None covers it: none did when that was first known, or the one that did has ended.
    case gone
}
