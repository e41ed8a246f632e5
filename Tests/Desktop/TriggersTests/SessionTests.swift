import Glibc
import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Triggers

@Suite("The user's sessions", .timeLimit(.minutes(15))) struct SessionTableTests {
    private static let path: ObjectPath = "/org/freedesktop/login1/session/_31"

    private func properties(
        user: UInt32 = 1000, seat: String = "seat0", kind: String = "user", isLocked: Bool = false,
        isActive: Bool = true, began: UInt64 = 0
    ) -> VariantMap {
        [
            "User": .structure([.uint32(user), .objectPath("/u")]),
            "Seat": .structure([.string(seat), .objectPath("/s")]), "Class": .string(kind),
            "LockedHint": .boolean(isLocked), "Active": .boolean(isActive), "TimestampMonotonic": .uint64(began),
        ]
    }

    private func later(_ seconds: UInt64) -> MonotonicInstant { MonotonicInstant(microseconds: seconds * 1_000_000) }

    @Test(
        "A session younger than five minutes is started once", arguments: [0, 299, 300, 100_000] as [UInt64])
    func begun(_ age: UInt64) {
        var table = SessionTable(of: 1000)
        let expected: [SessionEvent] = age < 300 ? [.sessionStarted] : []
        #expect(table.take(properties(), of: Self.path, at: later(age)) == expected)
        #expect(table.take(properties(), of: Self.path, at: later(age)) == [])
    }

    @Test("A session with a future or missing start time is not started")
    func odd() {
        var table = SessionTable(of: 1000)
        #expect(table.take(properties(began: 5_000_000), of: Self.path, at: later(4)) == [])
        var wrong = properties()
        wrong["TimestampMonotonic"] = .string("today")
        #expect(table.take(wrong, of: "/other", at: later(1)) == [])
    }

    @Test("Unlocking requires a lock and is reported once")
    func unlocking() {
        var table = SessionTable(of: 1000)
        _ = table.take(properties(), of: Self.path, at: later(900))
        #expect(table.setLocked(false, Self.path) == [])
        #expect(table.setLocked(true, Self.path) == [] && table.setLocked(true, Self.path) == [])
        #expect(table.setLocked(false, Self.path) == [.unlocked])
        #expect(table.setLocked(false, Self.path) == [])
        // Signals were lost meanwhile.
        #expect(table.take(properties(isLocked: true), of: Self.path, at: later(901)) == [])
        #expect(table.take(properties(), of: Self.path, at: later(902)) == [.unlocked])
    }

    @Test("The screen is seen in an unlocked, active session, or none")
    func screen() {
        var table = SessionTable(of: 1000)
        #expect(table.isScreenSeen)
        _ = table.take(properties(user: 1001), of: "/other", at: later(900))
        #expect(table.isScreenSeen)
        _ = table.take(properties(isLocked: true), of: Self.path, at: later(900))
        #expect(!table.isScreenSeen)
        _ = table.setLocked(false, Self.path)
        #expect(table.isScreenSeen)
        table.setActive(false, Self.path)
        table.setActive(true, "/other")
        #expect(!table.isScreenSeen)
        // A second one, at another seat.
        _ = table.take(properties(), of: "/second", at: later(900))
        #expect(table.isScreenSeen)
        table.remove("/second")
        #expect(!table.isScreenSeen)
        _ = table.take(properties(), of: Self.path, at: later(901))
        #expect(table.isScreenSeen)
        var silent = properties()
        silent["Active"] = nil
        _ = table.take(silent, of: "/silent", at: later(902))
        table.keep(only: ["/silent"])
        #expect(table.isScreenSeen)
    }

    @Test("Other users, seats and greeters are ignored")
    func others() {
        var table = SessionTable(of: 1000)
        for other in [properties(user: 1001), properties(seat: ""), properties(kind: "greeter"), [:]] {
            #expect(table.take(other, of: Self.path, at: later(1)) == [])
            #expect(table.setLocked(true, Self.path) == [] && table.setLocked(false, Self.path) == [])
        }
    }

    @Test("Without logind no session is known, and a hidden screen stays hidden")
    func lost() {
        for isLocked in [true, false] {
            var table = SessionTable(of: 1000)
            _ = table.take(properties(isLocked: isLocked), of: Self.path, at: later(900))
            for _ in 1...2 { table.loseService() }
            #expect(table.isScreenSeen == !isLocked)
            #expect(table.setLocked(false, Self.path) == [])
            #expect(table.isScreenSeen == !isLocked)
            // logind is back, without sessions.
            table.keep(only: [])
            #expect(table.isScreenSeen)
        }
        #expect(!SessionTable(of: 1000, isHidden: true).isScreenSeen)
    }

    @Test("A hidden screen stays hidden until all sessions were read")
    func unread() {
        var table = SessionTable(of: 1000)
        _ = table.take(properties(isLocked: true), of: Self.path, at: later(900))
        table.loseService()
        table.keep(only: [Self.path, "/remote", "/ended"])
        _ = table.take(properties(seat: ""), of: "/remote", at: later(901))
        _ = table.take(properties(seat: ""), of: "/unlisted", at: later(901))
        table.remove("/ended")
        #expect(!table.isScreenSeen)
        _ = table.take(properties(kind: "greeter"), of: Self.path, at: later(902))
        #expect(table.isScreenSeen)
        // Another session replaces the locked one.
        _ = table.take(properties(isLocked: true), of: Self.path, at: later(903))
        table.keep(only: ["/second"])
        #expect(!table.isScreenSeen)
        _ = table.take(properties(), of: "/second", at: later(904))
        #expect(table.isScreenSeen)
    }

    private func login(
        _ service: String?, seat: Bool = true, remote: Bool = false, class kind: String? = "user"
    ) -> Login {
        var properties: VariantMap = ["Remote": .boolean(remote)]
        properties["Class"] = kind.map(Value.string)
        properties["Service"] = service.map(Value.string)
        return Login(properties, isAtSeat: seat)
    }

    @Test("The sessions at a seat decide whether the user authenticated")
    func logins() {
        let ssh = login("sshd", seat: false, remote: true)
        let remoteDesktop = login("xrdp-sesman", seat: false, remote: true)
        for known in [
            [login("gdm-password")], [login("lightdm")], [login("sddm")], [login("login")], [login("greetd")],
            [login("gdm-fingerprint")], [login("gdm-smartcard")], [login("plasmalogin", class: "user-light")], [ssh],
            [remoteDesktop], [login("gdm-autologin"), login("gdm-password")],
            [login(nil, seat: false, class: nil), ssh],
        ] { #expect(Login.isAuthenticated(by: known), "\(known)") }
        for unknown in [
            [], [login("gdm-autologin")], [login("lightdm-autologin")], [login("sddm-autologin")],
            [login("ly-autologin")], [login("plasmalogin-autologin")], [login(nil)],
            [login("gdm-launch-environment", class: "greeter")], [login("systemd-user", seat: false, class: "manager")],
            [login("crond", seat: false, class: "background")], [login("gdm-autologin"), ssh],
            [login("sddm-autologin"), remoteDesktop], [login("gdm-autologin"), login("login", class: "lock-screen")],
            [login(nil, class: nil), ssh], [login("gdm-password", class: nil), remoteDesktop],
        ] { #expect(!Login.isAuthenticated(by: unknown), "\(unknown)") }
    }

    @Test("An ended session is forgotten, and the number is limited")
    func bound() throws {
        var table = SessionTable(of: 1000)
        _ = table.take(properties(isLocked: true), of: Self.path, at: later(900))
        table.remove(Self.path)
        #expect(table.setLocked(false, Self.path) == [])
        for number in 0..<SessionTable.limit {
            let path = try ObjectPath("/s\(number)")
            #expect(table.take(properties(), of: path, at: later(1)) == [.sessionStarted])
        }
        #expect(table.take(properties(), of: "/more", at: later(1)) == [])
        table.keep(only: [])
        #expect(table.take(properties(), of: "/more", at: later(1)) == [.sessionStarted])
    }
}

@Suite("logind and UPower", .timeLimit(.minutes(15))) struct SystemServiceTests {
    /// Follows sessions on a bus while `body` runs, and records the events.
    private func following<Item: Sendable>(
        on bus: PrivateBus,
        _ follow: @escaping @Sendable (Connection, @escaping @Sendable (Item) async -> Void) async throws -> Void,
        _ body: nonisolated(nonsending) (Watched<[Item]>) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let delivered = Watched<[Item]>([])
        let connection = try await Connection.open(BusAddress(bus.address), on: loop)
        let following = Task(executorPreference: loop) {
            try await follow(connection) { item in delivered.update { $0.append(item) } }
        }
        defer { following.cancel() }
        do {
            try await body(delivered)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    private func wait<Item: Sendable & Equatable>(for items: [Item], in delivered: Watched<[Item]>) async throws {
        do {
            try await withDeadline(.seconds(30), "\(items)") {
                try await delivered.wait { $0.count >= items.count ? () : nil }
            }
        } catch {
            throw BenchError("\(delivered.state) rather than \(items)")
        }
        #expect(delivered.state == items)
    }

    private func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000
    }

    @Test("Each session event of the user is reported once")
    func session() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockLogind(on: bus) { logind in
                let own = try await logind.addSession("1", of: getuid(), began: now(), isAnnounced: false)
                let other = try await logind.addSession("2", of: getuid() + 1, began: now(), isAnnounced: false)
                try await following(on: bus, { try await Session().follow($0, $1) }) { events in
                    try await wait(for: [SessionEvent.sessionStarted], in: events)
                    for session in [other, own] {
                        try await logind.setLocked(true, session)
                        try await logind.setLocked(false, session)
                    }
                    try await wait(for: [.sessionStarted, .unlocked], in: events)
                    // A request to lock does not lock by itself.
                    try await logind.ask(own, toLock: true)
                    try await logind.ask(own, toLock: false)
                    // A desktop that carries the request out.
                    try await logind.ask(own, toLock: true)
                    try await logind.setLocked(true, own)
                    try await logind.ask(own, toLock: false)
                    try await logind.setLocked(false, own)
                    try await logind.sleep(true)
                    try await logind.sleep(false)
                    try await wait(for: [.sessionStarted, .unlocked, .unlocked, .resumed], in: events)
                    try await logind.addSession("3", of: getuid(), began: now())
                    try await wait(
                        for: [.sessionStarted, .unlocked, .unlocked, .resumed, .sessionStarted], in: events)
                }
            }
        }
    }

    @Test("A session counts as authenticated only if logind says so")
    func authenticated() async throws {
        try await withPrivateBus(.system) { bus in
            let loop = try EventLoop()
            try loop.start()
            defer { loop.stop() }
            let connection = try await Connection.open(BusAddress(bus.address), on: loop)
            #expect(await !Session().isAuthenticated(connection), "no logind")
            try await withMockLogind(on: bus) { logind in
                #expect(await !Session().isAuthenticated(connection), "no session")
                let session = try await logind.addSession("1", of: getuid(), began: now(), isAnnounced: false)
                for (service, isAuthenticated) in [
                    ("gdm-password", true), ("gdm-autologin", false), ("sddm-autologin", false),
                ] {
                    try await logind.set(["Service": .string(service)], of: session)
                    #expect(await Session().isAuthenticated(connection) == isAuthenticated, "\(service)")
                }
                let other = try await logind.addSession("2", of: getuid(), began: now(), isAnnounced: false)
                try await logind.set(["Service": .string("login")], of: other)
                #expect(await Session().isAuthenticated(connection))
            }
            #expect(await !Session().isAuthenticated(connection), "logind ended")
            await connection.close()
            #expect(await !Session().isAuthenticated(connection), "the bus is gone")
        }
    }

    @Test("A session that was not announced is read at its next change")
    func missed() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockLogind(on: bus) { logind in
                let follow = {
                    @Sendable (bus: Connection, deliver: @escaping @Sendable (String) async -> Void) async throws in
                    try await Session().follow(bus, screen: { isSeen, _ in await deliver(isSeen ? "seen" : "hidden") })
                    {
                        await deliver($0.rawValue)
                    }
                }
                try await following(on: bus, follow) { told in
                    try await wait(for: ["seen"], in: told)
                    let session = try await logind.addSession("1", of: getuid(), began: 42, isAnnounced: false)
                    try await logind.setLocked(true, session)
                    try await wait(for: ["seen", "hidden"], in: told)
                    try await logind.setLocked(false, session)
                    try await wait(for: ["seen", "hidden", "seen", "unlock"], in: told)
                }
            }
        }
    }

    @Test("When logind ends, no session remains and nothing is revealed")
    func gone() async throws {
        try await withPrivateBus(.system) { bus in
            let follow = {
                @Sendable (bus: Connection, deliver: @escaping @Sendable (String) async -> Void) async throws in
                try await Session().follow(bus, screen: { isSeen, _ in await deliver(isSeen ? "seen" : "hidden") }) {
                    await deliver($0.rawValue)
                }
            }
            try await following(on: bus, follow) { told in
                try await withMockLogind(on: bus) { logind in
                    let session = try await logind.addSession("1", of: getuid(), began: 42)
                    try await logind.setLocked(true, session)
                    try await wait(for: ["seen", "hidden"], in: told)
                }
                // The former session would still be locked.
                try await withMockLogind(on: bus) { logind in
                    try await logind.addSession("2", of: getuid(), began: 42)
                    try await wait(for: ["seen", "hidden", "seen"], in: told)
                }
            }
        }
    }

    @Test("Screen visibility is reported first and before unlocking")
    func screen() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockLogind(on: bus) { logind in
                let session = try await logind.addSession("1", of: getuid(), began: 42, isAnnounced: false)
                try await logind.setLocked(true, session)
                let follow = {
                    @Sendable (bus: Connection, deliver: @escaping @Sendable (String) async -> Void) async throws in
                    try await Session().follow(bus, screen: { isSeen, _ in await deliver(isSeen ? "seen" : "hidden") })
                    {
                        await deliver($0.rawValue)
                    }
                }
                try await following(on: bus, follow) { told in
                    try await wait(for: ["hidden"], in: told)
                    try await logind.setLocked(true, session)
                    try await logind.setLocked(false, session)
                    try await wait(for: ["hidden", "seen", "unlock"], in: told)
                    // Another person's session is in front.
                    try await logind.set(["Active": .boolean(false)], of: session)
                    try await logind.set(["Active": .boolean(true)], of: session)
                    try await wait(for: ["hidden", "seen", "unlock", "hidden", "seen"], in: told)
                    // A request to lock that no locker carries out: the user still sees the screen.
                    try await logind.ask(session, toLock: true)
                    try await logind.set(["Active": .boolean(false)], of: session)
                    try await wait(for: ["hidden", "seen", "unlock", "hidden", "seen", "hidden"], in: told)
                }
            }
        }
    }

    @Test("A logind that starts later or restarts is followed")
    func late() async throws {
        try await withPrivateBus(.system) { bus in
            try await following(on: bus, { try await Session().follow($0, $1) }) { events in
                for number in 1...2 {
                    try await withMockLogind(on: bus) { logind in
                        let session = try await logind.addSession("1", of: getuid(), began: 42)
                        try await logind.setLocked(true, session)
                        try await logind.setLocked(false, session)
                        try await wait(for: Array(repeating: SessionEvent.unlocked, count: number), in: events)
                    }
                }
            }
        }
    }

    @Test("Power changes are reported, and unknown without UPower")
    func power() async throws {
        try await withPrivateBus(.system) { bus in
            try await following(on: bus, { try await PowerSupply().follow($0, $1) }) { sources in
                try await wait(for: [PowerSource?.none], in: sources)
                try await withMockUPower(on: bus) { upower in
                    try await wait(for: [nil, .mains], in: sources)
                    try await upower.setOnBattery(true)
                    try await wait(for: [nil, .mains, .battery], in: sources)
                }
                try await wait(for: [nil, .mains, .battery, nil], in: sources)
            }
        }
    }
}
