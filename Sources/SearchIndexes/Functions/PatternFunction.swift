internal import GRDB
internal import Queries
internal import Synchronization

/// The SQL function `matches(value, pattern)`, where the pattern is the number of one of the query that runs.
enum PatternFunction {
    /// The patterns of the query that runs on this thread. SQL has no values of this type.
    @TaskLocal static var patterns: [Pattern] = []

    static var function: DatabaseFunction {
        DatabaseFunction("matches", argumentCount: 2, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]), let number = Int.fromDatabaseValue(values[1]),
                patterns.indices.contains(number)
            else { return false }
            return patterns[number].matches(text)
        }
    }
}
