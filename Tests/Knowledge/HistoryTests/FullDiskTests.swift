import TestSupport
import Testing

@Suite("Full disk", .timeLimit(.minutes(15))) struct FullDiskTests {
    @Test("Forgetting reports a full disk and later succeeds")
    func forgetting() async throws {
        try await withTemporaryHistory { history in
            // A small file system that no other process sees.
            let script = """
                mkdir -p "$1" && mount -t tmpfs -o size=8m tmpfs "$1" && exec "$0" forget-on-full-disk "$1/history.sqlite"
                """
            let output = try await run(
                "unshare",
                ["--map-root-user", "--mount", "sh", "-c", script, builtProduct("HistoryProbe"), history.folder]
            ).output()
            #expect(output == "scrubbing diskFull\nscrubbing finished\n")
        }
    }
}
