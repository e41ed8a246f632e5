import CommandSupport
internal import Apps
internal import AgentInterface
import Directions
import History
import HunchDBus
import HunchKit
import HunchModel
import Localization

/// The apps that a person may name: installed ones, running ones, and ones in the history or the settings.
struct KnownApps {
    private static let scriptPrefix = "script:"

    private let environment: [String: String]
    private let installed: InstalledApps

    init(environment: [String: String]) {
        self.environment = environment
        installed = InstalledApps(environment: environment)
    }

    /// Returns a desktop identifier that a person gave if its app is known.
    ///
    /// - Parameters:
    ///   - mayBeScript: whether `script:NAME` is accepted.
    ///   - agent: the agent, which knows the running players.
    /// - Throws: ``CommandError`` for an unknown name, with the most similar one.
    func identifier(_ name: AppID, mayBeScript: Bool, agent: HunchAgent) async throws -> AppID {
        if mayBeScript, name.rawValue.hasPrefix(Self.scriptPrefix) { return name }
        if installed.file(of: name) != nil { return name }
        let recorded: Set<AppID>
        do {
            let store = try HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment))
            recorded = try store?.applications() ?? []
        } catch {
            // An unreadable history may contain it.
            return name
        }
        if recorded.contains(name) { return name }
        let running = try await Self.running(agent)
        if running.contains(name) { return name }
        let unknown = name.rawValue.cut(to: 60)
        let meant = nearest(to: name, among: recorded.union(running))
        throw CommandError(
            meant.map { localized("no app is called “%1”; did you mean %2?", unknown, $0) }
                ?? localized("no app is called “%1”; give the name of its desktop entry, as org.gnome.Maps", unknown),
            ExitStatus.badInput, code: "unknownApp")
    }

    /// Returns the running apps: players and apps with a bus connection.
    private static func running(_ agent: HunchAgent) async throws -> Set<AppID> {
        var running = Set(try await agent.players().map(\.application))
        for name in try await agent.connection.names() where name.text.hasPrefix(":") {
            // It may have disconnected meanwhile.
            if let application = try? await agent.connection.identity(of: name).application {
                running.insert(AppID(application))
            }
        }
        return running
    }

    /// Returns the app whose identifier, last part of it, or name is most similar to another.
    private func nearest(to wanted: AppID, among others: Set<AppID>) -> AppID? {
        let locales = DesktopEntry.localeNames(for: DesktopEntry.messageLocale(in: environment))
        var meant: [String: AppID] = [:]
        for id in Set(installed.identifiers).union(others).sorted() {
            for name in [
                id.rawValue, id.rawValue.split(separator: ".").last.map(String.init),
                installed.entry(id)?.name(locales: locales),
            ] {
                if let name, meant[name] == nil { meant[name] = id }
            }
        }
        return NearName.nearest(to: wanted.rawValue, among: meant.keys.sorted()).flatMap { meant[$0] }
    }
}
