import TestSupport
import Testing

@Suite("Programs run to their end", .timeLimit(.minutes(5)))
struct RunTests {
    @Test("status and both outputs come back")
    func result() async throws {
        let result = try await run("sh", ["-c", "cat; echo err >&2; exit 3"], input: "in")
        #expect(result == CommandResult(status: .exited(3), standardOutput: "in", standardError: "err\n"))
        #expect(throws: BenchError.self) { try result.output() }
    }

    @Test("a death by signal is a result")
    func signal() async throws {
        #expect(try await run("sh", ["-c", "kill -KILL $$"]).status == .signalled(9))
    }

    @Test("an input larger than any pipe passes through whole", arguments: [1, 65_536, 5_000_000])
    func largeInput(size: Int) async throws {
        let input = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 127) }
        let result = try await run("cat", input: input)
        #expect(Array(result.standardOutput.utf8) == input)
    }

    @Test("a program that does not read its input is no error")
    func unreadInput() async throws {
        let result = try await run("true", input: [UInt8](repeating: 65, count: 1_000_000))
        #expect(result.status == .exited(0))
    }

    @Test("a program that closes its input early answers all the same")
    func halfReadInput() async throws {
        let result = try await run("head", ["-c", "3"], input: [UInt8](repeating: 65, count: 1_000_000))
        #expect(result.standardOutput == "AAA")
    }

    @Test("too much output ends it with an error")
    func outputLimit() async throws {
        let error = await #expect(throws: BenchError.self) { try await run("yes", outputLimit: 10_000) }
        #expect(try #require(error?.message).contains("more than 10000 bytes"))
    }

    @Test("a program that takes too long is ended, and the error shows what it wrote")
    func deadline() async throws {
        let error = await #expect(throws: BenchError.self) {
            try await run("sh", ["-c", "echo begun; exec sleep 1000"], within: .milliseconds(300))
        }
        #expect(try #require(error?.message).contains("sleep 1000"))
    }

    @Test("what it left running does not hold its answer up")
    func leftBehind() async throws {
        let result = try await run("sh", ["-c", "sleep 1000 & echo done"], within: .seconds(20))
        #expect(result.standardOutput == "done\n")
    }

    @Test("nothing of the person's own surroundings is passed on")
    func surroundings() async throws {
        let environment = try await run("env", environment: ["GIVEN": "yes"]).output()
        #expect(environment.contains("GIVEN=yes"))
        #expect(environment.contains("HOME=/nonexistent"))
        #expect(environment.contains("DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/"))
        #expect(!environment.contains("XDG_"))
        #expect(!environment.contains("DISPLAY"))
    }
}
