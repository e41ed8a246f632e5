import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Apps

@Suite("Child processes")
struct ChildProcessTests {
    @Test("A child leads a session and inherits no descriptor or signal")
    func surroundings() async throws {
        try await withTemporaryDirectory { directory in
            let report = directory.file("report")
            let script = """
                { echo "argument $1"; echo "variables $(/usr/bin/env | /bin/grep -c ^HOME=)"
                /bin/grep -E '^Sig(Blk|Ign)' /proc/self/status
                echo "session $(/usr/bin/cut -d' ' -f6 /proc/$$/stat) $$"
                /bin/ls -l /proc/$$/fd; } > "\(report).part" 2>&1
                /bin/mv "\(report).part" "\(report)"
                """
            // Open in this process without O_CLOEXEC, but must not be inherited.
            let secret = try directory.write("", to: "secret")
            let descriptor = open(secret, O_RDONLY)
            defer { close(descriptor) }
            let process = try ChildProcess.spawn(
                "/bin/sh", ["sh", "-c", script, "sh", "geo:1,2 $(touch x); `id`"], environment: [:])
            try await waitForFile(at: report)
            #expect(waitpid(process, nil, 0) == process)
            let lines = try directory.read("report").split(separator: "\n").map(String.init)
            #expect(lines.contains("argument geo:1,2 $(touch x); `id`"))
            #expect(lines.contains("variables 0"))
            #expect(lines.contains { $0.hasPrefix("SigBlk") && $0.hasSuffix("0000000000000000") })
            let ignored = lines.first { $0.hasPrefix("SigIgn:\t") }.flatMap { UInt64($0.dropFirst(8), radix: 16) }
            // glibc keeps signals 32 and 33 for itself and ignores them in what it spawns.
            #expect(ignored.map { $0 & ~0x1_8000_0000 } == 0)
            #expect(lines.contains("session \(process) \(process)"))
            #expect(lines.contains { $0.hasSuffix("0 -> /dev/null") })
            #expect(!lines.contains { $0.hasSuffix(secret) }, "\(lines)")
        }
    }

    @Test("A missing program is an error")
    func missing() {
        #expect(throws: LaunchError.self) { try ChildProcess.spawn("/nonexistent/maps", ["maps"], environment: [:]) }
    }
}
