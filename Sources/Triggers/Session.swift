internal import Glibc
internal import EventLoops
internal import HunchDBus
internal import HunchModel

/// Follows the person's sessions through logind, which it does not start. Lockers set the property `LockedHint`. The
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
    /// - Parameter screen: called initially and after each change, before `deliver`, with whether the person sees the
    ///   screen and whether an unlocking follows. Without a session at a seat, the person counts as seeing the screen.
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    func follow(
        _ bus: Connection, screen: @Sendable (_ isSeen: Bool, _ isUnlocking: Bool) async -> Void = { _, _ in },
        _ deliver: @Sendable (SessionEvent) async -> Void
    ) async throws {
        let signals = try await bus.signals([
            .ownerChanges(of: Self.service),
            MatchRule(sender: Self.service, path: Self.root, interface: Self.manager),
            MatchRule(
                sender: Self.service, pathNamespace: Self.root, interface: .properties, member: "PropertiesChanged",
                argument0: Self.session.text),
        ])
        var table = SessionTable(of: user)
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

    /// Returns whether all of the person's sessions at a seat began without a password: by the automatic login of a display
    /// manager, whose PAM service is called like `gdm-autologin`. `false` without a session or logind.
    func isAutomatic(_ bus: Connection) async -> Bool {
        let listed: [ListedSession]? = try? await bus.call(
            Self.service, Self.root, Self.manager, "ListSessions", timeout: Self.deadline, startsService: false)
        var services: [String] = []
        for session in listed ?? [] where session.user == user && !session.seat.isEmpty {
            // A session that is gone by now is ignored.
            let service: String? = try? await Proxy(bus, Self.service, session.path).property(
                Self.session, "Service", timeout: Self.deadline)
            if let service { services.append(service) }
        }
        return !services.isEmpty && services.allSatisfy { $0.hasSuffix("autologin") }
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
            if invalidated.contains("LockedHint") || invalidated.contains("Active") {
                return await read(path, bus, &table)
            }
            if let isActive = try? changed.value("Active", as: Bool.self) { table.setActive(isActive, path) }
            guard let isLocked = try? changed.value("LockedHint", as: Bool.self) else { return [] }
            return table.setLocked(isLocked, path)
        default: return []
        }
    }

    /// Reads all sessions again; none if logind does not run.
    private func readAll(_ bus: Connection, _ table: inout SessionTable) async -> [SessionEvent] {
        let listed: [ListedSession]? = try? await bus.call(
            Self.service, Self.root, Self.manager, "ListSessions", timeout: Self.deadline, startsService: false)
        guard let listed else { return [] }
        let paths = listed.filter { $0.user == user }.map(\.path)
        table.keep(only: Set(paths))
        var events: [SessionEvent] = []
        for path in paths { events += await read(path, bus, &table) }
        return events
    }

    private func read(_ path: ObjectPath, _ bus: Connection, _ table: inout SessionTable) async -> [SessionEvent] {
        let proxy = Proxy(bus, Self.service, path)
        // A session that is gone by now is ignored. Signals sent before the answer are applied once more afterwards.
        // They lead to the same state, so no unlocking is lost.
        guard let properties = try? await proxy.properties(Self.session, timeout: Self.deadline) else { return [] }
        return table.take(properties, of: path, at: .now)
    }
}

/// The person's sessions, with whether each is locked and in front at its seat.
struct SessionTable {
    private struct Sitting {
        var isLocked: Bool
        var isActive: Bool
    }

    /// The age up to which a session counts as just started.
    static let startTime = Duration.seconds(300)
    /// The maximum number of sessions. Further ones are ignored.
    static let limit = 64

    private let user: UInt32
    private var sittings: [ObjectPath: Sitting] = [:]

    init(of user: UInt32) { self.user = user }

    /// Whether the person sees a screen: a session is unlocked and in front, or no session is known.
    var isScreenSeen: Bool { sittings.isEmpty || sittings.values.contains { $0.isActive && !$0.isLocked } }

    /// Records the properties of a session, and returns the resulting events.
    mutating func take(
        _ properties: VariantMap, of path: ObjectPath, at now: MonotonicInstant
    ) -> [SessionEvent] {
        guard belongs(properties) else { return [] }
        let isLocked = (try? properties.value("LockedHint", as: Bool.self)) ?? false
        let isActive = (try? properties.value("Active", as: Bool.self)) ?? true
        if sittings[path] != nil {
            setActive(isActive, path)
            return setLocked(isLocked, path)
        }
        guard sittings.count < Self.limit else { return [] }
        sittings[path] = Sitting(isLocked: isLocked, isActive: isActive)
        guard let began = try? properties.value("TimestampMonotonic", as: UInt64.self) else { return [] }
        let age = MonotonicInstant(microseconds: began).duration(to: now)
        return age >= .zero && age < Self.startTime ? [.sessionStarted] : []
    }

    mutating func setLocked(_ isLocked: Bool, _ path: ObjectPath) -> [SessionEvent] {
        guard let before = sittings[path] else { return [] }
        sittings[path]?.isLocked = isLocked
        return before.isLocked && !isLocked ? [.unlocked] : []
    }

    /// Records whether a session is in front at its seat.
    mutating func setActive(_ isActive: Bool, _ path: ObjectPath) { sittings[path]?.isActive = isActive }

    mutating func remove(_ path: ObjectPath) { sittings[path] = nil }

    mutating func keep(only paths: Set<ObjectPath>) { sittings = sittings.filter { paths.contains($0.key) } }

    /// Whether the person sits at this session. Remote logins and service sessions do not count.
    private func belongs(_ properties: VariantMap) -> Bool {
        guard let owner = try? properties.value("User", as: Owner.self),
            let seat = try? properties.value("Seat", as: Seat.self)
        else { return false }
        return owner.user == user && !seat.name.isEmpty
            && (try? properties.value("Class", as: String.self)) == "user"
    }

    private struct Owner: DBusStructure {
        let user: UInt32
        let path: ObjectPath
        static let layout = StructureLayout(Owner.init(user:path:)) { ($0.user, $0.path) }
    }

    private struct Seat: DBusStructure {
        let name: String
        let path: ObjectPath
        static let layout = StructureLayout(Seat.init(name:path:)) { ($0.name, $0.path) }
    }
}

/// A session in the answer to `ListSessions`.
private struct ListedSession: DBusStructure {
    let identifier: String
    let user: UInt32
    let name, seat: String
    let path: ObjectPath

    static let layout = StructureLayout(ListedSession.init(identifier:user:name:seat:path:)) {
        ($0.identifier, $0.user, $0.name, $0.seat, $0.path)
    }
}
