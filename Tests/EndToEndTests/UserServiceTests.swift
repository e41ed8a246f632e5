import FoundationEssentials
import TestSupport
import Testing

/// The agent as a service of a real systemd user manager without privileges.
@Suite("User service, end to end", .serialized, .timeLimit(.minutes(5)))
struct UserServiceTests {
    private static let agent = [
        "--session", "--dest", "org.hunch.Agent1", "--object-path", "/org/hunch/Agent1", "--method",
    ]

    private func call(_ manager: UserManager, _ method: String, _ arguments: String...) async throws -> String {
        try await manager.run("gdbus", ["call"] + Self.agent + [method] + arguments).output()
    }

    /// Puts program, unit and activation file where the manager finds them, as `make install` does.
    private func install(in manager: UserManager, dropIn: String = "") async throws {
        _ = try manager.install(program: builtProduct("hunchd"))
        for (file, folder) in [
            ("hunchd.service", manager.units), ("org.hunch.Agent1.service", "\(manager.data)/dbus-1/services"),
        ] {
            let template = try String(
                contentsOf: URL(filePath: "\(Surroundings.packageRoot)/Systemd/\(file).in"), encoding: .utf8)
            try manager.write(
                template.replacing("@LIBEXECDIR@", with: manager.directory.file("bin")), to: "\(folder)/\(file)")
        }
        if !dropIn.isEmpty { try manager.write(dropIn, to: "\(manager.units)/hunchd.service.d/probe.conf") }
        try await manager.reload()
    }

    private func property(_ name: String, _ manager: UserManager) async throws -> String {
        try await manager.systemctl("show", "--property=\(name)", "--value", "hunchd.service").filter { !$0.isNewline }
    }

    @Test("a call starts it, it tells when it is ready, a kill is mended, and stopping ends it in order")
    func life() async throws {
        try await withUserManager { manager in
            try await install(in: manager)
            #expect(try await property("ActiveState", manager) == "inactive")

            let status = try await call(manager, "org.hunch.Agent1.Status")
            #expect(status.contains("'enabled': <false>"))
            #expect(try await property("ActiveState", manager) == "active")

            let first = try await property("MainPID", manager)
            try await manager.systemctl("kill", "--signal=KILL", "hunchd.service")
            try await eventually("the agent coming back", because: "the manager restarts it some time later") {
                let now = try await property("MainPID", manager)
                let isBack = now != first && now != "0"
                return try await property("ActiveState", manager) == "active" && isBack ? () : nil
            }
            #expect(try await call(manager, "org.hunch.Agent1.Status").contains("'enabled': <false>"))

            try await manager.systemctl("stop", "hunchd.service")
            #expect(try await property("ActiveState", manager) == "inactive")
            #expect(try await property("Result", manager) == "success")
        }
    }

    @Test("within the unit there is no network and nothing of the system can be written; the state folder can")
    func sandbox() async throws {
        try await withUserManager { manager in
            let report = "\(manager.home)/probe.txt"
            let probe = try manager.write(
                """
                import errno, os, socket
                def attempt(name, action):
                    try:
                        action()
                        lines.append(name + " possible")
                    except OSError as error:
                        lines.append(name + " " + errno.errorcode[error.errno])
                lines = []
                attempt("inet", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
                attempt("inet6", lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
                attempt("unix", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                attempt("usr", lambda: open("/usr/hunch-probe", "w"))
                state = os.environ["XDG_STATE_HOME"] + "/hunch"
                attempt("state", lambda: (os.makedirs(state, exist_ok=True), open(state + "/probe", "w").close()))
                open("\(report)", "w").write("\\n".join(lines) + "\\n")
                """, to: manager.directory.file("bin/probe.py"))
            try await install(
                in: manager, dropIn: "[Service]\nExecStartPre=/usr/bin/python3 \(probe)\n")
            _ = try await call(manager, "org.hunch.Agent1.Status")
            let lines = try String(contentsOf: URL(filePath: report), encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("inet EAFNOSUPPORT"))
            #expect(lines.contains("inet6 EAFNOSUPPORT"))
            #expect(lines.contains("unix possible"))
            #expect(lines.contains { $0 == "usr EACCES" || $0 == "usr EROFS" })
            #expect(lines.contains("state possible"))
        }
    }

    @Test("an app that it opens runs in a unit of its own, outside the agent's sandbox")
    func launching() async throws {
        try await withUserManager { manager in
            let report = "\(manager.home)/app.txt"
            let program = try manager.write(
                """
                #!/bin/sh
                { echo "$1"; grep ^0:: /proc/self/cgroup
                  /usr/bin/python3 -c 'import socket; socket.socket(socket.AF_INET)' && echo "inet possible"; } >'\(report).new'
                mv '\(report).new' '\(report)'
                """, to: manager.directory.file("bin/maps"), mode: 0o755)
            try manager.write(
                """
                [Desktop Entry]
                Type=Application
                Name=Test Maps
                Exec=\(program) %u
                MimeType=x-scheme-handler/geo;
                Implements=org.hunch.RoutingApp1;

                [org.hunch.RoutingApp1]
                Modes=car;
                Uri=geo:{lat},{lon}
                """, to: "\(manager.data)/applications/org.example.Maps.desktop")
            try await install(in: manager)
            let answer = try await call(
                manager, "org.hunch.Directions1.Suggest", "{'uri': <'52.5163,13.3777'>, 'modes': <['car']>}")
            let path = try #require(
                answer.split(separator: "'").first { $0.hasPrefix("/org/hunch/Agent1/suggestion/") })
            let accepted = try await manager.run(
                "gdbus",
                [
                    "call", "--session", "--dest", "org.hunch.Agent1", "--object-path", String(path), "--method",
                    "org.hunch.Suggestion1.Accept", "{}",
                ])
            #expect(accepted.status == .exited(0), "\(accepted.standardError)")
            try await waitForFile(at: report)
            let lines = try String(contentsOf: URL(filePath: report), encoding: .utf8).split(separator: "\n")
            #expect(lines.first == "geo:52.5163,13.3777")
            #expect(lines.contains { $0.contains("/app.slice/app-hunch-org.example.Maps@") })
            #expect(lines.contains("inet possible"))
        }
    }
}
