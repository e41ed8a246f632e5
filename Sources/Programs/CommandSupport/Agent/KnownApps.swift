import Apps
import AgentInterface
import Directions
import History
import HunchDBus
package import HunchKit
package import HunchModel
import Localization
import SearchIndexes

/// The apps that a user may name: installed ones, running ones, and ones in the history or the settings.
package struct KnownApps {
    private static let scriptPrefix = "script:"

    private let environment: [String: String]
    private let installed: InstalledApps

    package init(environment: [String: String]) {
        self.environment = environment
        installed = InstalledApps(environment: environment)
    }

    /// Returns the desktop identifier of an app that a user named by it, or by the app's name.
    ///
    /// - Parameters:
    ///   - mayBeScript: whether `script:NAME` is accepted.
    ///   - agent: the agent, which knows the running players.
    /// - Throws: ``CommandError`` for an unknown name, with the most similar one.
    package func identifier(_ name: AppID, mayBeScript: Bool, agent: HunchAgent) async throws -> AppID {
        if mayBeScript, name.rawValue.hasPrefix(Self.scriptPrefix) { return name }
        if installed.file(of: name) != nil { return name }
        var (known, faults) = recorded()
        if let app = try named(name, among: known) { return app }
        let players = try await Self.players(agent)
        known.formUnion(try await Self.connected(agent).union(players.keys))
        if let app = try named(name, among: known, players: players) { return app }
        throw CommandError(
            ([fault(name, among: known)] + faults).joined(separator: "; "), ExitStatus.badInput, code: "unknownApp")
    }

    /// Returns the apps and scripts of the history and the search index, and for each of the two that cannot be read, why.
    package func recorded() -> (apps: Set<AppID>, faults: [String]) {
        var apps: Set<AppID> = []
        var faults: [String] = []
        for read in [inHistory, inIndex] {
            do { apps.formUnion(try read()) } catch { faults.append(CommandError(error).message ?? "\(error)") }
        }
        return (apps, faults)
    }

    private func inHistory() throws -> Set<AppID> {
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let store = try HistoryStore.openReadOnly(at: path) else { return [] }
        // An open reader would delay the overwriting of what is forgotten.
        defer { try? store.close() }
        return try store.applications().union(store.allowedScripts().map { AppID(Self.scriptPrefix + $0) })
    }

    private func inIndex() throws -> Set<AppID> {
        guard let index = try IndexAccess.reader() else { return [] }
        defer { index.close() }
        return Set(try index.sources().map(\.source.application))
    }

    /// Returns the app with an identifier, or the only one with a name, ignoring case; `nil` if there is none. A script
    /// may be named without `script:`.
    ///
    /// - Parameters:
    ///   - others: apps that need not be installed. Of several apps with the name, one of these is meant.
    ///   - players: the names of running players, which need no desktop entry.
    /// - Throws: ``CommandError`` if several apps have the name.
    package func named(_ text: AppID, among others: Set<AppID>, players: [AppID: String] = [:]) throws -> AppID? {
        let entry = AppID(entryName: text.rawValue)
        if let exact = [text, entry].first(where: { others.contains($0) || installed.file(of: $0) != nil }) {
            return exact
        }
        var names = AppNames(environment: environment)
        let wanted = text.rawValue.lowercased()
        let apps = others.union(installed.identifiers).union(names.routingNames.keys)
        let found = apps.sorted().filter { app in
            [app.rawValue, names.name(of: app), players[app]].compactMap(\.self).contains {
                let name = $0.lowercased()
                return name == wanted || name == Self.scriptPrefix + wanted
            }
        }
        let recorded = found.filter(others.contains)
        // An app may have several entries of its name, for the types of files that it opens.
        let main = found.filter { $0.rawValue.split(separator: ".").last?.lowercased() == wanted }
        guard let app = recorded.first ?? (main.count == 1 ? main.first : nil) ?? found.first else { return nil }
        guard recorded.count == 1 || recorded.isEmpty && (found.count == 1 || main.count == 1) else {
            let identifiers = found.map(\.rawValue).joined(separator: ", ")
            throw CommandError(
                localized("several apps are called “%1”: name one of %2", text, identifiers), ExitStatus.badInput)
        }
        return app
    }

    /// Returns the message for an unknown name, with the most similar one.
    package func fault(_ name: AppID, among known: Set<AppID>) -> String {
        let unknown = name.rawValue.cut(to: 60)
        return nearest(to: name, among: known).map {
            localized("no app is called “%1”; did you mean %2?", unknown, $0)
        } ?? localized("no app is called “%1”; give the name of its desktop entry, as org.gnome.Maps", unknown)
    }

    /// Returns the apps of the running players with their names for people.
    package static func players(_ agent: HunchAgent) async throws -> [AppID: String] {
        Dictionary(try await agent.players().map { ($0.application, $0.identity) }) { first, _ in first }
    }

    /// Returns the apps with a bus connection.
    private static func connected(_ agent: HunchAgent) async throws -> Set<AppID> {
        var running: Set<AppID> = []
        for name in try await agent.connection.names() where name.text.hasPrefix(":") {
            // It may have disconnected meanwhile.
            if let application = try? await agent.connection.identity(of: name).application {
                running.insert(AppID(application))
            }
        }
        return running
    }

    /// Returns the installed or other app whose identifier, last part of it, or name is most similar to another.
    private func nearest(to wanted: AppID, among others: Set<AppID>) -> AppID? {
        var names = AppNames(environment: environment)
        var meant: [String: AppID] = [:]
        for id in others.union(installed.identifiers).union(names.routingNames.keys).sorted() {
            for name in [id.rawValue, id.rawValue.split(separator: ".").last.map(String.init), names.name(of: id)] {
                if let name, meant[name] == nil { meant[name] = id }
            }
        }
        return NearName.nearest(to: wanted.rawValue, among: meant.keys.sorted()).flatMap { meant[$0] }
    }
}
