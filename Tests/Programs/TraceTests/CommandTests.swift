import Foundation
import Glibc
import TestSupport
import Testing

@Suite("hunch-dev trace", .timeLimit(.minutes(15)))
struct CommandTests {
    private func hunch(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> CommandResult {
        try await withTemporaryHome { home in
            try await run(
                builtProduct("hunch-dev"), ["trace"] + arguments,
                environment: home.environment.merging(environment) { $1 }, input: input, directory: home.directory.path)
        }
    }

    private struct Line: Decodable {
        let t: Double
        let event: String
        let text: String
        let offers: Int?
        let uninvitedPlays: Int?
    }

    private func trace(_ name: String) throws -> String {
        try String(
            contentsOfFile: "\(Surroundings.packageRoot)/Tests/Programs/TraceTests/Traces/\(name).jsonl",
            encoding: .utf8)
    }

    @Test("replay prints one language, whatever the locale")
    func language() async throws {
        let input = try trace("connect-usual")
        try await withTemporaryDirectory { directory async throws in
            let german = try await Translations.german(in: directory).environment
            let (plain, translated) = try await (
                hunch("replay", "-", input: input), hunch("replay", "-", input: input, environment: german)
            )
            #expect(plain.standardOutput == translated.standardOutput)
        }
    }

    @Test("replay prints text or JSON, also from standard input")
    func replay() async throws {
        let input = try trace("connect-usual")
        let plain = try await hunch("replay", "-", input: input)
        #expect(plain.status == .exited(0))
        #expect(plain.standardOutput.contains("   12.200  ready       WH-1000XM4 (headset, bluetooth)\n"))
        let json = try await hunch("replay", "--json", "-", input: input)
        #expect(json.status == .exited(0))
        let lines = try json.standardOutput.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.contains { $0.event == "offered" && $0.t == 12.2 })
        #expect(lines.last?.event == "summary")
        #expect(lines.last?.offers == 1)
        #expect(lines.last?.uninvitedPlays == 0)
    }

    @Test("replay writes no file")
    func leavesNothing() async throws {
        try await withTemporaryHome { home in
            // With this limit the first byte that is written to a file ends the program; pipes are not concerned.
            let result = try await run(
                "sh", ["-c", #"ulimit -f 0; exec "$0" trace replay -"#, builtProduct("hunch-dev")],
                environment: home.environment.merging(["TMPDIR": home.directory.path]) { $1 },
                input: trace("connect-usual"), directory: home.directory.path)
            #expect(result.status == .exited(0) && result.standardOutput.contains("offered"))
            let left = try #require(FileManager.default.enumerator(atPath: home.directory.path)).compactMap {
                $0 as? String
            }
            #expect(Set(left) == ["config", "data", "state", "cache", "run", "share"])
        }
    }

    @Test("A fault is reported in one line and nothing is replayed")
    func faults() async throws {
        let result = try await hunch(
            "replay", "-", input: "{\"trace\":1}\n\n{\"t\":0,\"source\":\"bluez\",\"event\":\"objekts\"}\n")
        #expect(result.status == .exited(2))
        #expect(result.standardOutput.isEmpty)
        #expect(result.standardError.hasPrefix("hunch: line 3: “event” is “objekts”"))
        #expect(try await hunch("replay", "missing.jsonl").status == .exited(2))
        #expect(try await hunch("replay", "/").status == .exited(2))
        let empty = try await hunch("replay", "-", input: "{\"trace\":1}\n")
        #expect(empty.status == .exited(1))
        let unknown = try await hunch("replay", "-", input: "{\"t\":0,\"source\":\"smell\"}\n")
        #expect(unknown.status == .exited(0))
        #expect(unknown.standardError == "hunch: line 1: the source “smell” is not known, and is left out\n")
    }

    @Test("record is private, overwrites nothing and needs a bus")
    func record() async throws {
        try await withTemporaryDirectory { directory in
            let file = directory.file("trace.jsonl")
            try directory.write("precious", to: "trace.jsonl")
            let refused = try await hunch("record", file)
            #expect(refused.status == .exited(2))
            #expect(refused.standardError.contains("it exists already"))
            #expect(try directory.read("trace.jsonl") == "precious")

            let without = try await hunch("record", "--for", "1", "-", environment: ["DBUS_SESSION_BUS_ADDRESS": ""])
            #expect(without.status == .exited(3))
            #expect(without.standardError.contains("no session bus"))

            try await withPrivateBus { bus in
                let new = directory.file("new.jsonl")
                let recorded = try await hunch(
                    "record", "--for", "0.2", new,
                    environment: [
                        "DBUS_SESSION_BUS_ADDRESS": bus.address,
                        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
                    ])
                #expect(recorded.status == .exited(0), "\(recorded)")
                #expect(try directory.read("new.jsonl").hasPrefix("{\"begin\":"))
                let mode = try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
        }
    }
}
