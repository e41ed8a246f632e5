/// A fault in the structured data of a page.
public struct MarkupProblem: Hashable, Sendable {
    /// The line in the page, from 1.
    public let line: Int
    /// The code for programs.
    public let code: Code
    /// The fault in words.
    public let message: String

    /// The kinds of faults.
    public enum Code: String, Hashable, Sendable {
        /// JSON-LD that was repaired.
        case repaired
        /// JSON-LD that cannot be read.
        case notJSON
        /// A property with a value of another kind.
        case badValue
        /// Something that is left out because of a limit.
        case limit
        /// An item without a type, or a reference to nothing.
        case incomplete
    }
}
