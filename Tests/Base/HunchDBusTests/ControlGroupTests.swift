import FoundationEssentials
import Glibc
import SeededRandom
import TestSupport
import Testing

@testable import HunchDBus

@Suite("Caller identity")
struct ControlGroupTests {
    @Test(
        "The unit is the innermost service or scope",
        arguments: [
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.gnome.Maps-4711.scope\n",
                "app-gnome-org.gnome.Maps-4711.scope"
            ),
            ("0::/user.slice/user-1000.slice/session-2.scope\n", "session-2.scope"),
            ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-a.service/inner\n", "app-a.service"),
            ("12:pids:/x\n1:name=systemd:/user.slice/user@1.service/app-b.service\n0::/\n", "app-b.service"),
            ("0::/\n", nil), ("", nil), ("nonsense", nil), ("0::", nil), ("1:cpu:/docker/0123\n", nil),
            ("0::/init.scopes\n", nil),
            ("0::/docker/0123456789abcdef\n", nil),
        ])
    func units(_ groups: String, _ unit: String?) {
        #expect(ControlGroup.unit(in: groups) == unit)
    }

    @Test(
        "Only the session slice identifies a desktop service",
        arguments: [
            ("user@1000.service/session.slice/org.gnome.Shell@wayland.service", "org.gnome.Shell"),
            ("user@1000.service/session.slice/plasma-plasmashell.service", "plasma-plasmashell"),
            ("user@1000.service/session.slice/dbus-:1.2-org.example.A@0.service", "org.example.A"),
            ("user@1000.service/session.slice/vte-spawn-1.scope", nil),
            ("user@1000.service/session.slice/inner.slice/a.service", nil),
            ("user@1000.service/app.slice/session.slice/a.service", nil),
            ("user@1000.service/background.slice/a.service", nil), ("session.slice/a.service", nil),
            ("user@1000.service/session.slice/@1.service", nil),
        ])
    func session(_ path: String, _ application: String?) {
        let groups = "0::/user.slice/user-1000.slice/\(path)\n"
        let parsed = ControlGroup.parse(
            unit: ControlGroup.unit(in: groups) ?? "", isOfSession: ControlGroup.isOfSession(groups))
        #expect(parsed.application == application)
        #expect(parsed.confinement == (application == nil ? .unknown : .unsandboxed))
        let sandbox = "0::/user@1.service/session.slice/app-flatpak-org.example.A-1.scope"
        #expect(!ControlGroup.isOfSession(sandbox))
    }

    @Test(
        "The unit gives the app and its confinement",
        arguments: [
            ("app-org.gnome.Maps.service", "org.gnome.Maps", .unsandboxed),
            ("app-org.gnome.Maps@autostart.service", "org.gnome.Maps", .unsandboxed),
            ("app-gnome-org.gnome.Maps-4711.scope", "org.gnome.Maps", .unsandboxed),
            ("app-org.gnome.Maps-4711.scope", "org.gnome.Maps", .unsandboxed),
            (#"app-gnome-firefox\x2desr-4711.scope"#, "firefox-esr", .unsandboxed),
            (#"app-KDE-org.kde.dolphin@0a1b.service"#, "org.kde.dolphin", .unsandboxed),
            ("app-hunch-org.example.Player@1f.service", "org.example.Player", .unsandboxed),
            ("app-flatpak-org.mozilla.firefox-4711.scope", "org.mozilla.firefox", .sandboxed),
            (#"app-flatpak-com.example.a\x2db-1.scope"#, "com.example.a-b", .sandboxed),
            (#"app-\xc3\xa9-1.scope"#, "é", .unsandboxed),
            ("snap.firefox.firefox-0a1b2c3d-1111-2222-3333-444455556666.scope", "firefox_firefox", .sandboxed),
            ("snap.firefox.firefox.0a1b2c3d-1111-2222-3333-444455556666.scope", "firefox_firefox", .sandboxed),
            ("snap.multipass.multipassd.service", "multipass_multipassd", .sandboxed),
            ("snap.a-b_c.d-e-0a1b2c3d-1111-2222-3333-444455556666.scope", "a-b_c_d-e", .sandboxed),
            ("snap.firefox.hook.configure-0a1b2c3d-1111-2222-3333-444455556666.scope", nil, .sandboxed),
            ("snap..x.scope", nil, .sandboxed), ("snap.a.scope", nil, .sandboxed), ("snap.a..service", nil, .sandboxed),
            ("dbus-:1.2-org.freedesktop.portal.Documents@0.service", "org.freedesktop.portal.Documents", .unsandboxed),
            (#"dbus-:1.10-org.example.a\x2db@12.service"#, "org.example.a-b", .unsandboxed),
            ("dbus-:1.2.service", nil, .unknown), ("dbus.service", nil, .unknown),
            ("session-2.scope", nil, .unknown), ("org.gnome.Shell@wayland.service", nil, .unknown),
            ("init.scope", nil, .unknown), ("app-.service", nil, .unknown), ("app-foo.scope", nil, .unknown),
            ("app--1.scope", nil, .unknown), (#"app-\xff-1.scope"#, nil, .unknown),
            (#"app-\xzz-1.scope"#, nil, .unknown),
            (#"app-\x00-1.scope"#, nil, .unknown), ("app-flatpak-1.scope", nil, .sandboxed),
            (".service", nil, .unknown),
            ("", nil, .unknown), ("-", nil, .unknown),
        ] as [(String, String?, CallerIdentity.Confinement)])
    func parsing(_ unit: String, _ application: String?, _ confinement: CallerIdentity.Confinement) {
        let parsed = ControlGroup.parse(unit: unit)
        #expect(parsed.application == application)
        #expect(parsed.confinement == confinement)
    }

    @Test("Parsing random text never traps")
    func anyText() {
        var random = SplitMix64(seed: 10)
        let parts = [
            "app", "-", "dbus-:", "snap.", ".", "@", "\\x", "2d", "flatpak", ".scope", ".service", "é", "0::/", "/",
            "\n", ":",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }.joined()
            _ = ControlGroup.parse(unit: text)
            _ = ControlGroup.unit(in: text)
        }
    }

    @Test("A handler gets its caller's identity, or an error if gone")
    func overBus() async throws {
        try await withDesk { desk, _ in
            let (service, client) = (try await desk.connect(), try await desk.connect())
            let server = await ObjectServer(on: service)
            let identities = Watched<[CallerIdentity]>([])
            try await server.export(
                "/a",
                [
                    ExportedInterface(
                        "a.B",
                        [
                            .method("Who") { (call) async throws in
                                let caller = try await call.caller()
                                identities.update { $0.append(caller) }
                            }
                        ])
                ])
            let name = try #require(await service.uniqueName)
            let () = try await client.call(name, "/a", "a.B", "Who")
            let identity = try #require(identities.state.first)
            #expect(identity.name == (await client.uniqueName))
            #expect(identity.userID == getuid())
            #expect(identity.processID == UInt32(getpid()))
            // The kernel's files about this process.
            let groups = try String(contentsOfFile: "/proc/self/cgroup")
            #expect(identity.unit == ControlGroup.unit(in: groups))
            let (gone, asked) = (try await desk.connect(), try #require(await client.uniqueName))
            let other = try #require(await gone.uniqueName)
            for connection in [gone, client] { await connection.close() }
            for name in [other, asked] {
                try await eventually("the end of the connection", because: "the bus notices it when it next looks") {
                    try await service.owner(of: name) == nil ? () : nil
                }
            }
            #expect(await errorName { _ = try await service.identity(of: other) } == .nameHasNoOwner)
            // The process is cached and alive. Unique names are never reused.
            #expect(try await service.identity(of: asked) == identity)
        }
    }

    @Test("A program that an update replaced keeps its name")
    func replaced() async throws {
        try await withTemporaryDirectory { directory in
            let program = directory.file("xdg-dbus-proxy")
            try FileManager.default.copyItem(atPath: "/usr/bin/sleep", toPath: program)
            try await withDaemon(Command(program, ["60"])) { daemon in
                let process = try #require(UInt32(exactly: daemon.processIdentifier))
                try FileManager.default.removeItem(atPath: program)
                #expect(ProcessFiles.executableName(of: process) == "xdg-dbus-proxy")
            }
        }
    }

    @Test("Processes are cached by unique name, up to a limit")
    func remembered() throws {
        let own = try #require(ProcessFiles.start(of: UInt32(getpid())))
        #expect(own > 0 && ProcessFiles.start(of: UInt32(getppid())) != nil)
        #expect(ProcessFiles.start(of: .max) == nil && ProcessFiles.groups(of: .max) == nil)
        var known = KnownProcesses()
        let process = KnownProcesses.Process(user: 1, number: 2, start: 3)
        known.remember(process, of: "org.example.App")
        #expect(known["org.example.App"] == nil)
        let names = try (0...KnownProcesses.limit).map { try BusName(":1.\($0)") }
        for name in names {
            known.remember(process, of: name)
            known.remember(process, of: name)
        }
        #expect(known[names[0]] == nil && names.dropFirst().allSatisfy { known[$0] == process })
    }

    @Test(
        "The start time follows the last parenthesis of the status",
        arguments: [
            ("7 (a) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 1", 4711 as UInt64?),
            ("7 (a) b) c) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711", 4711),
            ("7 (a) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0", nil), ("7 (a", nil), (")", nil), ("", nil),
            ("7 (a) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 -1 1", nil),
            // It is a zombie.
            ("7 (a) Z 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 1", nil),
        ])
    func start(_ status: String, _ start: UInt64?) {
        #expect(ProcessFiles.start(inStatus: status) == start)
    }

    @Test("An ended or replaced process is looked up again")
    func ended() async throws {
        try await withDesk { desk, _ in
            let (service, client) = (try await desk.connect(), try await desk.connect())
            let name = try #require(await client.uniqueName)
            let identity = try await service.identity(of: name)
            await service.pretend(KnownProcesses.Process(user: 4_711, number: UInt32(getpid()), start: 0), of: name)
            #expect(try await service.identity(of: name) == identity)
        }
    }
}

extension Connection {
    /// Puts a name's process into the cache.
    fileprivate func pretend(_ process: KnownProcesses.Process, of name: BusName) {
        knownProcesses.remember(process, of: name)
    }
}

extension String {
    /// Returns the text of a file in `/proc`, at most 64 KiB.
    fileprivate init(contentsOfFile path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError("\(path) cannot be read (errno \(errno))") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(file, &bytes, bytes.count)
        self = String(decoding: bytes[..<Swift.max(0, count)], as: UTF8.self)
    }
}
