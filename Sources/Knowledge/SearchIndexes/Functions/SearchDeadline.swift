internal import GRDB
internal import GRDBSQLite

/// The time limit of a search, which ends SQLite's work after it.
enum SearchDeadline {
    /// The instant after which the search that runs ends; `nil` for never.
    @TaskLocal static var instant: ContinuousClock.Instant?

    static var hasPassed: Bool { instant.map { ContinuousClock.now > $0 } ?? false }

    /// Lets SQLite ask after each 10,000 steps of its virtual machine.
    static func add(to db: Database) {
        sqlite3_progress_handler(db.sqliteConnection, 10_000, { _ in SearchDeadline.hasPassed ? 1 : 0 }, nil)
    }
}
