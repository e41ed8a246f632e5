import Directions
import History
import HunchDBus
import HunchKit
import HunchModel

/// The apps that a person may mean: those that are installed, that run, and of which anything is recorded or set.
struct KnownApps {
    private static let scriptPrefix = "script:"

    private let environment: [String: String]
    private let installed: InstalledApplications

    init(environment: [String: String]) {
        self.environment = environment
        installed = InstalledApplications(environment: environment)
    }

    /// The desktop identifier that a name means, without `.desktop`.
    ///
    /// - Parameters:
    ///   - mayBeScript: whether `script:NAME` may stand for a script, whatever its name.
    ///   - agent: knows what runs.
    /// - Throws: ``CommandError`` for the name of no app, with the one that is most like it.
    func identifier(_ name: String, mayBeScript: Bool, agent: HunchAgent) async throws -> String {
        let name = name.hasSuffix(".desktop") ? String(name.dropLast(".desktop".count)) : name
        if mayBeScript, name.hasPrefix(Self.scriptPrefix) { return name }
        if installed.file(of: name) != nil { return name }
        let recorded: Set<String>
        do {
            let store = try HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment))
            recorded = try store?.applications() ?? []
        } catch {
            // What cannot be read may know it.
            return name
        }
        if recorded.contains(name) { return name }
        let running = try await Self.running(agent)
        if running.contains(name) { return name }
        let meant = nearest(to: name, among: recorded.union(running)).map { "did you mean \($0)?" }
        throw CommandError(
            "no app is called “\(name.cut(to: 60))”; \(meant ?? "give the name of its desktop entry, as org.gnome.Maps")",
            ExitStatus.badInput, code: "unknownApp")
    }

    /// What runs: players, and whatever has a connection to the bus.
    private static func running(_ agent: HunchAgent) async throws -> Set<String> {
        var running = Set(try await agent.players().compactMap { try $0.value("application", as: String.self) })
        for name in try await agent.connection.names() where name.text.hasPrefix(":") {
            // It may have gone meanwhile.
            if let application = try? await agent.connection.identity(of: name).application {
                running.insert(application)
            }
        }
        return running
    }

    /// The app whose identifier, its last part, or name for people is most like a text.
    private func nearest(to text: String, among others: Set<String>) -> String? {
        let locales = DesktopEntry.localeNames(for: DesktopEntry.messageLocale(in: environment))
        var meant: [String: String] = [:]
        for id in Set(installed.identifiers).union(others).sorted() {
            for name in [
                id, id.split(separator: ".").last.map(String.init), installed.entry(id)?.name(locales: locales),
            ] {
                if let name, meant[name] == nil { meant[name] = id }
            }
        }
        return NearName.nearest(to: text, among: meant.keys.sorted()).flatMap { meant[$0] }
    }
}
