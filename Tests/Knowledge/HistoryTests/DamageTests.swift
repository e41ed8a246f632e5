import Foundation
import GRDB
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import History

@Suite struct DamageTests {
    let now = TemporaryHistory.now
    static let setAsideName = "history.sqlite.corrupt-20250602T093000Z"

    /// A closed history of many pages.
    private func makeHistory(_ history: TemporaryHistory) throws -> [UInt8] {
        let store = try history.open()
        for batch in 0..<20 {
            try store.record((0..<100).map { .played("Episode \(batch * 100 + $0)") }, now: now)
        }
        try store.close()
        return try history.bytes(of: "history.sqlite")
    }

    enum Damage: CaseIterable {
        case randomBytes, fewRandomBytes, text, magic, header, truncatedToHalf, truncatedInsideAPage, truncatedToAHeader
        case pageOfZeros, pageOfNoise, everyPageOfNoise

        func apply(to bytes: [UInt8]) -> [UInt8] {
            var random = SplitMix64(seed: 11)
            func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
            var result = bytes
            let middle = bytes.count / 4_096 / 2 * 4_096
            switch self {
            case .randomBytes: return noise(bytes.count)
            case .fewRandomBytes: return noise(17)
            case .text: return Array("Dear diary".utf8)
            case .magic: result.replaceSubrange(0..<16, with: noise(16))
            case .header: result.replaceSubrange(0..<100, with: noise(100))
            case .truncatedToHalf: return Array(bytes.prefix(middle))
            case .truncatedInsideAPage: return Array(bytes.prefix(middle + 777))
            case .truncatedToAHeader: return Array(bytes.prefix(100))
            case .pageOfZeros: result.replaceSubrange(middle..<middle + 4_096, with: repeatElement(0, count: 4_096))
            case .pageOfNoise: result.replaceSubrange(middle..<middle + 4_096, with: noise(4_096))
            case .everyPageOfNoise: result.replaceSubrange(4_096..<bytes.count, with: noise(bytes.count - 4_096))
            }
            return result
        }
    }

    @Test("A damaged file is set aside, and its new path is reported", arguments: Damage.allCases)
    func aDamagedFileIsSetAsideWithItsNameTold(damage: Damage) async throws {
        try await withTemporaryHistory { history in
            let damaged = damage.apply(to: try makeHistory(history))
            try history.write(damaged)
            let opening = try HistoryStore.open(at: history.path, now: now)
            #expect(opening.setAside == history.folder + "/" + Self.setAsideName)
            #expect(try history.bytes(of: Self.setAsideName) == damaged)
            #expect(try !opening.store.settings().isEnabled)
            #expect(try opening.store.counts().rows == [0, 0, 0, 0])
            try opening.store.setEnabled(true)
            #expect(try opening.store.record(.played("fresh"), now: now).isRecorded)
            try opening.store.close()
            #expect(try HistoryStore.open(at: history.path, now: now).setAside == nil)
        }
    }

    @Test("The write-ahead log is set aside with the file")

    func theLogGoesWithTheFile() async throws {
        try await withTemporaryHistory { history in
            _ = try makeHistory(history)
            let store = try history.open()
            try store.record(.played("In the log"), now: now)
            // The files after a process was killed. The log has only the last pages and cannot repair the others.
            let log = try history.bytes(of: "history.sqlite-wal")
            #expect(!log.isEmpty)
            try store.close()
            try history.write(Damage.everyPageOfNoise.apply(to: try history.bytes(of: "history.sqlite")))
            try history.write(log, to: "history.sqlite-wal")
            let opening = try HistoryStore.open(at: history.path, now: now)
            #expect(opening.setAside == history.folder + "/" + Self.setAsideName)
            let holding = try history.filesHolding("In the log")
            #expect(!holding.isEmpty && holding.allSatisfy { $0.hasPrefix(Self.setAsideName) })
            #expect(try opening.store.counts().donations == 0)
        }
    }

    /// Indexes are checked at opening only if a call met damage before.
    @Test("The next opening finds damage that a call ran into")
    func damageThatACallMetIsFoundByTheNextOpening() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("One"), now: now)
            try store.close()
            // The index on words: a record of a text of 18 bytes and the constant 1, which becomes NULL.
            // Source: "Database File Format", section 2.1, sqlite.org.
            var bytes = Data(try history.bytes(of: "history.sqlite"))
            let text = Data("org.example.Player".utf8)
            let entry = try #require(bytes.range(of: Data([3, UInt8(13 + 2 * text.count), 9]) + text))
            bytes[entry.lowerBound + 2] = 0
            try history.write(Array(bytes))

            let opening = try HistoryStore.open(at: history.path, now: now)
            #expect(opening.setAside == nil)
            let error = #expect(throws: HistoryError.self) { try opening.store.record(.played("Two"), now: now) }
            #expect(error?.code == .corrupt)
            try opening.store.close()
            #expect(try HistoryStore.open(at: history.path, now: now).setAside != nil)
        }
    }

    @Test("An emptied file with a log is set aside")
    func anEmptiedFileWithALogIsSetAside() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("In the log"), now: now)
            let log = try history.bytes(of: "history.sqlite-wal")
            try store.close()
            try history.write([])
            try history.write(log, to: "history.sqlite-wal")
            let opening = try HistoryStore.open(at: history.path, now: now)
            #expect(opening.setAside != nil)
            #expect(try history.bytes(of: Self.setAsideName + "-wal") == log)
        }
    }

    @Test("Files that were set aside are never overwritten")
    func asideNamesAreNeverOverwritten() async throws {
        try await withTemporaryHistory { history in
            for attempt in 1...3 {
                try history.write(Array("damage \(attempt)".utf8))
                let opening = try HistoryStore.open(at: history.path, now: now)
                let suffix = attempt == 1 ? "" : ".\(attempt)"
                #expect(opening.setAside == history.folder + "/" + Self.setAsideName + suffix)
                try opening.store.close()
            }
            #expect(try history.bytes(of: Self.setAsideName) == Array("damage 1".utf8))
        }
    }

    @Test("An empty file becomes a fresh history")

    func anEmptyFileIsAFreshHistory() async throws {
        try await withTemporaryHistory { history in
            try history.write([])
            let store = try history.open()
            #expect(try store.record(.played("x"), now: now).isRecorded)
        }
    }

    @Test("Opening for reading sets nothing aside")
    func readingOnlySetsNothingAside() async throws {
        try await withTemporaryHistory { history in
            let bytes = Damage.header.apply(to: try makeHistory(history))
            try history.write(bytes)
            let error = #expect(throws: HistoryError.self) { try HistoryStore.openReadOnly(at: history.path) }
            #expect(error?.code == .corrupt)
            #expect(try history.bytes(of: "history.sqlite") == bytes)
        }
    }

    /// The pages are consistent, but their content has another meaning.
    @Test("A changed table definition counts as damage")
    func aChangedDefinitionOfATableIsDamage() async throws {
        try await withTemporaryHistory { history in
            _ = try makeHistory(history)
            let queue = try DatabaseQueue(path: history.path)
            try await queue.write { db in
                try db.execute(
                    sql: """
                        PRAGMA writable_schema = ON;
                        UPDATE sqlite_master SET sql = replace(sql, 'text TEXT NOT NULL UNIQUE', 'text BLOB NOT NULL UNIQUE')
                            WHERE name = 'word';
                        """)
            }
            try queue.close()
            // Damage met in use leaves a mark, so that the next opening checks everything.
            try history.write([], to: "history.sqlite.damaged")
            let opening = try HistoryStore.open(at: history.path, now: now)
            #expect(opening.setAside != nil)
            try opening.store.setEnabled(true)
            #expect(try opening.store.record(.played("x"), now: now).isRecorded)
            try opening.store.close()
            try history.write([], to: "history.sqlite.damaged")
            let second = try HistoryStore.open(at: history.path, now: now)
            #expect(second.setAside == nil)
            #expect(try second.store.counts().donations == 1)
            try second.store.close()
        }
    }

    /// Single bytes changed anywhere: opening gives a usable store or one clear error, and never ends the process.
    @Test("Changed bytes give a usable store or one error")
    func anyChangedBytesGiveAUsableStoreOrOneError() async throws {
        try await withTemporaryHistory { history in
            let bytes = try makeHistory(history)
            var random = SplitMix64(seed: 5)
            for _ in 0..<60 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let anywhere = Bool.random(using: &random) ? bytes.count : 4_096
                    changed[Int.random(in: 0..<anywhere, using: &random)] = .random(in: 0...255, using: &random)
                }
                try history.write(changed)
                do {
                    let store = try HistoryStore.open(at: history.path, now: now).store
                    defer { try? store.close() }
                    try store.setEnabled(true)
                    try store.record(.played("x"), now: now)
                    try store.forEachDonation { _ in }
                } catch let error as HistoryError {
                    #expect([.corrupt, .notHistory, .newerVersion].contains(error.code), "\(error)")
                    if error.code == .corrupt {
                        #expect(try HistoryStore.open(at: history.path, now: now).setAside != nil, "\(error)")
                    }
                }
                try FileManager.default.removeItem(atPath: history.folder)
            }
        }
    }
}
