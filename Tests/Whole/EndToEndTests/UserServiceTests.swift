import FoundationEssentials
import TestSupport
import Testing

/// The agent as a service of a real systemd user manager without privileges.
@Suite("User service, end to end", .serialized, .timeLimit(.minutes(15)))
struct UserServiceTests {
    private static let agent = [
        "--session", "--dest", "org.hunch.Agent1", "--object-path", "/org/hunch/Agent1", "--method",
    ]

    private func call(_ manager: UserManager, _ method: String, _ arguments: String...) async throws -> String {
        try await manager.run("gdbus", ["call"] + Self.agent + [method] + arguments).output()
    }

    private func property(_ name: String, _ manager: UserManager) async throws -> String {
        try await manager.systemctl("show", "--property=\(name)", "--value", "hunchd.service").filter { !$0.isNewline }
    }

    @Test("A call starts the service, a kill restarts it, stop ends it")
    func life() async throws {
        try await withUserManager { manager in
            try await manager.installHunch()
            #expect(try await property("ActiveState", manager) == "inactive")

            let status = try await call(manager, "org.hunch.Agent1.Status")
            #expect(status.contains("'enabled': <false>"))
            // The unit's system call filter permits Landlock's calls.
            #expect(status.contains("'files': <'confined'>"), "\(status)")
            #expect(try await property("ActiveState", manager) == "active")

            let first = try await property("MainPID", manager)
            try await manager.systemctl("kill", "--signal=KILL", "hunchd.service")
            try await eventually("the agent coming back", because: "the manager restarts it some time later") {
                let now = try await property("MainPID", manager)
                let hasReconnected = now != first && now != "0"
                return try await property("ActiveState", manager) == "active" && hasReconnected ? () : nil
            }
            #expect(try await call(manager, "org.hunch.Agent1.Status").contains("'enabled': <false>"))

            try await manager.systemctl("stop", "hunchd.service")
            #expect(try await property("ActiveState", manager) == "inactive")
            #expect(try await property("Result", manager) == "success")
        }
    }

    @Test("With a user manager, enabling removes a leftover autostart entry")
    func autostart() async throws {
        try await withUserManager { manager in
            let hunch = try await manager.installHunch()
            let entry = try manager.write(
                "[Desktop Entry]\nType=Application\nName=Hunch\nExec=/gone/hunchd\n",
                to: "\(manager.home)/.config/autostart/org.hunch.Agent.desktop")
            let enabled = try await manager.run(hunch, ["enable"])
            #expect(enabled.standardOutput == "Hunch is on.\n", "\(enabled)")
            #expect(!FileManager.default.fileExists(atPath: entry))
            #expect(try await manager.systemctl("is-enabled", "hunchd.service").hasPrefix("enabled"))
            #expect(try await manager.run(hunch, ["disable"]).status == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: entry))
        }
    }

    @Test("hunch doctor --fix restarts an agent that hangs")
    func hanging() async throws {
        try await withUserManager { manager in
            let hunch = try await manager.installHunch()
            #expect(try await manager.run(hunch, ["enable"]).status == .exited(0))
            let process = try await property("MainPID", manager)
            try await manager.systemctl("kill", "--signal=STOP", "hunchd.service")
            let fixed = try await manager.run(hunch, ["doctor", "--fix", "--yes"])
            #expect(fixed.standardOutput.contains("fix it with: systemctl --user restart hunchd.service"), "\(fixed)")
            // It may not know the desktop's privacy settings yet.
            #expect(fixed.standardOutput.contains(" agent: running, "), "\(fixed)")
            #expect(try await property("MainPID", manager) != process)
        }
    }

    @Test("An agent that crashes repeatedly is restarted")
    func crashes() async throws {
        try await withUserManager { manager in
            try await manager.installHunch()
            _ = try await call(manager, "org.hunch.Agent1.Status")
            // By default, systemd permits five starts in ten seconds.
            for crash in 1...8 {
                let process = try await property("MainPID", manager)
                try await manager.systemctl("kill", "--signal=ILL", "hunchd.service")
                try await eventually("crash \(crash)", because: "the manager learns of it some time later") {
                    try await property("MainPID", manager) == process ? nil : ()
                }
                #expect(try await call(manager, "org.hunch.Agent1.Status").contains("'enabled'"))
            }
            try await eventually("the agent being ready", because: "it answers before the manager reads that") {
                try await property("ActiveState", manager) == "active" ? () : nil
            }
        }
    }

    @Test("The unit has no network and writes only the state folder")
    func sandbox() async throws {
        try await withUserManager { manager in
            let probe = try manager.write(Self.probe, to: manager.directory.file("bin/probe.py"))
            // Started before the agent in the same unit, so that it has exactly the agent's restrictions.
            try await manager.installHunch(dropIn: "[Service]\nExecStartPre=/usr/bin/python3 \(probe)\n")
            _ = try await call(manager, "org.hunch.Agent1.Status")
            let report = try String(contentsOf: URL(filePath: "\(manager.home)/probe.txt"), encoding: .utf8)
            let answers = Dictionary(
                report.split(separator: "\n").map { line in
                    let parts = line.split(separator: ": ")
                    return (String(parts[0]), String(parts[1]))
                }, uniquingKeysWith: { $1 })
            let expected = [
                "internet socket": "EAFNOSUPPORT", "internet 6 socket": "EAFNOSUPPORT",
                "netlink socket": "EAFNOSUPPORT",
                "packet socket": "EAFNOSUPPORT", "unix socket": "possible", "session bus": "possible",
                "write to /usr": "EACCES", "write to /etc": "EACCES", "write state": "possible",
                "writable and executable memory": "EPERM", "new user namespace": "EPERM", "trace a process": "EPERM",
                "make a set-user-ID file": "EPERM", "change personality": "EPERM", "realtime scheduling": "EPERM",
                // The agent identifies callers by these.
                "root of a caller": "possible", "control group of a caller": "possible",
            ]
            #expect(answers == expected)
        }
    }

    /// Tries one operation at a time, and writes "possible" or the error.
    private static let probe = """
        import ctypes, errno, mmap, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        report = open(os.path.expanduser("~/probe.txt"), "w")
        state = os.environ["XDG_STATE_HOME"] + "/hunch"
        caller = os.getppid()

        def attempt(name, action):
            try:
                result = action()
                if isinstance(result, int) and result < 0:
                    raise OSError(ctypes.get_errno(), name)
                report.write(f"{name}: possible\\n")
            except OSError as error:
                report.write(f"{name}: {errno.errorcode[error.errno]}\\n")

        def write(path):
            with open(path, "w") as file:
                file.write("x")

        def write_state():
            os.makedirs(state)
            write(state + "/probe")
            assert os.stat(state + "/probe").st_mode & 0o777 == 0o600

        def make_set_user_id():
            write(state + "/program")
            os.chmod(state + "/program", 0o4700)

        attempt("internet socket", lambda: socket.socket(socket.AF_INET).close())
        attempt("internet 6 socket", lambda: socket.socket(socket.AF_INET6).close())
        attempt("netlink socket", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close())
        attempt("packet socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close())
        attempt("unix socket", lambda: socket.socket(socket.AF_UNIX).close())
        attempt("session bus", lambda: socket.socket(socket.AF_UNIX).connect(os.environ["XDG_RUNTIME_DIR"] + "/bus"))
        attempt("write to /usr", lambda: write("/usr/hunch-probe"))
        attempt("write to /etc", lambda: write("/etc/hunch-probe"))
        attempt("write state", write_state)
        attempt("writable and executable memory",
                lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close())
        attempt("new user namespace", lambda: libc.unshare(0x10000000))
        attempt("trace a process", lambda: libc.ptrace(16, caller, 0, 0))
        attempt("make a set-user-ID file", make_set_user_id)
        attempt("change personality", lambda: libc.personality(0x0040000))
        attempt("realtime scheduling", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
        attempt("root of a caller", lambda: os.listdir(f"/proc/{caller}/root"))
        attempt("control group of a caller", lambda: open(f"/proc/{caller}/cgroup").read())
        """

    @Test("A launched app runs in its own unit outside the sandbox")
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
            let hunch = try await manager.installHunch()
            // What a program requests ends with its connection.
            let script = """
                import subprocess, sys, hunch
                [first, *_] = hunch.directions("52.5163,13.3777", modes=["car"])
                sys.exit(subprocess.run([sys.argv[1], "accept", first.id]).returncode)
                """
            let library = try #require(Surroundings.environment["PYTHONPATH"])
            let accepted = try await manager.run(
                "/usr/bin/python3", ["-c", script, hunch], environment: ["PYTHONPATH": library])
            #expect(accepted.status == .exited(0), "\(accepted.standardError)")
            try await waitForFile(at: report)
            let lines = try String(contentsOf: URL(filePath: report), encoding: .utf8).split(separator: "\n")
            #expect(lines.first == "geo:52.5163,13.3777")
            #expect(lines.contains { $0.contains("/app.slice/app-hunch-org.example.Maps@") })
            #expect(lines.contains("inet possible"))
        }
    }
}
