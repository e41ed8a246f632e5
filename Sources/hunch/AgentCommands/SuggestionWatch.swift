import AgentInterface
import HunchDBus
import HunchKit

/// Writes a line for each suggestion that comes, changes its state or goes, through restarts of the agent.
struct SuggestionWatch {
    private struct Change: Encodable {
        let id: String
        let state: String
    }

    let json: Bool

    /// Writes what is offered, then what changes, until the bus goes away.
    ///
    /// - Throws: ``CommandError`` when it has gone.
    func follow(_ agent: HunchAgent) async throws {
        if try await !agent.isRunning() {
            // Without either, it would never come.
            guard try await agent.isInstalled() else { throw DBusError(.serviceUnknown, "") }
        } else {
            // One that hangs is told at once, rather than taken for one that offers nothing.
            _ = try await agent.status()
        }
        var offered: Set<ObjectPath> = []
        for await event in try await agent.suggestionEvents() {
            switch event {
            case .available(let objects):
                // After a restart, or when signals were lost: what is not there any more has gone unseen.
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
        throw CommandError("the session bus has gone", ExitStatus.trouble)
    }

    /// Tells of a suggestion; returns false when the object is none.
    private func tell(_ path: ObjectPath, _ interfaces: ObjectInterfaces) throws -> Bool {
        guard let properties = interfaces[HunchNames.suggestion] else { return false }
        let suggestion = try OfferedSuggestion(path: path, properties: properties)
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
