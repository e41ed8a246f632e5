package import AgentInterface
import EventLoops
import FoundationEssentials
package import HunchDBus
package import HunchKit
import HunchModel
import Localization

/// A command's connection to the agent, on its own event loop.
package enum AgentSession {
    /// Connects, runs the body and disconnects.
    ///
    /// - Throws: ``CommandError`` that says what is missing if there is no session bus or no agent.
    package static func run<Result: Sendable>(_ body: @Sendable (HunchAgent) async throws -> Result) async throws
        -> Result
    {
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
    /// Checks that the agent runs, without starting it: a new agent would not know the answer.
    ///
    /// - Parameter fault: the message if it does not run.
    /// - Throws: ``CommandError`` if it does not run; `DBusError` `…ServiceUnknown` if it is not installed.
    package func requireRunning(orElse fault: String? = nil) async throws {
        // Just after its start, it makes the suggestions again that stood before. Its status waits for that.
        guard try await !isRunning() else {
            _ = try await status()
            return
        }
        guard try await isInstalled() else { throw DBusError(.serviceUnknown, "") }
        throw CommandError(
            fault ?? localized("the agent is not running, so nothing is suggested now; “hunch enable” starts it"),
            ExitStatus.nothingFound, code: "notRunning")
    }

    /// Returns one sentence that explains, from the agent's status, why nothing is suggested.
    ///
    /// - Parameter advice: the advice if Hunch itself works, instead of the current holds.
    package func reasonForNothing(_ what: String, orElse advice: String? = nil) async throws -> String {
        if let reason = try await reasonForNotWatching() { return reason }
        let status = try await status()
        if let part = status.parts.first(where: { $0.state == "starting" }) {
            return localized("%1, and Hunch is still looking at %2; ask again in a moment", what, part.title)
        }
        if let audio = status.part("audio"), audio.level == .limited {
            return localized(
                "%1; headphones are not noticed, since the audio server is %2 (“hunch doctor” says what helps)", what,
                audio.text)
        }
        if let advice { return "\(what); \(advice)" }
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        let reasons = (status.holds ?? []).map { $0.withRemedy(&apps) }
        return reasons.isEmpty ? what : "\(what): \(reasons.joined(separator: "; "))"
    }

    /// Throws if Hunch is off or paused.
    ///
    /// - Throws: ``CommandError``.
    package func requireEnabled() async throws {
        let status = try await status()
        guard status.isEnabled else {
            throw CommandError(Self.isOff, ExitStatus.nothingFound, code: "off")
        }
        if status.isPaused {
            throw CommandError(Self.isPaused, ExitStatus.nothingFound, code: "paused")
        }
    }

    /// Returns one sentence about why nothing is watched; `nil` if devices are.
    package func reasonForNotWatching() async throws -> String? {
        let status = try await status()
        return !status.isEnabled ? Self.isOff : status.isPaused ? Self.isPaused : nil
    }

    private static let isPaused = localized("Hunch is paused; “hunch unpause” ends that")
    private static let isOff = localized("Hunch is off; “hunch enable” switches it on")

    /// Returns the only current suggestion whose identifier begins with a text.
    ///
    /// - Parameter text: `nil` for the newest suggestion that Hunch made by itself, or the first one of several that were made at
    ///   once, which is on the notification of all.
    /// - Throws: ``CommandError`` if there is none, or more than one.
    package func suggestion(beginningWith text: String?) async throws -> OfferedSuggestion {
        try await requireRunning()
        let offered = try await suggestions()
        guard let text else {
            let own = offered.filter { !$0.isRequested }
            let newest = own.map(\.offered).max() ?? 0
            let together = own.filter { newest - $0.offered < Self.momentMicroseconds }
            if let first = together.min(by: { $0.offered < $1.offered }) { return first }
            throw CommandError(
                try await reasonForNothing(localized("nothing is suggested now")), ExitStatus.nothingFound)
        }
        let nothing = localized(
            "nothing that begins with “%1” is suggested now; “hunch suggestions” lists what is", text)
        let identifier = try NearName.only(
            beginningWith: text, among: offered.map(\.id),
            several: { localized("%1 suggestions begin with “%2”; give more letters", $0, text) }, elsewise: nothing)
        guard let suggestion = offered.first(where: { $0.id == identifier }) else {
            throw CommandError(nothing, ExitStatus.nothingFound)
        }
        return suggestion
    }

    /// The time in which suggestions of one moment are made.
    private static let momentMicroseconds: UInt64 = 1_000_000
}

extension CommandError {
    /// Describes an error of the bus or the agent, with advice.
    package init(agent error: DBusError) {
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner:
            self.init(
                localized("the agent is not installed on this session bus; run “make install”"),
                ExitStatus.systemFailure,
                code: "notInstalled")
        case .noReply, .timedOut:
            self.init(
                localized("the agent does not answer; “hunch doctor” says what helps"), ExitStatus.systemFailure,
                code: "noAnswer")
        case .invalidInput, .invalidArgs:
            self.init(error.message, ExitStatus.badInput)
        case .notFound: self.init(error.message, ExitStatus.nothingFound)
        case .notOffered, .unknownObject:
            self.init(
                localized("there is no such suggestion now; “hunch suggestions” lists them"), ExitStatus.nothingFound)
        case .actionFailed:
            self.init(error.message, ExitStatus.systemFailure, code: "actionFailed")
        default:
            self.init(error.message.isEmpty ? error.name.rawValue : error.message, ExitStatus.systemFailure)
        }
    }
}
