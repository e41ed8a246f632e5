import FoundationEssentials
import TestSupport
import Testing

/// Tests of the permission to forget with units of a real systemd user manager.
@Suite("Callers, end to end", .serialized, .timeLimit(.minutes(15)))
struct CallerTests {
    private func forget(_ what: String) -> [String] {
        [
            "gdbus", "call", "--session", "--dest", "org.hunch.Agent1", "--object-path", "/org/hunch/Agent1",
            "--method",
            "org.hunch.Privacy1.Forget", what,
        ]
    }

    /// Runs a command in a scope of its own, as launchers run apps.
    private func run(_ command: [String], in unit: String, _ manager: UserManager) async throws -> CommandResult {
        try await manager.run("systemd-run", ["--user", "--scope", "--quiet", "--unit=\(unit)"] + command)
    }

    @Test("Apps, scripts and hunch forget only what they may")
    func callers() async throws {
        try await withUserManager { manager in
            let hunch = try await manager.installHunch()
            let everything = forget("{'all': <true>}")
            let own = forget("{'app': <'org.example.Evil'>}")
            let others = forget("{'app': <'org.example.Victim'>}")

            let sandbox = "app-flatpak-org.example.Evil"
            for (number, command) in [everything, others].enumerated() {
                let result = try await run(command, in: "\(sandbox)-\(number).scope", manager)
                #expect(result.status != .exited(0))
                #expect(result.standardError.contains("AccessDenied"), "\(result)")
                #expect(result.standardError.contains("sandbox"), "\(result)")
            }
            let allowed = try await run(own, in: "\(sandbox)-7.scope", manager)
            #expect(allowed.standardOutput.contains("'donations': "), "\(allowed)")
            let inside = try await run([hunch, "forget", "--all"], in: "\(sandbox)-8.scope", manager)
            #expect(inside.status == .exited(3), "\(inside)")
            #expect(inside.standardError.contains("sandbox"), "\(inside)")

            let applet = try await run(everything, in: "app-gnome-org.example.Applet-1.scope", manager)
            #expect(applet.status == .exited(0), "\(applet)")

            let script = try await manager.run("sh", ["-c", "\"$@\"", "script"] + everything)
            #expect(script.status != .exited(0))
            #expect(script.standardError.contains("only apps may decide"), "\(script)")

            let person = try await manager.run(hunch, ["forget", "--all", "--json"])
            // There was nothing to forget, and the app was permitted to ask.
            #expect(person.status == .exited(1), "\(person)")
            #expect(person.standardOutput.contains(#""donations":0"#), "\(person)")
            let terminal = try await run(
                [hunch, "export"], in: "app-gnome-org.gnome.Terminal-2.scope", manager)
            #expect(terminal.standardOutput.contains(#""type":"end""#), "\(terminal)")
        }
    }

    @Test("A hidden or sandboxed process in an app's unit cannot forget")
    func hidden() async throws {
        try await withUserManager { manager in
            let hunch = try await manager.installHunch()
            let everything = forget("{'all': <true>}")
            let hiding = """
                import ctypes, dbus
                ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
                bus = dbus.SessionBus()
                bus.call_blocking("org.hunch.Agent1", "/org/hunch/Agent1", "org.hunch.Privacy1", "Forget", "a{sv}",
                                  [{"all": True}])
                """
            let sandbox = ["bwrap", "--bind", "/", "/"]
            for (number, command) in [
                sandbox + everything, sandbox + [hunch, "forget", "--all"], ["/usr/bin/python3", "-c", hiding],
            ].enumerated() {
                let result = try await run(command, in: "app-gnome-org.example.Applet-\(number).scope", manager)
                #expect(result.status != .exited(0))
                #expect(result.standardError.contains("sandbox"), "\(result)")
            }
            let applet = try await run(everything, in: "app-gnome-org.example.Applet-9.scope", manager)
            #expect(applet.status == .exited(0), "\(applet)")
        }
    }

    @Test("Units reveal sandboxes when the agent cannot read files")
    func blind() async throws {
        try await withUserManager { manager in
            try await manager.installHunch(dropIn: "[Service]\nPrivateUsers=yes\n")
            let everything = forget("{'all': <true>}")
            let applet = try await run(everything, in: "app-gnome-org.example.Applet-1.scope", manager)
            #expect(applet.status == .exited(0), "\(applet)")
            let sandbox = try await run(everything, in: "app-flatpak-org.example.Evil-2.scope", manager)
            #expect(sandbox.standardError.contains("sandbox"), "\(sandbox)")
        }
    }

    @Test("The online geocoder hides its memory")
    func memory() async throws {
        try await withUserManager { manager in
            let program = try manager.install(program: builtProduct("hunch-geocoder-online"))
            let script = """
                "$1" & asked=$!
                gdbus wait --session --timeout 60 org.hunch.OnlineGeocoder1
                cat /proc/$asked/environ /proc/$$/environ
                kill $asked
                """
            let result = try await manager.run("sh", ["-c", script, "sh", program])
            #expect(result.standardOutput.contains("DBUS_SESSION_BUS_ADDRESS"), "\(result)")
            #expect(result.standardError.contains("Permission denied"), "\(result)")
        }
    }

    private func donate(_ item: String, for application: String? = nil) -> [String] {
        let claim = application.map { ", 'app': <'\($0)'>" } ?? ""
        return [
            "gdbus", "call", "--session", "--dest", "org.hunch.Agent1", "--object-path", "/org/hunch/Agent1",
            "--method", "org.hunch.Donations1.Donate",
            "[{'kind': <'playMedia'>, 'parameters': <{'item': '\(item)'}>\(claim)}]",
        ]
    }

    @Test("Apps donate for themselves, and a script once allowed")
    func donors() async throws {
        try await withUserManager { manager in
            let hunch = try await manager.installHunch()
            #expect(try await manager.run(hunch, ["enable"]).status == .exited(0))
            func expect(_ result: CommandResult, _ word: String) {
                #expect(result.standardOutput.contains(word), "\(result)")
            }
            for (number, (unit, app)) in [
                ("app-flatpak-org.example.Evil", "org.example.Evil"),
                ("app-gnome-org.example.Applet", "org.example.Applet"),
            ].enumerated() {
                expect(try await run(donate("own"), in: "\(unit)-\(number)1.scope", manager), "'accepted': <true>")
                expect(try await run(donate("named", for: app), in: "\(unit)-\(number)2.scope", manager), "<true>")
                expect(
                    try await run(donate("stolen", for: "org.example.Victim"), in: "\(unit)-\(number)3.scope", manager),
                    "notAllowed")
            }
            let script = ["-c", "\"$@\"", "script"]
            expect(try await manager.run("sh", script + donate("x")), "notAllowed")
            expect(try await manager.run("sh", script + donate("x", for: "script:backup")), "hunch allow")
            #expect(try await manager.run(hunch, ["allow", "backup"]).status == .exited(0))
            expect(try await manager.run("sh", script + donate("x", for: "script:backup")), "'accepted': <true>")

            let history = try await manager.run(hunch, ["history", "--json"]).output().split(separator: "\n")
            let donors = [
                "script:backup", "org.example.Applet", "org.example.Applet", "org.example.Evil", "org.example.Evil",
            ]
            #expect(history.count == donors.count)
            for (line, donor) in zip(history, donors) { #expect(line.contains("\"app\":\"\(donor)\"")) }
        }
    }
}
