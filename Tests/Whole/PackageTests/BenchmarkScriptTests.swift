import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The names of all benchmarks.
@Suite("Benchmark scripts", .timeLimit(.minutes(15)))
struct BenchmarkScriptTests {
    /// Starts a bus and a program, and then has something to do for long.
    private static let script = """
        . "$0"
        start sleeper sleep 1000
        echo "sleeper $!"
        echo "folder $work"
        run sleep 1000
        """

    @Test(
        "An interrupted benchmark ends its processes and cleans up",
        arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
    func interrupted(signal: Int32, code: Int32) async throws {
        try await withTemporaryDirectory { directory in
            // It installs what was built, which is of no use here.
            let stub = try directory.write("#!/bin/sh\n", to: "bin/make")
            #expect(chmod(stub, 0o755) == 0)
            let script = "\(Surroundings.packageRoot)/Tests/Benchmarks/surroundings.sh"
            let command = Command(
                "bash", ["-c", Self.script, script],
                environment: ["PATH": "\(directory.file("bin")):/usr/bin:/bin", "BIN": "/nonexistent"],
                ready: .line(containing: "folder "))
            try await withDaemon(command) { benchmark in
                let words = benchmark.output.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
                func told(_ key: String) throws -> String {
                    String(try #require(words.first { $0.first == Substring(key) }?.last))
                }
                let (folder, sleeper) = (try told("folder"), try #require(pid_t(told("sleeper"))))
                #expect(access(folder + "/session", F_OK) == 0 && kill(sleeper, 0) == 0)
                benchmark.signal(signal)
                #expect(try await benchmark.waitForExit() == .exited(code))
                #expect(access(folder, F_OK) != 0 && kill(sleeper, 0) != 0)
            }
        }
    }
}
