import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// Tests of a history that cannot be written: losses are reported, and the agent continues.
@Suite("Store failures", .timeLimit(.minutes(15))) struct StoreTroubleTests {
    private static func items(_ name: String) -> [VariantMap] {
        (0..<50).map { number in
            Item.play(
                "\(name)-\(number)", title: String(repeating: "x", count: 900),
                more: ["application": .string("org.example.Podcasts")])
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

    @Test("A deleted state folder is reported and refuses donations")
    func deleted() async throws {
        try await withAgent { rig, _ in
            try await rig.turn(on: true)
            let status = try await rig.agent.status().transfer
            let path = try #require(try status.value("history", as: String.self))
            let folder = String(path[..<(try #require(path.lastIndex(of: "/")))])
            try FileManager.default.removeItem(atPath: folder)

            let refusal = try await rig.refusal { _ = try await $0.donate(Self.items("lost")) }
            let error = try #require(refusal)
            #expect(error.name == .storeFailed)
            #expect(error.message.contains("deleted") && error.message.contains("restart"), "\(error)")
            let problems = try await rig.agent.status().transfer.value("problems", as: [String].self) ?? []
            #expect(problems.contains { $0.contains(path) && $0.contains("deleted") }, "\(problems)")
            let told = try await rig.hunch("status")
            #expect(told.standardOutput.contains("was deleted or moved"), "\(told)")
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }
}
