import FoundationEssentials
import Glibc
import Testing

@testable import TestSupport

@Suite("Cleanup after a crashed run", .timeLimit(.minutes(15)))
struct GuardianTests {
    @Test("Registered processes and folders are removed, others kept")
    func tidiesUp() async throws {
        try await withTemporaryDirectory { directory in
            let folders = ["lost", "kept"].map { directory.file($0) }
            for folder in folders { try directory.write("x", to: "\(folder.split(separator: "/").last ?? "")/file") }
            try await withDaemons([Command("sleep", ["1000"]), Command("sleep", ["1000"])]) { sleepers in
                let guardian = Guardian()
                guardian.add(group: sleepers[0].processIdentifier)
                guardian.add(group: sleepers[1].processIdentifier)
                guardian.remove(group: sleepers[1].processIdentifier)
                guardian.add(folder: folders[1])
                guardian.add(folder: folders[0])
                guardian.remove(folder: folders[1])
                guardian.close()
                let ending = try await sleepers[0].waitForExit()
                #expect(ending == .signalled(SIGKILL))
                try await eventually("the folder's removal", because: "the guardian tells nobody when it is done") {
                    FileManager.default.fileExists(atPath: folders[0]) ? nil : ()
                }
                #expect(sleepers[1].isRunning)
                #expect(FileManager.default.fileExists(atPath: folders[1]))
            }
        }
    }
}
