import FoundationEssentials
import EventLoops
import Glibc
import HunchDBus
import TestSupport
import Testing

@testable import Triggers

@Suite("Path watch", .timeLimit(.minutes(15)))
struct PathWatchTests {
    /// Runs `body` while a path is watched. The state counts the appearances of a file.
    private func withWatch(
        on path: String, _ body: (Watched<Int>) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let count = Watched(0)
        let holder = Holder()
        await withCheckedContinuation { continuation in
            loop.execute {
                holder.watch = PathWatch(path, on: loop) { count.update { $0 += 1 } }
                continuation.resume()
            }
        }
        try await body(count)
        await withCheckedContinuation { continuation in
            loop.execute {
                holder.watch?.close()
                continuation.resume()
            }
        }
    }

    private final class Holder: @unchecked Sendable {  // touched on the loop alone
        var watch: PathWatch?
    }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func wait(_ count: Watched<Int>, for number: Int) async throws {
        try await withDeadline(.seconds(10), "appearance number \(number)") {
            try await count.wait { $0 >= number ? () : nil }
        }
    }

    @Test("A file in an existing folder is reported")
    func file() async throws {
        try await withTemporaryDirectory { directory in
            try await withWatch(on: directory.file("native")) { count in
                try directory.write("", to: "other")
                try directory.write("", to: "native")
                try await wait(count, for: 1)
            }
        }
    }

    @Test("A file is reported if its folders appear in steps or at once")
    func folders() async throws {
        for steps in [["a", "a/b", "a/b/c"], ["a/b/c"]] {
            try await withTemporaryDirectory { directory in
                try await withWatch(on: directory.file("a/b/c/native")) { count in
                    for step in steps { try make(directory.file(step)) }
                    try directory.write("", to: "a/b/c/native")
                    try await wait(count, for: 1)
                }
            }
        }
    }

    @Test("A file is reported in a folder that is removed and recreated")
    func removedFolder() async throws {
        try await withTemporaryDirectory { directory in
            try await withWatch(on: directory.file("a/native")) { count in
                for round in 1...3 {
                    try directory.write("", to: "a/native")
                    // Creating a file causes more than one event.
                    try await wait(count, for: round)
                    count.update { $0 = round }
                    try FileManager.default.removeItem(atPath: directory.file("a"))
                }
            }
        }
    }

    @Test("A file in a folder that is moved into place is reported")
    func movedFolder() async throws {
        try await withTemporaryDirectory { directory in
            try directory.write("", to: "elsewhere/native")
            try await withWatch(on: directory.file("a/native")) { count in
                try FileManager.default.moveItem(atPath: directory.file("elsewhere"), toPath: directory.file("a"))
                try await wait(count, for: 1)
            }
        }
    }

    @Test("A file that is written in place is reported each time")
    func inPlace() async throws {
        try await withTemporaryDirectory { directory in
            let path = try directory.write("one", to: "a/list")
            try await withWatch(on: path) { count in
                for round in 1...3 {
                    let file = try #require(fopen(path, round == 2 ? "a" : "r+"))
                    fputs("two", file)
                    fclose(file)
                    try await wait(count, for: round)
                }
                let file = try #require(fopen(path, "w"))
                fclose(file)
                try await wait(count, for: 4)
            }
        }
    }

    @Test("Existing files and other files are not reported")
    func silence() async throws {
        try await withTemporaryDirectory { directory in
            try directory.write("", to: "native")
            try await withWatch(on: directory.file("native")) { count in
                for number in 0..<100 { try directory.write("", to: "other\(number)") }
                #expect(count.state == 0)
            }
        }
    }
}
