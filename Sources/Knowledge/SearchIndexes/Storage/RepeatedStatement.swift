internal import GRDB
internal import GRDBSQLite

/// A statement that changes data and is executed for each of many items.
///
/// GRDB's arguments, which are arrays and dictionaries of values, would take a tenth of the time of an import.
struct RepeatedStatement {
    /// The values of a statement, in order.
    struct Values {
        fileprivate let statement: Statement
        private var count: CInt = 0

        fileprivate init(_ statement: Statement) { self.statement = statement }

        /// Sets the next value.
        mutating func add(_ value: some StatementBinding) throws {
            count += 1
            guard value.bind(to: statement.sqliteStatement, at: count) == SQLITE_OK else {
                throw RepeatedStatement.error(statement)
            }
        }
    }

    private let statement: Statement

    init(_ sql: String, _ db: Database) throws { statement = try db.cachedStatement(sql: sql) }

    /// Executes the statement with the values that `body` adds.
    func execute(_ body: (inout Values) throws -> Void) throws {
        defer {
            sqlite3_reset(statement.sqliteStatement)
            sqlite3_clear_bindings(statement.sqliteStatement)
        }
        var values = Values(statement)
        try body(&values)
        guard sqlite3_step(statement.sqliteStatement) == SQLITE_DONE else { throw Self.error(statement) }
    }

    private static func error(_ statement: Statement) -> DatabaseError {
        let db = sqlite3_db_handle(statement.sqliteStatement)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db)),
            message: String(cString: sqlite3_errmsg(db)),
            sql: statement.sql)
    }
}
