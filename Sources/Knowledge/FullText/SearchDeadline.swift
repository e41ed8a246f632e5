package import GRDB
internal import GRDBSQLite

/// The time limit of a search, which ends SQLite's work after it.
package enum SearchDeadline {
    /// The instant after which the search that runs ends; `nil` for never.
    @TaskLocal package static var instant: ContinuousClock.Instant?

    package static var hasPassed: Bool { instant.map { ContinuousClock.now > $0 } ?? false }

    /// Lets SQLite ask after each 10,000 steps of its virtual machine.
    package static func add(to db: Database) {
        sqlite3_progress_handler(db.sqliteConnection, 10_000, { _ in SearchDeadline.hasPassed ? 1 : 0 }, nil)
    }
}
