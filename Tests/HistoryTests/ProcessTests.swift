import Foundation
import Glibc
import GRDB
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import History

/// With a process of its own per writer: `HistoryProbe`.
@Suite struct ProcessTests {
    @Test func aKilledProcessLosesNoAcknowledgedRow() async throws {
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
                try opening.store.close()
            }
        }
    }

    @Test func withoutSpaceThereIsAnErrorAndWithSpaceItGoesOn() async throws {
        try await withTemporaryHistory { history in
            let result = try await run(try builtProduct("HistoryProbe"), ["run-out-of-space", history.path])
            let output = try result.output()
            let lines = output.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("failed inputOutput: ") && $0.contains("free space") } == 3, "\(output)")
            #expect(lines.last == "wrote after.", "\(output)")
            let written = Self.rows(in: output)
            #expect(written.count > 2)
            // Reading went on meanwhile, and saw what had been acknowledged then.
            #expect(lines.contains("counted \(written.count { $0.hasPrefix("full0") })"), "\(output)")
            try Self.expectIntact(try history.open(), holding: written)
        }
    }

    @Test func atTheGreatestNumberOfPagesTheDiskIsFull() async throws {
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

    @Test(arguments: [false, true])
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

    @Test func aReaderSeesWhatAnotherProcessWrites() async throws {
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

    private static func expectIntact(_ store: HistoryStore, holding acknowledged: Set<String>) throws {
        #expect(try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        var found: Set<String> = []
        try store.forEachDonation { found.insert($0.parameters["item"] ?? "") }
        #expect(acknowledged.subtracting(found) == [])
    }
}
