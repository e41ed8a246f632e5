import Foundation
import GRDB
import Glibc
import HunchModel
import TestSupport
import Testing

@testable import History

@Suite struct OpeningTests {
    let now = TemporaryHistory.now

    @Test("The folder and all files are private")

    func theFolderAndEveryFileArePrivate() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("x"), now: now)
            let reader = try #require(try HistoryStore.openReadOnly(at: history.path))
            #expect(try reader.counts().donations == 1)
            #expect(history.mode(of: history.folder) == 0o700)
            #expect(try history.files.count == 4)
            for file in try history.files { #expect(history.mode(of: history.folder + "/" + file) == 0o600, "\(file)") }
        }
    }

    @Test("A history of the first version is migrated and keeps its rows")
    func former() async throws {
        try await withTemporaryHistory { history in
            try FileManager.default.createDirectory(atPath: history.folder, withIntermediateDirectories: true)
            let script = "\(Surroundings.packageRoot)/.ci/former-history.sql"
            let former = try DatabaseQueue(path: history.path)
            try former.writeWithoutTransaction { try $0.execute(sql: String(contentsOfFile: script, encoding: .utf8)) }
            try former.close()
            // The second opening compares the migrated tables with those of a new history.
            for _ in 1...2 {
                let opening = try HistoryStore.open(at: history.path, now: Date())
                #expect(opening.setAside == nil)
                #expect(try opening.store.counts().donations == 2)
                let settings = try opening.store.settings()
                #expect(settings.isEnabled && settings.retentionDays == 30)
                try opening.store.close()
            }
        }
    }

    @Test("A history in memory is private and lasts until closed")
    func inMemoryItKeepsWhatItIsToldUntilItIsClosedAndNoOtherSeesIt() throws {
        let store = try HistoryStore.inMemory()
        try store.setEnabled(true)
        try store.record(.played("x"), now: now)
        #expect(try store.counts().donations == 1)
        #expect(try HistoryStore.inMemory().counts().donations == 0)
        #expect(try store.forget(.everything).donations == 1)
        #expect(try store.counts().donations == 0)
        try store.close()
        #expect(access(store.path, F_OK) != 0)
        #expect(throws: HistoryError.self) { try store.counts() }
    }

    @Test("A folder and a file open to others are made private")
    func aFolderAndFileThatWereOpenToOthersAreMadePrivate() async throws {
        try await withTemporaryHistory { history in
            try history.open().close()
            #expect(chmod(history.folder, 0o755) == 0)
            #expect(chmod(history.path, 0o644) == 0)
            try history.open().close()
            #expect(history.mode(of: history.folder) == 0o700)
            #expect(history.mode(of: history.path) == 0o600)
        }
    }

    @Test(
        "The default path follows the XDG specification",
        arguments: [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/hunch/history.sqlite"),
            (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/hunch/history.sqlite"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/hunch/history.sqlite"),
            (["HOME": "/h"], "/h/.local/state/hunch/history.sqlite"),
        ])
    func theDefaultPathFollowsTheBaseDirectorySpecification(environment: [String: String], path: String) throws {
        #expect(try HistoryStore.defaultPath(environment: environment) == path)
    }

    @Test("Opening without any folder is an error")
    func withoutAnyFolderThereIsAnError() {
        let error = #expect(throws: HistoryError.self) { try HistoryStore.defaultPath(environment: ["HOME": ""]) }
        #expect(error?.code == .cannotOpen)
    }

    @Test("Failing to create the folder is an error")
    func whereNoFolderCanBeMadeThereIsAnError() async throws {
        try await withTemporaryHistory { history in
            try history.directory.write("", to: "state")
            let error = #expect(throws: HistoryError.self) { try HistoryStore.open(at: history.path, now: now) }
            #expect(error?.code == .cannotOpen)
        }
    }

    @Test("A folder in place of the file is left alone")
    func aFolderInPlaceOfTheFileIsLeftAlone() async throws {
        try await withTemporaryHistory { history in
            try FileManager.default.createDirectory(atPath: history.path, withIntermediateDirectories: true)
            let error = #expect(throws: HistoryError.self) { try HistoryStore.open(at: history.path, now: now) }
            #expect(error?.code == .cannotOpen)
            #expect(try history.files.contains("history.sqlite"))
        }
    }

    @Test("Opening a missing history for reading finds nothing")
    func readingOnlyFindsNothingWhereThereIsNothing() async throws {
        try await withTemporaryHistory { history in
            #expect(try HistoryStore.openReadOnly(at: history.path) == nil)
            try history.write([])
            #expect(try HistoryStore.openReadOnly(at: history.path) == nil)
        }
    }

    @Test("Opening for reading reads the rows and writes nothing")
    func readingOnlySeesWhatIsThereAndWritesNothing() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("One"), now: now)
            let reader = try #require(try HistoryStore.openReadOnly(at: history.path))
            #expect(try reader.donations(limit: 5) == [.played("One")])
            try store.record(.played("Two"), now: now)
            #expect(try reader.counts().donations == 2)
            let attempts: [() throws -> Void] = [
                { try reader.record(.played("Three"), now: now) }, { try reader.setEnabled(false) },
                { _ = try reader.forget(.everything) }, { try reader.prune(now: now) }, { _ = try reader.scrub() },
            ]
            for attempt in attempts {
                #expect(throws: HistoryError.self, performing: attempt)
                #expect(throws: (any Error).self, performing: attempt)
            }
            try reader.close()
            try store.close()
            let alone = try #require(try HistoryStore.openReadOnly(at: history.path))
            #expect(alone.isReadOnly)
            #expect(try alone.counts().donations == 2)
        }
    }

    @Test("A closed store reports that it is closed")
    func aClosedStoreSaysSo() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.close()
            let error = #expect(throws: HistoryError.self) { try store.record(.played("x"), now: now) }
            #expect(error?.code == .closed)
            #expect(throws: HistoryError.self) { try store.counts() }
        }
    }

    @Test("A history of a newer version is refused, unchanged")
    func aHistoryOfANewerVersionIsRefusedAndLeftAsItIs() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("Precious"), now: now)
            try store.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('something of the future')")
            }
            try store.close()
            let before = try history.bytes(of: "history.sqlite")
            for open in [
                { _ = try HistoryStore.open(at: history.path, now: now) },
                { _ = try HistoryStore.openReadOnly(at: history.path) },
            ] as [() throws -> Void] {
                let error = #expect(throws: HistoryError.self, performing: open)
                #expect(error?.code == .newerVersion)
                #expect(error?.message.contains(history.path) == true)
            }
            #expect(try history.bytes(of: "history.sqlite") == before)
            #expect(try history.files.filter { $0.contains("corrupt") } == [])
        }
    }

    @Test("A database of another program is refused, unchanged")
    func aDatabaseOfSomethingElseIsRefusedAndLeftAsItIs() async throws {
        try await withTemporaryHistory { history in
            try FileManager.default.createDirectory(atPath: history.folder, withIntermediateDirectories: true)
            let other = try DatabaseQueue(path: history.path)
            try other.write {
                try $0.execute(sql: "CREATE TABLE recipe (name TEXT); INSERT INTO recipe VALUES ('soup')")
            }
            try other.close()
            let before = try history.bytes(of: "history.sqlite")
            let error = #expect(throws: HistoryError.self) { try HistoryStore.open(at: history.path, now: now) }
            #expect(error?.code == .notHistory)
            #expect(throws: HistoryError.self) { try HistoryStore.openReadOnly(at: history.path) }
            #expect(try history.bytes(of: "history.sqlite") == before)
        }
    }

    /// Makes a history of an earlier version with some rows.
    private func write(_ rows: String, of version: String, to history: TemporaryHistory) throws {
        try history.write([])
        let queue = try DatabaseQueue(path: history.path)
        try Schema.migrator.migrate(queue, upTo: version)
        try queue.write { db in try db.execute(sql: rows) }
        try queue.close()
    }

    @Test("A history of an earlier version is migrated")
    func aHistoryOfAnEarlierVersionIsBroughtUpToDate() async throws {
        try await withTemporaryHistory { history in
            let rows = """
                INSERT INTO word VALUES (1, 'org.example.Player');
                INSERT INTO action VALUES (1, 1, 'playMedia', '{"item":"Early"}');
                INSERT INTO donation (action, date) VALUES (1, 1748856600000);
                """
            try write(rows, of: Schema.donations, to: history)
            let error = #expect(throws: HistoryError.self) { try HistoryStore.openReadOnly(at: history.path) }
            #expect(error?.code == .olderVersion)
            let store = try history.open()
            var early = Donation.played("Early")
            early.combination = ["item"]
            #expect(try store.donations(limit: 5) == [early])
            #expect(try store.record(.engaged("s"), now: now).isRecorded)
        }
    }

    @Test("Former mutes of all places of an app end; those of media stay")
    func earlierMutes() async throws {
        try await withTemporaryHistory { history in
            let rows = """
                INSERT INTO mutedPair VALUES ('device:AA', 'org.example.Player', 1748856600000),
                    ('activity:org.example.Browser', 'org.example.Maps', 1748856600000),
                    ('appointment', 'org.example.Maps', 1748856600000);
                """
            try write(rows, of: Schema.ownPlaces, to: history)
            let pair = SuggestionPair(trigger: .device("AA"), application: "org.example.Player", kind: .media)
            #expect(try history.open().mutedPairs().map(\.pair) == [pair])
        }
    }
}
