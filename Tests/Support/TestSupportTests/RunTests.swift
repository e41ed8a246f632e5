import TestSupport
import Testing

@Suite("Programs run to completion", .timeLimit(.minutes(15)))
struct RunTests {
    @Test("The status and both outputs are returned")
    func result() async throws {
        let result = try await run("sh", ["-c", "cat; echo err >&2; exit 3"], input: "in")
        #expect(result == CommandResult(status: .exited(3), standardOutput: "in", standardError: "err\n"))
        #expect(throws: BenchError.self) { try result.output() }
    }

    @Test("A death by signal is a result")
    func signal() async throws {
        #expect(try await run("sh", ["-c", "kill -KILL $$"]).status == .signalled(9))
    }

    @Test("An input larger than a pipe is passed completely", arguments: [1, 65_536, 5_000_000])
    func largeInput(size: Int) async throws {
        let input = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 127) }
        let result = try await run("cat", input: input)
        #expect(Array(result.standardOutput.utf8) == input)
    }

    @Test("A program that does not read its input is not an error")
    func unreadInput() async throws {
        let result = try await run("true", input: [UInt8](repeating: 65, count: 1_000_000))
        #expect(result.status == .exited(0))
    }

    @Test("A program that closes its input early still returns output")
    func halfReadInput() async throws {
        let result = try await run("head", ["-c", "3"], input: [UInt8](repeating: 65, count: 1_000_000))
        #expect(result.standardOutput == "AAA")
    }

    @Test("Too much output ends the program with an error")
    func outputLimit() async throws {
        let error = await #expect(throws: BenchError.self) { try await run("yes", outputLimit: 10_000) }
        #expect(try #require(error?.message).contains("more than 10000 bytes"))
    }

    @Test("A program over its deadline is ended with an error")
    func deadline() async throws {
        let error = await #expect(throws: BenchError.self) {
            try await run("sh", ["-c", "echo begun; exec sleep 1000"], within: .milliseconds(300))
        }
        #expect(try #require(error?.message).contains("sleep 1000"))
    }

    @Test("A background child does not delay the result")
    func leftBehind() async throws {
        let result = try await run("sh", ["-c", "sleep 1000 & echo done"], within: .seconds(20))
        #expect(result.standardOutput == "done\n")
    }

    @Test("The environment of the user's session is not passed on")
    func surroundings() async throws {
        let environment = try await run("env", environment: ["GIVEN": "yes"]).output()
        #expect(environment.contains("GIVEN=yes"))
        #expect(environment.contains("HOME=/nonexistent"))
        #expect(environment.contains("DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/"))
        #expect(!environment.contains("XDG_"))
        #expect(!environment.contains("DISPLAY"))
    }
}
