import Foundation
import Glibc
import GRDB
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import History

/// Tests with several processes that write; see `HistoryProbe`.
@Suite(.timeLimit(.minutes(15))) struct ProcessTests {
    @Test("A killed process loses no acknowledged row")
    func aKilledProcessLosesNoAcknowledgedRow() async throws {
        try await withTemporaryHistory { history in
            var random = SplitMix64(seed: 20)
            var acknowledged: Set<String> = []
            for round in 0..<30 {
                let name = "r\(round)"
                let enough = Int.random(in: 0..<150, using: &random)
                let arguments = ["write-for-ever", history.path, name]
                let lines = try await withDaemon(builtProduct("HistoryProbe"), arguments) { probe in
                    try await probe.waitForLine(containing: "wrote \(name)-\(enough).")
                    probe.signal(SIGKILL)
                    #expect(try await probe.waitForExit() == .signalled(SIGKILL))
                    return probe.output
                }
                let new = Self.rows(in: lines)
                #expect(new.count > enough)
                acknowledged.formUnion(new)
                let opening = try HistoryStore.open(at: history.path, now: Date())
                #expect(opening.setAside == nil)
                try Self.expectIntact(opening.store, holding: acknowledged)
                try Self.expectListed(opening.store, after: lines, of: name)
                try opening.store.close()
            }
        }
    }

    @Test("A full disk gives an error, and freed space ends it")

    func withoutSpaceThereIsAnErrorAndWithSpaceItGoesOn() async throws {
        try await withTemporaryHistory { history in
            let result = try await run(try builtProduct("HistoryProbe"), ["run-out-of-space", history.path])
            let output = try result.output()
            let lines = output.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("failed inputOutput: ") && $0.contains("free space") } == 3, "\(output)")
            #expect(lines.last == "wrote after.", "\(output)")
            let written = Self.rows(in: output)
            #expect(written.count > 2)
            // Meanwhile, readers saw all rows acknowledged before.
            #expect(lines.contains("counted \(written.count { $0.hasPrefix("full0") })"), "\(output)")
            try Self.expectIntact(try history.open(), holding: written)
        }
    }

    @Test("Reaching the page limit reports a full disk")
    func atTheGreatestNumberOfPagesTheDiskIsFull() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("before"), now: TemporaryHistory.now)
            let unlimited = try store.alone { db in
                let unlimited = try Int.fetchOne(db, sql: "PRAGMA max_page_count")
                try db.execute(sql: "PRAGMA max_page_count = 1")  // never less than there are
                return try #require(unlimited)
            }
            let batch = (0..<1_000).map { Donation.played("Episode \($0)") }
            for _ in 0..<3 {
                let error = #expect(throws: HistoryError.self) { try store.record(batch, now: TemporaryHistory.now) }
                #expect(error?.code == .diskFull)
                #expect(try store.donations(limit: 10) == [.played("before")])
            }
            try store.alone { try $0.execute(sql: "PRAGMA max_page_count = \(unlimited)") }
            let outcomes = try store.record(batch, now: TemporaryHistory.now)
            #expect(outcomes.count { $0.isRecorded } == batch.count)
            #expect(try store.counts().donations == 1_001)
        }
    }

    @Test("Two processes write the same file at once", arguments: [false, true])
    func twoProcessesAtOnceWriteTheSameFile(damaged: Bool) async throws {
        try await withTemporaryHistory { history in
            if damaged { try history.write(Array(repeating: 7, count: 10_000)) }
            let probe = try builtProduct("HistoryProbe")
            async let one = run(probe, ["write-some", history.path, "one", "150"])
            async let two = run(probe, ["write-some", history.path, "two", "150"])
            let outputs = try await [one.output(), two.output()]
            let written = Set(outputs.flatMap(Self.rows))
            #expect(written.count == 300)
            #expect(outputs.joined().split(separator: "\n").count { $0.hasPrefix("set aside") } == (damaged ? 1 : 0))
            try Self.expectIntact(try history.open(), holding: written)
        }
    }

    @Test("A reader sees what another process writes")

    func aReaderSeesWhatAnotherProcessWrites() async throws {
        try await withTemporaryHistory { history in
            try await withDaemon(
                Command(
                    try builtProduct("HistoryProbe"), ["write-for-ever", history.path, "w"],
                    ready: .line(containing: "wrote w-30."))
            ) { _ in
                let reader = try #require(try HistoryStore.openReadOnly(at: history.path))
                #expect(try reader.counts().donations > 30)
                try reader.close()
            }
        }
    }

    /// The names of the rows that a probe acknowledged.
    private static func rows(in output: String) -> Set<String> {
        Set(
            output.split(separator: "\n").filter { $0.hasPrefix("wrote ") && $0.hasSuffix(".") }
                .map { String($0.dropFirst(6).dropLast()) })
    }

    /// The last announcement of the killed probe is complete, or the one before. Deleted rows stay deleted.
    private static func expectListed(_ store: HistoryStore, after output: String, of name: String) throws {
        func last(_ word: String) -> Int? {
            output.split(separator: "\n").last { $0.hasPrefix(word) && $0.hasSuffix(".") }
                .flatMap { Int($0.dropFirst(word.count).dropLast()) }
        }
        if let announced = last("announced ") {
            let list = try #require(try store.announcements(in: .upcoming)["org.example.Player"])
            #expect(list.map(\.title) == ["part 0", "part 1", "part 2"] && Set(list.map(\.item)).count == 1)
            let number = list.first.flatMap { $0.item.split(separator: "-").last }.flatMap { Int($0) }
            #expect(list[0].item.hasPrefix("\(name)-") && (number ?? -1) >= announced, "\(list), \(announced)")
        }
        guard let takenBack = last("took back ") else { return }
        var mistakes: [Int] = []
        try store.forEachDonation {
            if $0.identifier == "mistake" { mistakes += [Int($0.parameters["item"]?.dropFirst(8) ?? "") ?? -1] }
        }
        #expect(mistakes.allSatisfy { $0 > takenBack }, "\(mistakes), \(takenBack)")
    }

    private static func expectIntact(_ store: HistoryStore, holding acknowledged: Set<String>) throws {
        #expect(try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        var found: Set<String> = []
        try store.forEachDonation { found.insert($0.parameters["item"] ?? "") }
        #expect(acknowledged.subtracting(found) == [])
    }
}
