import AgentInterface
import HunchDBus
import HunchKit

/// A command's connection to the agent, on a loop of its own.
enum AgentSession {
    /// Connects, runs the body, and disconnects.
    ///
    /// - Throws: ``CommandError`` that says what is missing when there is no session bus or no agent.
    static func run<Result: Sendable>(_ body: @Sendable (HunchAgent) async throws -> Result) async throws -> Result {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        do {
            let agent = try await HunchAgent(on: loop)
            let result = try await body(agent)
            await agent.connection.close()
            return result
        } catch let error as DBusError {
            throw CommandError(agent: error)
        }
    }
}

extension HunchAgent {
    /// The only offered suggestion whose identifier begins with a text.
    ///
    /// - Throws: ``CommandError`` when there is none, or more than one.
    func identifier(beginningWith text: String) async throws -> String {
        guard !text.isEmpty else {
            throw CommandError(
                "give a suggestion; “hunch suggestions” names those that are offered", ExitStatus.badInput)
        }
        let fitting = try await suggestions().map(\.id).filter { $0.hasPrefix(text) }
        guard let identifier = fitting.first else {
            throw CommandError(
                "nothing that begins with “\(text)” is suggested now; “hunch suggestions” lists what is",
                ExitStatus.nothingFound)
        }
        guard fitting.count == 1 else {
            throw CommandError(
                "\(fitting.count) suggestions begin with “\(text)”; give more letters", ExitStatus.badInput)
        }
        return identifier
    }
}

extension CommandError {
    /// An error of the bus or of the agent, with what to do about it.
    init(agent error: DBusError) {
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner:
            self.init("the agent is not installed on this session bus; run “make install”", ExitStatus.trouble)
        case .noReply, .timedOut:
            self.init("the agent does not answer; see “journalctl --user -u hunchd”", ExitStatus.trouble)
        case .invalidInput, .invalidArgs:
            self.init(error.message, ExitStatus.badInput)
        case .notFound: self.init(error.message, ExitStatus.nothingFound)
        case .notOffered, .unknownObject:
            self.init("there is no such suggestion now; “hunch suggestions” lists them", ExitStatus.nothingFound)
        default:
            self.init(error.message.isEmpty ? error.name.rawValue : error.message, ExitStatus.trouble)
        }
    }
}
