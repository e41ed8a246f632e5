internal import Glibc
internal import HunchDBus
internal import HunchModel

/// Follows the person's sessions through logind, which is not started by it. Whether one is locked is told by its property
/// `LockedHint`, which whoever locks it sets. The signals `Lock` and `Unlock` only ask for it, and may be heard by nobody.
///
/// Source: org.freedesktop.login1(5).
struct Session: Sendable {
    private static let service: BusName = "org.freedesktop.login1"
    private static let root: ObjectPath = "/org/freedesktop/login1"
    private static let manager: InterfaceName = "org.freedesktop.login1.Manager"
    private static let session: InterfaceName = "org.freedesktop.login1.Session"
    private static let deadline = Duration.seconds(5)

    private let user: UInt32

    /// Describes what is followed.
    ///
    /// - Parameter user: whose sessions, by number; `nil` for the user of this process.
    init(of user: UInt32? = nil) { self.user = user ?? getuid() }

    /// Delivers what happens, as long as the connection lasts. A session that began less than
    /// ``SessionTable/startTime`` before it is first seen is told of as just begun.
    ///
    /// - Parameter screen: told whether the person sees a screen of theirs, and whether an unlocking will be delivered next, once
    ///   the sessions are known and whenever that changes, before what else happens is delivered. Someone without a session at a
    ///   seat is taken to see one.
    /// - Throws: ``DBusError`` when the bus refuses the subscription; `CancellationError`.
    func follow(
        _ bus: Connection, screen: @Sendable (_ isSeen: Bool, _ isUnlocking: Bool) async -> Void = { _, _ in },
        _ deliver: @Sendable (SessionEvent) async -> Void
    ) async throws {
        let signals = try await bus.signals([
            MatchRule(
                sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: Self.service.text),
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

    /// Reads all sessions anew; none where logind does not run.
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
        // One that is gone by now is none of the person's. What was on its way as it was asked is taken in once more, which
        // leads to the same state, and loses no unlocking that came meanwhile.
        guard let properties = try? await proxy.properties(Self.session, timeout: Self.deadline) else { return [] }
        return table.take(properties, of: path, at: .now)
    }
}

/// The person's sessions, whether each is locked, and whether it is the one in front at its seat.
struct SessionTable {
    private struct Sitting {
        var isLocked: Bool
        var isActive: Bool
    }

    /// How long after it began a session counts as just begun.
    static let startTime = Duration.seconds(300)
    /// More are left out: nobody sits at so many seats.
    static let limit = 64

    private let user: UInt32
    private var sittings: [ObjectPath: Sitting] = [:]

    init(of user: UInt32) { self.user = user }

    /// Whether the person sees a screen of theirs: a session is unlocked and in front, or none is known.
    var isScreenSeen: Bool { sittings.isEmpty || sittings.values.contains { $0.isActive && !$0.isLocked } }

    /// Takes in what a session says of itself.
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

    /// Takes in that a session came to the front, or that another one did.
    mutating func setActive(_ isActive: Bool, _ path: ObjectPath) { sittings[path]?.isActive = isActive }

    mutating func remove(_ path: ObjectPath) { sittings[path] = nil }

    mutating func keep(only paths: Set<ObjectPath>) { sittings = sittings.filter { paths.contains($0.key) } }

    /// Whether it is one that the person sits at, and no login from elsewhere or of a service.
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
