import CommandSupport
import AgentInterface
import HunchDBus
import HunchKit
import Localization

/// Writes a line for each suggestion that appears, changes its state or disappears, across restarts of the agent.
struct SuggestionWatch {
    private struct Change: Encodable {
        let id: String
        let state: String
    }

    let json: Bool
    /// Whether to write also what was requested.
    let all: Bool

    /// Writes the current suggestions, then the changes, until the bus disconnects.
    ///
    /// - Throws: ``CommandError`` if it has disconnected.
    func follow(_ agent: HunchAgent) async throws {
        if try await !agent.isRunning() {
            // Without the agent's files, no agent would ever appear.
            guard try await agent.isInstalled() else { throw DBusError(.serviceUnknown, "") }
        } else {
            // Report an agent that hangs, rather than wait for its suggestions.
            _ = try await agent.status()
        }
        var offered: Set<ObjectPath> = []
        for await event in try await agent.suggestionEvents() {
            switch event {
            case .available(let objects):
                // After a restart or lost signals, report the suggestions that disappeared meanwhile.
                for path in offered.subtracting(objects.keys).sorted() { try tellGone(path) }
                offered = []
                for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
                    if try tell(path, interfaces) { offered.insert(path) }
                }
            case .added(let path, let interfaces):
                if try tell(path, interfaces) { offered.insert(path) }
            case .changed(let path, HunchNames.suggestion, let properties, _):
                guard offered.contains(path), let state: String = try properties.value("State") else { continue }
                try tell(state, of: path)
            case .changed: continue
            case .removed(let path, _):
                if offered.remove(path) != nil { try tellGone(path) }
            case .unavailable:
                for path in offered.sorted() { try tellGone(path) }
                offered = []
            }
        }
        throw CommandError(localized("the session bus has gone"), ExitStatus.systemFailure)
    }

    /// Writes a suggestion. Returns false if the object is not one, or is left out.
    private func tell(_ path: ObjectPath, _ interfaces: ObjectInterfaces) throws -> Bool {
        guard let properties = interfaces[HunchNames.suggestion] else { return false }
        let suggestion = try OfferedSuggestion(path: path, properties: properties)
        guard all || !suggestion.isRequested else { return false }
        try Output.line(
            json
                ? Output.json(SuggestionFields(suggestion))
                : "+ \(suggestion.id)\t\(suggestion.state)\t\(Output.plain(suggestion.title))")
        return true
    }

    private func tell(_ state: String, of path: ObjectPath) throws {
        let id = path.lastElement
        try Output.line(json ? Output.json(Change(id: id, state: state)) : "= \(id)\t\(Output.plain(state))")
    }

    private func tellGone(_ path: ObjectPath) throws {
        let id = path.lastElement
        try Output.line(json ? Output.json(Change(id: id, state: "gone")) : "- \(id)")
    }
}
