import Foundation
import HunchModel
import TestSupport
import Testing

@testable import History

/// Returns the files in the folder after everyone has closed the history.
@Suite("Closing the history") struct ClosingTests {
    let now = TemporaryHistory.now

    private func fill(_ store: HistoryStore) throws {
        try store.record((0..<2_000).map { .played("Title \($0)", identifier: "i\($0)") }, now: now)
        // This gives the store a read-only connection.
        #expect(try store.counts().donations >= 2_000)
    }

    @Test("Closing leaves no write-ahead log")
    func alone() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store)
            #expect(try history.bytes(of: "history.sqlite-wal").count > 100_000)
            try store.close()
            #expect(try history.files == ["history.sqlite", "history.sqlite.lock"])
            #expect(try history.filesHolding("Title 1999") == ["history.sqlite"])
        }
    }

    @Test("An idle connection of a command leaves an empty log")
    func besideAnotherConnection() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store)
            let command = try #require(try HistoryStore.openReadOnly(at: history.path))
            #expect(try command.counts().donations == 2_000)
            try store.close()
            #expect(try history.bytes(of: "history.sqlite-wal").isEmpty)
            #expect(try command.counts().donations == 2_000)
            try command.close()
        }
    }

    @Test("Closing does not wait for a reader; reopening folds the log")
    func besideAReader() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("Early"), now: now)
            let command = try #require(try HistoryStore.openReadOnly(at: history.path))
            try command.forEachDonation { _ in
                try fill(store)
                try store.close()
            }
            try command.close()
            let next = try history.open()
            #expect(try next.counts().donations == 2_001)
            try next.close()
            #expect(try !history.files.contains("history.sqlite-wal"))
        }
    }
}
