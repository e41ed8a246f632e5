import FoundationEssentials
import TestSupport
import Testing

@Suite("Temporary folders and homes", .timeLimit(.minutes(15)))
struct TemporaryDirectoryTests {
    @Test("A folder is removed after its body, even if the body throws")
    func removed() async throws {
        struct Expected: Error {}
        let seen = Watched("")
        await #expect(throws: Expected.self) {
            try await withTemporaryDirectory { directory in
                try directory.write("text", to: "a/b/c.txt")
                #expect(try directory.read("a/b/c.txt") == "text")
                seen.update { $0 = directory.path }
                throw Expected()
            }
        }
        #expect(seen.state.hasPrefix("/"))
        #expect(!FileManager.default.fileExists(atPath: seen.state))
    }

    @Test("Two folders are never the same")
    func distinct() async throws {
        try await withTemporaryDirectory { one in
            try await withTemporaryDirectory { two in #expect(one.path != two.path) }
        }
    }

    @Test("Every path in a home lies inside it and exists")
    func home() async throws {
        try await withTemporaryHome { home in
            #expect(home.environment.count == 8)
            for (name, path) in home.environment {
                #expect(path.hasPrefix(home.directory.path), "\(name)")
                #expect(FileManager.default.fileExists(atPath: path), "\(name)")
            }
        }
    }

    @Test("Built programs are found, others are an error")
    func builtProducts() throws {
        #expect(try builtProduct("hunch").hasSuffix("/hunch"))
        #expect(throws: BenchError.self) { try builtProduct("no-such-program") }
        #expect(FileManager.default.fileExists(atPath: "\(Surroundings.packageRoot)/Package.swift"))
    }

    @Test("waitForFile returns once the file appears or is renamed")
    func appearance() async throws {
        try await withTemporaryDirectory { directory in
            async let appeared: Void = waitForFile(at: directory.file("target"))
            let part = try directory.write("x", to: "part")
            try FileManager.default.moveItem(atPath: part, toPath: directory.file("target"))
            try await appeared
            try await waitForFile(at: directory.file("target"))

            let task = Task { try await waitForFile(at: directory.file("never")) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await #expect(throws: BenchError.self) { try await waitForFile(at: directory.file("no-folder/x")) }
        }
    }
}
