internal import AgentInterface

/// The result of one check of `hunch doctor`.
struct Finding: Encodable, Hashable, Sendable {
    /// The state of a check or a requirement.
    enum State: String, Encodable, Sendable {
        /// It works.
        case ok
        /// Switched off, not allowed or empty, without a fault.
        case off
        /// It works with limits.
        case limited
        /// Media or directions do not work.
        case missing

        /// The mark at the start of the line.
        var mark: String {
            switch self {
            case .ok: "✓"
            case .off: "–"
            case .limited: "•"
            case .missing: "✗"
            }
        }
    }

    let check: String
    /// The subject in words.
    let subject: String
    let state: State
    let message: String
    /// The shell command that helps.
    let remedy: String?
    /// The repair that `hunch doctor --fix` offers. Its command is the remedy.
    let fix: Fix?

    /// Creates a result with a remedy that only the user can carry out.
    init(_ check: String, _ subject: String, _ state: State, _ message: String, remedy: String? = nil) {
        self.check = check
        self.subject = subject
        self.state = state
        self.message = message
        self.remedy = remedy
        fix = nil
    }

    /// Creates a result with a repair.
    init(_ check: String, _ subject: String, _ state: State, _ message: String, fix: Fix) {
        self.check = check
        self.subject = subject
        self.state = state
        self.message = message
        remedy = fix.command
        self.fix = fix
    }

    private enum Key: CodingKey { case check, subject, state, message, remedy, fixable }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(check, forKey: .check)
        try container.encode(subject, forKey: .subject)
        try container.encode(state, forKey: .state)
        try container.encode(message, forKey: .message)
        try container.encode(remedy, forKey: .remedy)
        try container.encode(fix != nil, forKey: .fixable)
    }
}

extension Finding {
    /// Creates the result of a check that the agent makes.
    init(_ report: PartReport) {
        let state: State =
            switch report.level {
            case .ok: .ok
            case .off: .off
            case .limited: .limited
            }
        self.init(report.id, report.title, state, report.text, remedy: report.remedy)
    }
}
