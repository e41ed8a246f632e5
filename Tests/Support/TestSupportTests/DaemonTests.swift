import Glibc
import TestSupport
import Testing

@Suite("Test daemons", .timeLimit(.minutes(15)))
struct DaemonTests {
    /// Whether the process number is still anyone's, be it only a zombie's.
    private func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    @Test("Sixteen buses in parallel start, answer and end")
    func parallelBuses() async throws {
        let processes = try await withThrowingTaskGroup(of: pid_t.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try await withPrivateBus { bus in
                        let answer = try await run(
                            "dbus-send",
                            [
                                "--bus=\(bus.address)", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                                "org.freedesktop.DBus.GetId",
                            ])
                        #expect(try answer.output().contains("string"))
                        return bus.processIdentifier
                    }
                }
            }
            return try await group.reduce(into: Set<pid_t>()) { $0.insert($1) }
        }
        #expect(processes.count == 16)
        #expect(processes.allSatisfy { !exists($0) })
    }

    @Test("A body that throws leaves no process or descendant")
    func failingBody() async throws {
        struct Expected: Error {}
        let seen = Watched<[pid_t]>([])
        await #expect(throws: Expected.self) {
            try await withDaemon("sh", ["-c", "sleep 1000 & echo child $!; wait"]) { shell in
                let line = try await shell.waitForLine(containing: "child ")
                let child = try #require(pid_t(line.dropFirst("child ".count)))
                #expect(exists(child))
                seen.update { $0 = [shell.processIdentifier, child] }
                throw Expected()
            }
        }
        let (shell, child) = (seen.state[0], seen.state[1])
        #expect(!exists(shell))
        // The orphan is reaped by init, which notifies nobody.
        try await eventually("the end of the child's child", because: "it is not this process's child") {
            exists(child) && !isZombie(child) ? nil : ()
        }
    }

    private func isZombie(_ process: pid_t) -> Bool {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, 512, file) != nil else { return true }
        return String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(") Z")
    }

    @Test("A child has no blocked and no ignored signals")
    func signalMask() async throws {
        let status = try await run("cat", ["/proc/self/status"]).output()
        for field in ["SigBlk:", "SigIgn:"] {
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field) })
            let mask = try #require(UInt64(line.dropFirst(field.count + 1), radix: 16))
            // Signals 32 and 33 are the C library's own.
            #expect(mask & ~(3 << 31) == 0, "\(line)")
        }
    }

    @Test("A child inherits only the three standard descriptors")
    func descriptors() async throws {
        try await withPrivateBus { _ in
            // The fourth is the folder that ls itself reads.
            let open = try await run("ls", ["/proc/self/fd"]).output()
            #expect(open.split(separator: "\n").count == 4, "\(open)")
        }
    }

    @Test("A child that ignores SIGTERM is killed after the grace time")
    func deafChild() async throws {
        let process = try await withDaemon(
            Command(
                "sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1000; done"],
                ready: .line(containing: "ready")),
            grace: .milliseconds(100)
        ) { $0.processIdentifier }
        #expect(!exists(process))
    }

    @Test("A stopped child is ended too")
    func stoppedChild() async throws {
        let process = try await withDaemon(Command("sleep", ["1000"]), grace: .milliseconds(100)) { sleeper in
            sleeper.signal(SIGSTOP)
            return sleeper.processIdentifier
        }
        #expect(!exists(process))
    }

    @Test("Signalling a killed child after its exit does nothing")
    func killedChild() async throws {
        try await withDaemon("sleep", ["1000"]) { sleeper in
            #expect(sleeper.isRunning)
            sleeper.signal(SIGKILL)
            let ending = try await sleeper.waitForExit()
            #expect(ending == .signalled(SIGKILL))
            #expect(!sleeper.isRunning)
            sleeper.signal(SIGTERM)
        }
    }

    @Test("A killed bus is gone when kill returns")
    func killedBus() async throws {
        try await withPrivateBus { bus in
            try await bus.kill()
            #expect(!exists(bus.processIdentifier))
        }
    }

    @Test("A child that ends before it is ready throws its output")
    func endsBeforeReady() async throws {
        let error = await #expect(throws: BenchError.self) {
            try await withDaemon("sh", ["-c", "echo no such device >&2; exit 7"], ready: .line(containing: "up")) { _ in
            }
        }
        let message = try #require(error?.message)
        #expect(message.contains("status 7") || message.contains("“up”"))
        #expect(message.contains("no such device"))
    }

    @Test("A child that is not ready in time is ended with an error")
    func neverReady() async throws {
        let error = await #expect(throws: BenchError.self) {
            try await withDaemon(
                Command("sleep", ["1000"], ready: .line(containing: "up")), readyWithin: .milliseconds(50)
            ) { _ in }
        }
        #expect(try #require(error?.message).contains("would be ready"))
    }

    @Test("A missing program is an error")
    func missingProgram() async throws {
        let error = await #expect(throws: BenchError.self) {
            try await withDaemon("/nonexistent/program") { _ in }
        }
        #expect(try #require(error?.message).contains("/nonexistent/program"))
    }

    @Test("A cancelled body leaves no process")
    func cancellation() async throws {
        let started = Watched<pid_t?>(nil)
        let task = Task {
            try await withDaemon("sleep", ["1000"]) { sleeper in
                started.update { $0 = sleeper.processIdentifier }
                try await sleeper.waitForExit()
            }
        }
        let process = try await started.wait { $0 }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(!exists(process))
    }

    @Test("Daemons start in order and end in reverse order")
    func order() async throws {
        try await withTemporaryDirectory { directory in
            let script = { (name: String, needs: String) in
                """
                test -e \(needs) || exit 9; touch \(directory.file(name))
                trap 'echo \(name) >> \(directory.file("ended")); exit 0' TERM; while :; do sleep 1000 & wait; done
                """
            }
            let first = Command("sh", ["-c", script("first", "/")], ready: .file(directory.file("first")))
            let second = Command(
                "sh", ["-c", script("second", directory.file("first"))], ready: .file(directory.file("second")))
            // The file appears before the trap is set, so a child may yet be ended by the signal itself.
            try await withDaemons([first, second]) { daemons in
                #expect(daemons.count == 2)
                #expect(daemons.allSatisfy { $0.isRunning })
            }
        }
    }

    @Test("Readiness is detected by socket and by bus name")
    func readiness() async throws {
        try await withTemporaryDirectory { directory in
            let socket = directory.file("bus")
            try await withDaemon(
                "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(socket)"],
                ready: .socket(socket)
            ) { #expect($0.isRunning) }
        }
        try await withPrivateBus { bus in
            let owner = Command(
                "/usr/bin/python3",
                [
                    "-c",
                    "import dbus, time; b = dbus.SessionBus(); b.request_name('org.example.Owner'); time.sleep(1000)",
                ],
                environment: bus.environment, ready: .busName("org.example.Owner", on: bus))
            try await withDaemon(owner) { #expect($0.isRunning) }
        }
    }

    @Test("Lines of both outputs are found, also from a given index")
    func lines() async throws {
        try await withDaemon("sh", ["-c", "echo warning >&2; echo one; echo two; echo one again"]) { shell in
            try await shell.waitForLine(containing: "warning")
            let error = await #expect(throws: BenchError.self) { try await shell.waitForLine(containing: "three") }
            #expect(try #require(error?.message).contains("one again"))
            #expect(shell.lineCount == 4)
            // The two outputs are read side by side, so the warning may be any of the four.
            let later = try await shell.waitForLine(containing: "one", from: 2)
            #expect(later == "one again")
        }
    }
}
