import HunchModel
import FoundationEssentials
import EventLoops
import HunchDBus
import TestSupport
import Testing

@testable import Apps

@Suite("Launching with systemd", .timeLimit(.minutes(15)))
struct UserManagerTests {
    private func withLauncher(
        _ manager: UserManager, _ body: (DesktopLauncher) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        let worker = try WorkerThread()
        defer {
            worker.stop()
            loop.stop()
        }
        let connection = try await Connection.open(BusAddress(manager.busAddress), on: loop)
        try await body(
            DesktopLauncher(
                environment: manager.environment, bus: connection,
                installed: InstalledAppsCache(environment: manager.environment, worker: worker),
                now: { .distantPast }))
        await connection.close()
    }

    private func install(_ identifier: String, exec: String, in manager: UserManager) throws {
        try manager.write(desktopEntry(exec: exec), to: "\(manager.data)/applications/\(identifier).desktop")
    }

    private func unit(_ route: DesktopLauncher.Route) throws -> String {
        guard case .unit(let name) = route else { throw BenchError("opened as \(route)") }
        return name
    }

    @Test("An app gets its own unit and outlives the launcher")
    func unit() async throws {
        try await withUserManager { manager in
            let report = manager.home + "/report"
            let program = try manager.write(
                """
                #!/bin/sh
                { printf '%s\\n' "$@"; echo "token $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID"; echo "user $(id -u)"
                  grep ^SigBlk /proc/self/status; grep ^0:: /proc/self/cgroup; } >'\(report).new'
                mv '\(report).new' '\(report)'
                exec sleep 1000
                """, to: manager.directory.file("bin/app"), mode: 0o755)
            try install("org.example.my-maps", exec: "\(program) \"a b\" %u '$HOME' %%u", in: manager)
            var name = ""
            try await withLauncher(manager) { launcher in
                name = try unit(
                    try await launcher.launch("org.example.my-maps", uri: "geo:1,2?q=a%20b", activationToken: "t1"))
            }
            #expect(name.hasPrefix("app-hunch-org.example.my\\x2dmaps@"))
            try await waitForFile(at: report)
            let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(
                lines == [
                    "a b", "geo:1,2?q=a%20b", "'$HOME'", "%u", "token t1 t1", "user \(UserManager.user)",
                    "SigBlk:\t0000000000000000", "0::/app.slice/\(name)",
                ])
            // The launcher and its connection are gone.
            let state = try await manager.systemctl(
                "show", "--property=ActiveState,SubState,Description,Slice,CollectMode", name)
            #expect(
                Set(state.split(separator: "\n")) == [
                    "ActiveState=active", "SubState=running", "Description=Example App", "Slice=app.slice",
                    "CollectMode=inactive-or-failed",
                ])
            try await manager.systemctl("stop", name)
            #expect(try await manager.systemctl("show", "--property=LoadState", name) == "LoadState=not-found\n")
        }
    }

    @Test("Each run has its own unit and survives its first process")
    func handingOver() async throws {
        try await withUserManager { manager in
            let program = try manager.write(
                "#!/bin/sh\nsleep 1000 &\ntouch '\(manager.home)/handed-over'\n",
                to: manager.directory.file("bin/app"), mode: 0o755)
            try install("org.example.App", exec: program, in: manager)
            try await withLauncher(manager) { launcher in
                let first = try unit(try await launcher.launch("org.example.App", activationToken: nil))
                let second = try unit(try await launcher.launch("org.example.App", activationToken: nil))
                #expect(first != second)
                try await waitForFile(at: manager.home + "/handed-over")
                try await eventually("the end of the first process", because: "systemd notes it some time later") {
                    try await manager.systemctl("show", "--property=MainPID", second) == "MainPID=0\n" ? () : nil
                }
                let state = try await manager.systemctl("show", "--property=ActiveState", second)
                #expect(state == "ActiveState=active\n")
            }
        }
    }

    @Test(
        "A program that ends at once with an error is a failure; one that ends well is not",
        arguments: [("sleep 0.2; exit 3", "exit code 3"), ("sleep 0.2; kill -9 $$", "signal 9"), ("exit 0", nil)]
            as [(String, String?)])
    func ending(script: String, message: String?) async throws {
        try await withUserManager { manager in
            let program = try manager.write(
                "#!/bin/sh\n\(script)\n", to: manager.directory.file("bin/app"), mode: 0o755)
            try install("org.example.App", exec: program, in: manager)
            try await withLauncher(manager) { launcher in
                var failure: LaunchError?
                do { _ = try await launcher.launch("org.example.App", activationToken: nil) } catch {
                    failure = error as? LaunchError
                }
                #expect(
                    failure.map { "\($0)".contains(message ?? "?") } ?? (message == nil),
                    "\(String(describing: failure))")
            }
        }
    }

    @Test("A program that cannot run is an error and leaves no unit")
    func unrunnable() async throws {
        try await withUserManager { manager in
            let program = try manager.write("", to: manager.directory.file("bin/app"), mode: 0o755)
            try manager.write("\u{7F}ELFnonsense", to: program, mode: 0o755)
            try install("org.example.App", exec: program, in: manager)
            try await withLauncher(manager) { launcher in
                let error = await #expect(throws: LaunchError.self) {
                    try await launcher.launch("org.example.App", activationToken: nil)
                }
                #expect(error?.code == .failed)
                let units = try await manager.systemctl("list-units", "--all", "--plain", "--no-legend", "app-hunch-*")
                #expect(units == "")
            }
        }
    }

    @Test("A systemd that does not know ExitType is called without it")
    func oldSystemd() async throws {
        try await withLaunchingDesk { desk in
            try desk.install("org.example.App", desktopEntry(exec: "true"))
            let fake = try await FakeSystemd.start(
                on: desk.bus.address, loop: desk.loop, unknown: "ExitType", result: "done")
            _ = try unit(try await desk.launcher.launch("org.example.App", activationToken: nil))
            let units = fake.units.state
            #expect(units.count == 2)
            #expect(units.first?["ExitType"] == .string("cgroup"))
            #expect(units.last?["ExitType"] == nil)
            #expect(units.last?["KillMode"] == .string("process"))
        }
    }

    @Test(
        "If signals are lost, systemd is asked for the job's result",
        arguments: [("active", true), (nil, true), ("failed", false)] as [(String?, Bool)])
    func lostSignals(_ state: String?, _ runs: Bool) async throws {
        try await withLaunchingDesk { desk in
            try desk.install("org.example.App", desktopEntry(exec: "true"))
            let fake = try await FakeSystemd.start(
                on: desk.bus.address, loop: desk.loop, unknown: nil, result: runs ? "done" : "failed", noise: 600,
                state: state)
            if runs {
                _ = try unit(try await desk.launcher.launch("org.example.App", activationToken: nil))
            } else {
                await #expect(throws: LaunchError.self) {
                    try await desk.launcher.launch("org.example.App", activationToken: nil)
                }
            }
            #expect(fake.units.state.count == 1)
        }
    }

    @Test("A job that fails or gives no result is an error", arguments: ["failed", nil])
    func failedJob(_ result: String?) async throws {
        try await withLaunchingDesk(deadline: .milliseconds(200)) { desk in
            try desk.install("org.example.App", desktopEntry(exec: "true"))
            let fake = try await FakeSystemd.start(on: desk.bus.address, loop: desk.loop, unknown: nil, result: result)
            let error = await #expect(throws: LaunchError.self) {
                try await desk.launcher.launch("org.example.App", activationToken: nil)
            }
            #expect(error?.code == .failed)
            #expect(fake.units.state.count == 1)
        }
    }
}
