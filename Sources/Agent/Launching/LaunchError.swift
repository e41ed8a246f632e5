/// Why an app could not be opened.
struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. Open: codes may be added.
    struct Code: RawRepresentable, Hashable, Sendable {
        /// The word, in camel case.
        let rawValue: String
        /// No such app is installed.
        static let notInstalled = Code(rawValue: "notInstalled")
        /// The app's desktop entry cannot be carried out.
        static let unusableEntry = Code(rawValue: "unusableEntry")
        /// What was asked for breaks a limit or a rule.
        static let invalidRequest = Code(rawValue: "invalidRequest")
        /// It was tried and failed.
        static let failed = Code(rawValue: "failed")
    }

    /// What went wrong, for programs.
    let code: Code
    /// What went wrong and what to do, for people: one sentence.
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    var description: String { message }
}
