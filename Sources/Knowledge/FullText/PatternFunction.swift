package import GRDB
package import Queries
internal import Synchronization

/// The SQL function `matches(value, pattern)`. The pattern is its number in the query that runs.
package enum PatternFunction {
    /// The patterns of the query that runs on this thread. SQL has no values of this type.
    @TaskLocal package static var patterns: [Pattern] = []

    package static var function: DatabaseFunction {
        DatabaseFunction("matches", argumentCount: 2, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]), let number = Int.fromDatabaseValue(values[1]),
                patterns.indices.contains(number)
            else { return false }
            // A text may be long.
            if SearchDeadline.hasPassed { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
            return patterns[number].matches(text)
        }
    }
}
