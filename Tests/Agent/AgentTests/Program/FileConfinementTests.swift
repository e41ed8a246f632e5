import FoundationEssentials
import Glibc
import EventLoops
import History
import HunchDBus
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

@Suite("Thread confinement", .timeLimit(.minutes(15))) struct FileConfinementTests {
    private struct Attempts: Sendable {
        let outcome: FileConfinement.Outcome
        /// The attempted operation with its error number; 0 for success.
        var errors: [String: Int32] = [:]
    }

    /// Confines a new thread, and tries file operations on it.
    private func attempts(
        _ confinement: FileConfinement, reading: [String] = [], writing: [String] = [], making: [String] = []
    ) async throws -> Attempts {
        let thread = try WorkerThread(name: "confined")
        defer { thread.stop() }
        return try await thread.run {
            var attempts = Attempts(outcome: confinement.confineThread())
            func attempt(_ path: String, _ flags: Int32) {
                let descriptor = open(path, flags | O_CLOEXEC, 0o600)
                attempts.errors[path] = descriptor < 0 ? errno : 0
                if descriptor >= 0 { close(descriptor) }
            }
            for path in reading { attempt(path, O_RDONLY) }
            for path in writing { attempt(path, O_WRONLY | O_TRUNC) }
            for path in making { attempt(path, O_WRONLY | O_CREAT) }
            return attempts
        }
    }

    @Test("The store's thread writes two folders and reads no documents")
    func store() async throws {
        try await withTemporaryHome { home in
            let letter = try home.directory.write("Dear Ann", to: "home/Documents/letter.txt")
            let settings = try home.directory.write("[Default Applications]", to: "config/mimeapps.list")
            let confinement = FileConfinement.store(AgentConfiguration(environment: home.environment))
            let own = ["\(home.state)/hunch/file", "\(home.cache)/hunch/file"]
            let others = ["\(home.state)/other", "\(home.cache)/other", "/usr/hunch-test", "/var/tmp/hunch-test"]
            let attempts = try await attempts(
                confinement, reading: [letter, settings, "/usr/bin/env", "/etc/passwd"], making: own + others)
            #expect(attempts.outcome == .confined)
            for path in own + ["/usr/bin/env", "/etc/passwd"] { #expect(attempts.errors[path] == 0, "\(path)") }
            for path in others + [letter] { #expect(attempts.errors[path] == EACCES, "\(path)") }
        }
    }

    @Test("The store's thread writes into the cache again after it was deleted")
    func deletedCache() async throws {
        try await withTemporaryHome { home in
            let configuration = AgentConfiguration(environment: home.environment)
            let worker = try WorkerThread(name: "confined")
            defer { worker.stop() }
            let outcomes = Watched<[FileConfinement.Outcome]>([])
            let keeper = try HistoryKeeper(
                environment: home.environment, now: { Date() }, on: worker,
                prepareThread: { outcomes.update { $0.append(FileConfinement.store(configuration).confineThread()) } })
            _ = try await keeper.open()
            let folder = "\(home.cache)/hunch/artwork"
            let write: @Sendable () throws -> Void = {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data([1]).write(to: URL(filePath: folder + "/cover"))
            }
            try await keeper.caching(write)
            try FileManager.default.removeItem(atPath: "\(home.cache)/hunch")
            try await keeper.caching(write)
            try await keeper.caching(write)
            #expect(outcomes.state == [.confined, .confined])
            // The store is still there.
            #expect(try await keeper.use { store, _ in try store.counts().donations } == 0)
            await keeper.close()
        }
    }

    @Test("The thread for foreign files can read all files and write none")
    func foreign() async throws {
        try await withTemporaryDirectory { directory in
            let file = try directory.write("x", to: "file")
            let reading = try await attempts(.foreignFiles, reading: [file, "/etc/passwd"])
            #expect(reading.outcome == .confined)
            #expect(reading.errors.values.allSatisfy { $0 == 0 })
            let writing = try await attempts(.foreignFiles, writing: [file], making: [directory.file("new")])
            #expect(writing.errors.values.allSatisfy { $0 == EACCES })
            #expect(try directory.read("file") == "x")
        }
    }

    @Test("Threads without confinement stay unrestricted")
    func others() async throws {
        try await withTemporaryDirectory { directory in
            _ = try await attempts(FileConfinement(readable: [], writable: []))
            try directory.write("x", to: "file")
            #expect(try directory.read("file") == "x")
        }
    }

    @Test("Missing folders are skipped")
    func missing() async throws {
        let confinement = FileConfinement(readable: ["/nonexistent/a"], writable: [])
        #expect(try await attempts(confinement, reading: ["/etc/passwd"]).errors == ["/etc/passwd": EACCES])
    }
}
