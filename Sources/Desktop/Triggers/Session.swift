internal import Glibc
internal import EventLoops
internal import HunchDBus
internal import HunchModel

/// Follows the user's sessions through logind, which it does not start. Lockers set the property `LockedHint`. The
/// signals `Lock` and `Unlock` are only requests, and may have no listener.
///
/// Source: org.freedesktop.login1(5).
struct Session: Sendable {
    private static let service: BusName = "org.freedesktop.login1"
    private static let root: ObjectPath = "/org/freedesktop/login1"
    private static let manager: InterfaceName = "org.freedesktop.login1.Manager"
    private static let session: InterfaceName = "org.freedesktop.login1.Session"
    private static let deadline = Duration.seconds(5)

    private let user: UInt32

    /// Creates the follower without contacting logind.
    ///
    /// - Parameter user: the Unix user ID whose sessions to follow; `nil` for the user of this process.
    init(of user: UInt32? = nil) { self.user = user ?? getuid() }

    /// Delivers session events until the connection ends. A session younger than ``SessionTable/startTime`` when first
    /// seen counts as just started.
    ///
    /// - Parameters:
    ///   - isHidden: whether the screen was hidden when logind was last heard.
    ///   - screen: called initially and after each change, before `deliver`, with whether the user sees the screen and
    ///     whether an unlocking follows. Without a session at a seat, the user counts as seeing the screen. While logind
    ///     is away, the screen stays hidden if it was; see ``SessionTable/loseService()``.
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    func follow(
        _ bus: Connection, isHidden: Bool = false,
        screen: @Sendable (_ isSeen: Bool, _ isUnlocking: Bool) async -> Void = { _, _ in },
        _ deliver: @Sendable (SessionEvent) async -> Void
    ) async throws {
        let signals = try await bus.signals([
            .ownerChanges(of: Self.service),
            MatchRule(sender: Self.service, path: Self.root, interface: Self.manager),
            MatchRule(
                sender: Self.service, pathNamespace: Self.root, interface: .properties, member: "PropertiesChanged",
                argument0: Self.session.text),
        ])
        var table = SessionTable(of: user, isHidden: isHidden)
        var events = await readAll(bus, &table)
        var wasSeen = table.isScreenSeen
        await screen(wasSeen, events.contains(.unlocked))
        for event in events { await deliver(event) }
        for await signal in signals {
            switch signal {
            case .lost: events = await readAll(bus, &table)
            case .signal(let message): events = await take(message, bus, &table)
            }
            if table.isScreenSeen != wasSeen {
                wasSeen = table.isScreenSeen
                await screen(wasSeen, events.contains(.unlocked))
            }
            for event in events { await deliver(event) }
        }
    }

    /// Returns whether the user is known to have authenticated. `false` while nothing is known: without logind, an
    /// answer of logind, or a session.
    func isAuthenticated(_ bus: Connection) async -> Bool {
        guard let listed = await list(bus) else { return false }
        var logins: [Login] = []
        for session in listed {
            let isAtSeat = !session.seat.isEmpty
            do {
                // A session that has ended proves nothing.
                guard let properties = try await readProperties(of: session.path, bus) else { continue }
                logins.append(Login(properties, isAtSeat: isAtSeat))
            } catch {
                logins.append(Login([:], isAtSeat: isAtSeat))
            }
        }
        return Login.isAuthenticated(by: logins)
    }

    private func take(_ message: Message, _ bus: Connection, _ table: inout SessionTable) async -> [SessionEvent] {
        guard let path = message.path else { return [] }
        switch message.member {
        case "NameOwnerChanged": return await readAll(bus, &table)
        case "PrepareForSleep":
            guard let isFallingAsleep: Bool = try? message.arguments(Bool.self) else { return [] }
            return isFallingAsleep ? [] : [.resumed]
        case "SessionNew":
            guard let (_, new) = try? message.arguments(String.self, ObjectPath.self) else { return [] }
            return await read(new, bus, &table)
        case "SessionRemoved":
            if let (_, gone) = try? message.arguments(String.self, ObjectPath.self) { table.remove(gone) }
            return []
        case "PropertiesChanged":
            guard
                let (_, changed, invalidated) = try? message.arguments(
                    String.self, VariantMap.self, [String].self)
            else { return [] }
            // A session is unknown if logind was too slow to list it.
            if !table.knows(path) || invalidated.contains("LockedHint") || invalidated.contains("Active") {
                return await read(path, bus, &table)
            }
            if let isActive = try? changed.value("Active", as: Bool.self) { table.setActive(isActive, path) }
            guard let isLocked = try? changed.value("LockedHint", as: Bool.self) else { return [] }
            return table.setLocked(isLocked, path)
        default: return []
        }
    }

    /// Reads all sessions again. Without an answer of logind, no session is known.
    private func readAll(_ bus: Connection, _ table: inout SessionTable) async -> [SessionEvent] {
        guard let paths = await list(bus)?.map(\.path) else {
            table.loseService()
            return []
        }
        table.keep(only: Set(paths))
        var events: [SessionEvent] = []
        for path in paths { events += await read(path, bus, &table) }
        return events
    }

    /// Returns the user's sessions; `nil` if logind does not answer.
    private func list(_ bus: Connection) async -> [ListedSession]? {
        let listed: [ListedSession]? = try? await bus.call(
            Self.service, Self.root, Self.manager, "ListSessions", timeout: Self.deadline, startsService: false)
        return listed.map { $0.filter { $0.user == user }.suffix(SessionTable.limit) }
    }

    private func read(_ path: ObjectPath, _ bus: Connection, _ table: inout SessionTable) async -> [SessionEvent] {
        do {
            // Signals sent before the answer are applied once more afterwards. They lead to the same state, so no
            // unlocking is lost.
            if let properties = try await readProperties(of: path, bus) {
                return table.take(properties, of: path, at: .now)
            }
            table.remove(path)
        } catch {
            // The table keeps the session as unread. Its next change causes another read.
        }
        return []
    }

    /// Returns the properties of a session; `nil` if it has ended.
    ///
    /// - Throws: ``DBusError`` if logind does not return them; `CancellationError`.
    private func readProperties(of path: ObjectPath, _ bus: Connection) async throws -> VariantMap? {
        do {
            return try await Proxy(bus, Self.service, path).properties(Self.session, timeout: Self.deadline)
        } catch let error as DBusError where error.name == .unknownObject {
            return nil
        }
    }
}

/// The evidence in the properties of a session on how the user logged in.
struct Login {
    let isAtSeat, isRemote, isAutomatic: Bool
    /// The session's class, such as `user` or `greeter`; `nil` if it is not known.
    private let kind: String?

    private var isOfPerson: Bool { kind?.hasPrefix("user") ?? false }

    /// Reads the properties of a session; empty properties stand for a session that could not be read.
    init(_ properties: VariantMap, isAtSeat: Bool) {
        self.isAtSeat = isAtSeat
        isRemote = (try? properties.value("Remote", as: Bool.self)) ?? false
        kind = try? properties.value("Class", as: String.self)
        isAutomatic = (try? properties.value("Service", as: String.self))?.hasSuffix("autologin") ?? true
    }

    /// Whether one of the sessions proves that the user authenticated.
    ///
    /// A session at a seat does unless a display manager began it by automatic login, with a PAM service that is called
    /// like `gdm-autologin`. Without any session at a seat, a remote login does. A session of unknown class at a seat
    /// may be an automatic login, so it makes all others inconclusive.
    static func isAuthenticated(by logins: [Login]) -> Bool {
        guard logins.allSatisfy({ !$0.isAtSeat || $0.kind != nil }) else { return false }
        let persons = logins.filter(\.isOfPerson)
        let local = persons.filter(\.isAtSeat)
        return (local.isEmpty ? persons.filter(\.isRemote) : local).contains { !$0.isAutomatic }
    }
}

/// A session in the answer to `ListSessions`.
struct ListedSession: DBusStructure {
    let identifier: String
    let user: UInt32
    let name, seat: String
    let path: ObjectPath

    static let layout = StructureLayout(ListedSession.init(identifier:user:name:seat:path:)) {
        ($0.identifier, $0.user, $0.name, $0.seat, $0.path)
    }
}
