import FoundationEssentials
import GRDB
import History
import HunchModel
import TestSupport

/// The agent's store, opened by the test.
struct StoreFile {
    let home: TemporaryHome

    var path: String { home.state + "/hunch/history.sqlite" }

    /// Returns the number of rows of each table.
    func counts() throws -> [String: Int] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(30)
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            var counts: [String: Int] = [:]
            for table in ["donation", "engagement", "resumePoint", "action", "mutedPair", "word"] {
                counts[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
            return counts
        }
    }

    /// Uses the store while the agent does.
    func use<Value>(_ body: (HistoryStore) throws -> Value) throws -> Value {
        let store = try HistoryStore.open(at: path, now: Date()).store
        do {
            let value = try body(store)
            try store.close()
            return value
        } catch {
            try? store.close()
            throw error
        }
    }

    /// Records a few plays of each app in the days before a date, and leaves Hunch disabled.
    func remember(plays apps: [AppID], before now: Date = Date()) throws {
        try use { store in
            try store.setEnabled(true)
            for day in 1...3 {
                for app in apps {
                    let date = now - Double(86_400 * day)
                    let play = Donation(
                        application: app, kind: .playMedia, parameters: ["item": "\(day)"], date: date,
                        context: Context())
                    guard try store.record(play, now: now).isRecorded else {
                        throw BenchError("\(play) was refused")
                    }
                }
            }
            try store.setEnabled(false)
        }
    }

    /// Returns the engagements, the oldest first.
    func outcomes() throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(30)
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            try String.fetchAll(db, sql: "SELECT outcome FROM engagement ORDER BY id")
        }
    }
}
