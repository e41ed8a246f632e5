import Synchronization
import Testing

@testable import TestSupport

@Suite("Daemon output in failed tests", .timeLimit(.minutes(15)))
struct DaemonOutputTests {
    @Test("A success prints no output")
    func success() async throws {
        let shown = try await withDaemon(Command("echo", ["one"])) { daemon in
            try await daemon.waitForExit()
            return daemon.child.shown.withLock { $0 }
        }
        #expect(shown == 0)
    }

    @Test("An error is rethrown unchanged after the output was printed")
    func error() async throws {
        struct Expected: Error {}
        let seen = Watched<Daemon?>(nil)
        await #expect(throws: Expected.self) {
            try await withDaemon(Command("sh", ["-c", "echo shown on purpose; exec sleep 1000"])) { daemon in
                try await daemon.waitForLine(containing: "shown")
                seen.update { $0 = daemon }
                throw Expected()
            }
        }
        let daemon = try #require(seen.state)
        #expect(daemon.child.shown.withLock { $0 } == 1)
    }
}
