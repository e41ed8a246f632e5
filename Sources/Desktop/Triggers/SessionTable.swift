internal import EventLoops
internal import HunchDBus
internal import HunchModel

/// The user's sessions, with whether each is locked and in front at its seat.
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
    /// Whether the screen was hidden when logind was last heard. Cleared once every listed session was read.
    private var wasHidden: Bool
    /// The sessions of logind's last list that have not been read since.
    private var unread: Set<ObjectPath> = []

    init(of user: UInt32, isHidden: Bool = false) {
        self.user = user
        wasHidden = isHidden
    }

    /// Whether the user sees a screen: a session is unlocked and in front, or no session is known.
    var isScreenSeen: Bool {
        sittings.isEmpty ? !wasHidden : sittings.values.contains { $0.isActive && !$0.isLocked }
    }

    /// Whether a session is one of the user's.
    func knows(_ path: ObjectPath) -> Bool { sittings[path] != nil }

    /// Records the properties of a session, and returns the resulting events.
    mutating func take(
        _ properties: VariantMap, of path: ObjectPath, at now: MonotonicInstant
    ) -> [SessionEvent] {
        defer { noteRead(path) }
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

    mutating func remove(_ path: ObjectPath) {
        sittings[path] = nil
        noteRead(path)
    }

    /// Records logind's list of sessions, which must all be read next. A screen that was hidden stays hidden until all
    /// were read, because the locked session may be the one whose properties logind does not return.
    mutating func keep(only paths: Set<ObjectPath>) {
        wasHidden = !isScreenSeen && !paths.isEmpty
        sittings = sittings.filter { paths.contains($0.key) }
        unread = paths
    }

    /// Forgets all sessions, because logind is away. A screen that was hidden stays hidden until logind is back: the
    /// unlocking is not reported meanwhile, and a locked screen must not show what is private.
    mutating func loseService() {
        wasHidden = !isScreenSeen
        sittings = [:]
        unread = []
    }

    /// Records that a listed session was read, or has ended.
    private mutating func noteRead(_ path: ObjectPath) {
        if unread.remove(path) != nil, unread.isEmpty { wasHidden = false }
    }

    /// Whether the user sits at this session. Remote logins and service sessions do not count.
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
