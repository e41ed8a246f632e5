import AgentInterface
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct LifecycleTests {
    @Test func `Before it is enabled, it watches and stores nothing`() async throws {
        try await withPrivateBus(.system) { system in
            try await withAgent(also: system.environment) { rig, _ in
                let status = try await rig.agent.status().transfer
                #expect(try status.value("enabled") == false)
                #expect(try AgentStatus(transfer: status).part("bluez")?.state == "off")
                #expect(try AgentStatus(transfer: status).part("audio")?.state == "off")
                #expect(try status.value("donations") == UInt64(0))
                for nothing in ["players", "devices"] {
                    #expect(try await rig.hunch(nothing).status == .exited(1))
                }
                try await withConnection(to: system) { connection in
                    // The bus itself and this connection.
                    let names = try await connection.names()
                    #expect(names.count == 2)
                }
                #expect(try StoreFile(home: rig.home).counts().values.allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("It works in 200 MiB of address space")
    func addressSpace() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withTemporaryDirectory { folder in
                    let environment = agentEnvironment(bus, home)
                    let command = Command(
                        "/bin/sh", ["-c", "ulimit -v 204800 && exec \"$0\"", try agentOfTheTest(in: folder)],
                        environment: environment, ready: .busName(HunchNames.agent.text, on: bus))
                    try await withDaemon(command) { daemon in
                        try await withClient(of: bus) { agent in
                            let rig = AgentRig(bus: bus, home: home, environment: environment, agent: agent)
                            try await rig.turn(on: true)
                            let donation = try home.directory.write(
                                #"{"kind": "playMedia", "application": "org.example.Radio", "parameters": {"item": "1"}}"#,
                                to: "donation.jsonl")
                            _ = try await rig.hunch("donate", donation).output()
                            let notes = try home.directory.write(
                                #"{"id": "1", "title": "A plan"}"#, to: "notes.jsonl")
                            _ = try await rig.hunch("index", "import", notes, "--index", "notes").output()
                            #expect(try await rig.hunch("find", "plan").output().contains("A plan"))
                            #expect(try await rig.agent.status().donations == 1)
                            // A message that needs more memory than there is does not make it deaf.
                            let texts = Array(repeating: String(repeating: "x", count: 7_000), count: 7_000)
                            _ =
                                try? await rig.root.call(
                                    HunchNames.donations, "DeleteById", texts, timeout: .seconds(5)) as UInt32
                            try await eventually("an answer or an end", because: "the memory decides") {
                                let answer = try? await rig.agent.status()
                                return answer != nil || !daemon.isRunning ? () : nil
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `Enabling survives a restart, and disabling stops watching`() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus(.system) { system in
                try await withPrivateBus { bus in
                    try await withAgent(on: bus, in: home, also: system.environment) { rig, _ in
                        try await rig.turn(on: true)
                        let status = try await rig.agent.status().transfer
                        #expect(try status.value("enabled") == true)
                        #expect(try AgentStatus(transfer: status).part("bluez")?.state != "off")
                    }
                    try await withAgent(on: bus, in: home, also: system.environment) { rig, _ in
                        #expect(try await rig.agent.status().transfer.value("enabled") == true)
                        try await eventually("watching", because: "Status has no signal") {
                            let word = try await rig.agent.status().part("bluez")?.state
                            return word == "absent" ? () : nil
                        }
                        try await rig.turn(on: false)
                        let status = try await rig.agent.status().transfer
                        #expect(try status.value("enabled") == false)
                        #expect(try AgentStatus(transfer: status).part("bluez")?.state == "off")
                    }
                    try await withAgent(on: bus, in: home, also: system.environment) { rig, _ in
                        let status = try await rig.agent.status().transfer
                        #expect(try status.value("enabled") == false)
                    }
                }
            }
        }
    }

    @Test func `It watches after being disabled and enabled at once`() async throws {
        try await withPrivateBus(.system) { system in
            try await withAgent(also: system.environment) { rig, _ in
                try await rig.turn(on: true)
                for _ in 1...5 {
                    async let off: Void = rig.turn(on: false)
                    async let on: Void = rig.turn(on: true)
                    _ = try await (off, on)
                }
                try await rig.turn(on: true)
                let absent: String = try await eventually("watching", because: "Status has no signal") {
                    let word = try await rig.agent.status().part("bluez")?.state
                    return word == "absent" ? word : nil
                }
                #expect(absent == "absent")
                try await rig.turn(on: false)
                #expect(try await rig.agent.status().part("bluez")?.state == "off")
            }
        }
    }

    @Test func `A second instance exits with one line`() async throws {
        try await withAgent { rig, daemon in
            let second = try await run(builtProduct("hunchd"), environment: rig.environment)
            #expect(second.status == .exited(3))
            #expect(
                second.standardError
                    == "hunchd: another agent is running on this session bus; “hunch status” shows it\n")
            #expect(second.standardOutput.isEmpty)
            #expect(
                try await rig.agent.status().transfer.value("pid") == UInt32(daemon.processIdentifier))
        }
    }

    @Test func `An agent without the bus name does not open the store`() async throws {
        try await withAgent { rig, _ in
            try await withTemporaryHome { home in
                let second = try await run(
                    builtProduct("hunchd"), environment: agentEnvironment(rig.bus, home))
                #expect(second.status == .exited(3))
                #expect(!FileManager.default.fileExists(atPath: home.state + "/hunch"))
            }
        }
    }

    @Test func `Early calls are answered once the store is open`() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withClient(of: bus) { agent in
                    // The agent owns its name some milliseconds before the store is open. Calls in between wait.
                    let environment = agentEnvironment(bus, home)
                    try await withDaemon(hunchd(environment)) { _ in
                        try await bus.waitForOwner(of: HunchNames.agent.text)
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for _ in 1...20 {
                                group.addTask {
                                    let status = try await agent.status().transfer
                                    #expect(try status.value("enabled") == false)
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                }
            }
        }
    }

    @Test func `SIGTERM ends it in order`() async throws {
        try await withAgent { rig, daemon in
            try await rig.turn(on: true)
            daemon.signal(SIGTERM)
            #expect(try await daemon.waitForExit() == .exited(0))
            #expect(try await !rig.agent.isRunning())
            // The log is checkpointed, although the agent also read.
            let files = try FileManager.default.contentsOfDirectory(atPath: rig.home.state + "/hunch").sorted()
            #expect(files == ["history.sqlite", "history.sqlite.lock", "history.sqlite.use"])
            // The user's setting is on disk.
            let status = try await rig.hunch("status", "--json").output()
            #expect(status.contains(#""enabled":true"#) && status.contains(#""running":false"#))
        }
    }

    @Test func `It exits when the session bus closes`() async throws {
        try await withAgent { rig, daemon in
            try await rig.turn(on: true)
            try await rig.bus.kill()
            #expect(try await daemon.waitForExit() == .exited(0))
        }
    }

    @Test func `Without a session bus, it says so in one line`() async throws {
        try await withTemporaryHome { home in
            let environment = home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]) {
                $1
            }
            let result = try await run(builtProduct("hunchd"), environment: environment)
            #expect(result.status == .exited(3))
            #expect(result.standardError.hasPrefix("hunchd: "))
            #expect(result.standardError.split(separator: "\n").count == 1)
            #expect(result.standardError.contains("bus"))
        }
    }

    @Test func `A damaged store is set aside and reported`() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ in try await rig.turn(on: true) }
                let store = StoreFile(home: home)
                for log in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + log) }
                let damage = Array(repeating: UInt8(0x5A), count: 64 << 10)
                try home.directory.write(damage, to: "state/hunch/history.sqlite")
                try await withAgent(on: bus, in: home) { rig, _ in
                    let status = try await rig.agent.status().transfer
                    let aside: String = try status.require("set-aside")
                    #expect(aside.hasPrefix(store.path + ".corrupt-"))
                    #expect(Array(try Data(contentsOf: URL(filePath: aside))) == damage)
                    try await eventually("the problem being told", because: "it is noted after calls are answered") {
                        let problems: [String] = try await rig.agent.status().transfer.require("problems")
                        return problems.contains { $0.contains(aside) } ? () : nil
                    }
                    // The user's consent is lost with the store and must be given again.
                    #expect(try status.value("enabled") == false)
                }
            }
        }
    }

    @Test func `A store that cannot be created gets one clear line`() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                // A file in place of the folder, so that not even root can write into it.
                try home.directory.write("", to: "state/hunch")
                let result = try await run(builtProduct("hunchd"), environment: agentEnvironment(bus, home))
                #expect(result.status == .exited(3))
                #expect(result.standardError.hasPrefix("hunchd: "))
                #expect(result.standardError.contains(home.state + "/hunch"))
                #expect(result.standardError.split(separator: "\n").count == 1)
            }
        }
    }

    @Test func `READY follows the first answers, STOPPING the end`() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withNotifySocket(at: home.directory.file("notify")) { messages in
                    let environment = agentEnvironment(
                        bus, home, also: ["NOTIFY_SOCKET": home.directory.file("notify")])
                    try await withClient(of: bus) { agent in
                        try await withDaemon(hunchd(environment)) { daemon in
                            let first = try await messages.next()
                            #expect(first == "READY=1")
                            #expect(try await agent.status().transfer.value("enabled") == false)
                            daemon.signal(SIGTERM)
                            #expect(try await daemon.waitForExit() == .exited(0))
                            #expect(try await messages.next() == "STOPPING=1")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [["--frob"], ["one", "two"]])
    func `Invalid usage gets one line`(arguments: [String]) async throws {
        let result = try await run(builtProduct("hunchd"), arguments)
        #expect(result.status == .exited(2))
        #expect(result.standardError == "hunchd: unknown argument “\(arguments[0])”; see hunchd --help\n")
    }

    @Test(arguments: ["", "0", "11", "-1", "nan", "two", "2 s"])
    func `An invalid time limit is refused with an example`(time: String) async throws {
        let result = try await run(builtProduct("hunchd"), [], environment: ["HUNCH_PREPARE_SECONDS": time])
        #expect(result.status == .exited(2))
        #expect(
            result.standardError
                == "hunchd: HUNCH_PREPARE_SECONDS=\(time) is not understood; give seconds from 0.1 to 10\n")
    }
}
