import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Tests of a history that cannot be written: losses are reported, and the agent continues.
@Suite("Store failures", .timeLimit(.minutes(15))) struct StoreTroubleTests {
    private static func items(_ name: String) -> [VariantMap] {
        (0..<50).map { number in
            Item.play(
                "\(name)-\(number)", title: String(repeating: "x", count: 900),
                more: ["app": .string("org.example.Podcasts")])
        }
    }

    /// Returns the size of a file of the history, in bytes.
    private static func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test("A file at its size limit fails one write and not the agent")
    func fileSize() async throws {
        try await withAgent { rig, daemon in
            try await rig.turn(on: true)
            let status = try await rig.agent.status().transfer
            let process = "\(try #require(try status.value("pid", as: UInt32.self)))"
            let path = try #require(try status.value("history", as: String.self))
            let largest = max(try Self.size(path), try Self.size(path + "-wal"))
            _ = try await run("prlimit", ["--pid", process, "--fsize=\(largest + 4_096):"]).output()
            let refusal = try await rig.refusal { _ = try await $0.donate(Self.items("before")) }
            let error = try #require(refusal)
            #expect(error.name == .storeFailed)
            #expect(error.message.contains("free space") && !error.message.contains("another"), "\(error)")
            #expect(try await rig.agent.status().transfer.value("donations", as: UInt64.self) == 0)

            _ = try await run("prlimit", ["--pid", process, "--fsize=unlimited:"]).output()
            #expect(try await rig.codes(Self.items("after")).allSatisfy(\.isEmpty))
            #expect(try await rig.agent.status().transfer.value("donations", as: UInt64.self) == 50)
            #expect(daemon.isRunning)
        }
    }

    @Test(
        "Both programs ignore SIGXFSZ", arguments: ["hunchd", "hunch-geocoder-online"])
    func signal(program: String) async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                let name = program == "hunchd" ? HunchNames.agent : HunchNames.onlineGeocoder
                let command = Command(
                    try builtProduct(program), environment: agentEnvironment(bus, home),
                    ready: .busName(name.text, on: bus))
                try await withDaemon(command) { _ in
                    let process: UInt32 = try await withClient(of: bus) { client in
                        try await client.connection.call(.bus, .bus, .bus, "GetConnectionUnixProcessID", name.text)
                    }
                    let status = try String(contentsOf: URL(filePath: "/proc/\(process)/status"), encoding: .utf8)
                    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
                    let ignored = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
                    // SIGXFSZ is 25.
                    #expect(ignored & 1 << 24 != 0)
                }
            }
        }
    }

    /// Returns the folder of the history of a running agent.
    private static func folder(_ rig: AgentRig) async throws -> String {
        let path = try #require(try await rig.agent.status().transfer.value("history", as: String.self))
        return String(path[..<(try #require(path.lastIndex(of: "/")))])
    }

    @Test("A deleted state folder is replaced without a restart")
    func deleted() async throws {
        try await withAgent { rig, daemon in
            try await rig.turn(on: true)
            _ = try await rig.agent.exclude("org.example.Secret")
            try await rig.agent.setCategory("messages", isRecorded: true)
            #expect(try await rig.codes(Self.items("before")).allSatisfy(\.isEmpty))
            let folder = try await Self.folder(rig)
            try FileManager.default.removeItem(atPath: folder)

            #expect(try await rig.codes(Self.items("after")).allSatisfy(\.isEmpty))
            let status = try await rig.agent.status()
            #expect(status.isEnabled && status.donations == 50 && status.withheld == nil)
            #expect(status.problems?.contains { $0.contains(folder) && $0.contains("deleted") } == true, "\(status)")
            let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            // The user's decisions stay.
            let secret = Item.play("secret", title: "Secret", more: ["app": .string("org.example.Secret")])
            #expect(try await rig.codes([secret]) != [""])
            #expect(try await rig.agent.exclusions() == ["org.example.Secret"])
            #expect(try StoreFile(home: rig.home).counts()["mutedPair"] == 0)
            #expect(try await rig.hunch("status").standardOutput.contains("new history"))
            let findings = try await rig.hunch("doctor").standardOutput
            #expect(findings.contains("deleted or moved while it was in use"), "\(findings)")

            // And once more, by the move of the folder.
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
            #expect(try await rig.agent.status().donations == 0)
            #expect(try await rig.codes(Self.items("later")).allSatisfy(\.isEmpty))
            #expect(daemon.isRunning)
        }
    }

    @Test("A state folder that cannot be created again is reported, and used once it can")
    func blocked() async throws {
        try await withAgent { rig, daemon in
            try await rig.turn(on: true)
            let folder = try await Self.folder(rig)
            #expect(try await rig.codes(Self.items("before")).allSatisfy(\.isEmpty))
            try FileManager.default.removeItem(atPath: folder)
            try Data().write(to: URL(filePath: folder))

            #expect(try await rig.codes(Self.items("lost")).allSatisfy { !$0.isEmpty })
            let status = try await rig.agent.status()
            // Nothing deleted is read again.
            #expect(status.withheld == .historyLost && status.isEnabled && status.donations == 0)
            #expect(status.problems?.contains { $0.contains("permissions") } == true, "\(status)")
            let told = try await rig.hunch("status").standardOutput
            #expect(told.contains("on, but it records nothing") && told.contains("deleted or moved"), "\(told)")
            let findings = try await rig.hunch("doctor").standardOutput
            #expect(findings.contains("records nothing: the history was deleted"), "\(findings)")

            try FileManager.default.removeItem(atPath: folder)
            // The agent tries again after two seconds.
            while try await rig.agent.status().withheld != nil { try await Task.sleep(for: .milliseconds(100)) }
            #expect(try await rig.codes(Self.items("found")).allSatisfy(\.isEmpty))
            #expect(try await rig.agent.status().donations == 50)
            #expect(daemon.isRunning)
        }
    }

    @Test("A history that cannot be reached for a moment is not lost")
    func unreachable() async throws {
        try await withAgent { rig, _ in
            try await rig.turn(on: true)
            #expect(try await rig.codes(Self.items("before")).allSatisfy(\.isEmpty))
            let folder = try await Self.folder(rig)
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
            try Data().write(to: URL(filePath: folder))
            #expect(try await rig.agent.status().withheld == .historyLost)
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
            // The agent tries again after two seconds.
            while try await rig.agent.status().withheld != nil { try await Task.sleep(for: .milliseconds(100)) }
            #expect(try await rig.agent.status().donations == 50)
            #expect(try await rig.codes(Self.items("after")).allSatisfy(\.isEmpty))
        }
    }
}
