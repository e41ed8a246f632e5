internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel

/// Follows what the person told the desktop about being remembered, and has the store record nothing when it says so.
///
/// - GNOME's `org.gnome.desktop.privacy`, through the Settings portal, whose backend for GTK exposes it; changes come as
///   its signal `SettingChanged`.
/// - KDE's “Recent Files: do not remember”, which kactivitymanagerd reads from its settings file and tells nobody on the
///   bus; that the file has changed is told by the signal of KConfig.
///
/// Nothing is asked twice without a reason, and a desktop that has neither has nothing against it.
actor DesktopPrivacy {
    private static let portal: BusName = "org.freedesktop.portal.Desktop"
    private static let portalPath: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let settings: InterfaceName = "org.freedesktop.portal.Settings"
    private static let namespace = "org.gnome.desktop.privacy"
    private static let keys = ["remember-app-usage", "remember-recent-files"]
    private static let activities = "kactivitymanagerd-pluginsrc"
    /// The least time between two looks at KDE's settings file.
    private static let pauseBetweenLooks = Duration.milliseconds(500)

    private let configuration: AgentConfiguration
    private let loop: EventLoop
    private let bus: Connection
    private let history: HistoryKeeper
    private var isAsking = false
    private var forbidding: Set<String> = []
    private var kdeRemembers = true
    /// Whose first word is still to come.
    private var unheard: Set<Source> = []

    private enum Source { case portal, activities }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(configuration: AgentConfiguration, loop: EventLoop, bus: Connection, history: HistoryKeeper) {
        self.configuration = configuration
        self.loop = loop
        self.bus = bus
        self.history = history
    }

    /// Follows the settings until cancelled. Lets those pass who wait for the desktop's word, once it is there.
    func run(note: @escaping @Sendable (String) async -> Void) async {
        unheard = [.portal, .activities]
        tell()
        defer { history.desktopWord.open() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                do { try await followPortal(note) } catch is CancellationError {} catch {
                    await note("the desktop's privacy settings are not followed: \(error)")
                }
                await heard(.portal)
            }
            group.addTask { [self] in
                do { try await followActivities() } catch is CancellationError {} catch {
                    await note("KDE's privacy settings are not followed: \(error)")
                }
                await heard(.activities)
            }
        }
    }

    private func heard(_ source: Source) {
        guard unheard.remove(source) != nil, unheard.isEmpty else { return }
        tell()
        history.desktopWord.open()
    }

    private func tell() {
        if isAsking || !unheard.isEmpty {
            history.withhold(because: HistoryKeeper.unheard)
        } else if let key = Self.keys.first(where: forbidding.contains) {
            history.withhold(because: "GNOME's privacy setting “\(key)” is off")
        } else if !kdeRemembers {
            history.withhold(because: "KDE is set not to remember what is opened")
        } else {
            history.withhold(because: nil)
        }
    }

    // MARK: GNOME

    private func followPortal(_ note: @Sendable (String) async -> Void) async throws {
        let signals = try await bus.signals([
            MatchRule(
                sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: Self.portal.text),
            MatchRule(
                sender: Self.portal, path: Self.portalPath, interface: Self.settings, member: "SettingChanged",
                argument0: Self.namespace),
        ])
        // One that is not running yet is started: else its word would come only after something was recorded.
        var isThere = try await bus.owner(of: Self.portal) != nil
        if !isThere { isThere = try await bus.activatableNames().contains(Self.portal) }
        if isThere { await readPortal(note) }
        heard(.portal)
        for await event in signals {
            guard case .signal(let message) = event else {
                await readPortal(note)
                continue
            }
            if message.member == "NameOwnerChanged" {
                // One that goes takes nothing back of what it said.
                if let (_, _, owner) = try? message.arguments(String.self, String.self, String.self), !owner.isEmpty {
                    await readPortal(note)
                }
            } else if let (_, key, value) = try? message.arguments(String.self, String.self, Value.self) {
                take(key, value)
                tell()
            }
        }
    }

    private func readPortal(_ note: @Sendable (String) async -> Void) async {
        isAsking = true
        tell()
        defer {
            isAsking = false
            tell()
        }
        do {
            let all: [String: VariantMap] = try await bus.call(
                Self.portal, Self.portalPath, Self.settings, "ReadAll", [Self.namespace],
                timeout: configuration.desktopWordTime)
            forbidding = []
            for (key, value) in all[Self.namespace] ?? [:] { take(key, value) }
        } catch let error as DBusError {
            // Nobody there, or nobody who knows of settings, is no trouble.
            guard [.noReply, .timedOut].contains(error.name) else { return }
            await note(
                "the desktop's portal does not return its privacy settings; see “systemctl --user status xdg-desktop-portal”"
            )
        } catch {}
    }

    private func take(_ key: String, _ value: Value) {
        guard Self.keys.contains(key), case .boolean(let remembers) = value.unwrapped else { return }
        if remembers { forbidding.remove(key) } else { forbidding.insert(key) }
    }

    // MARK: KDE

    private func followActivities() async throws {
        // KConfig names the object by the file, with underscores for what no path may have.
        let path = try ObjectPath("/" + Self.activities.replacing("-", with: "_"))
        let rule = MatchRule(path: path, interface: "org.kde.kconfig.notify", member: "ConfigChanged")
        // What comes during the pause is not even received, so that a flood costs one look at the file.
        while try await lookAtActivities(until: rule) { try await loop.sleep(for: Self.pauseBetweenLooks) }
    }

    /// Reads KDE's settings, and waits until they may have changed. Returns false at the end of the connection.
    ///
    /// - Parameter rule: names no sender. Any program may change the settings, and all that its signal does is to have the file
    ///   read again.
    private func lookAtActivities(until rule: MatchRule) async throws -> Bool {
        let signals = try await bus.signals([rule], capacity: 1)
        try await readActivities()
        heard(.activities)
        return await signals.first { _ in true } != nil
    }

    private func readActivities() async throws {
        guard let folder = configuration.directories.configHome else { return }
        let file = folder + "/" + Self.activities
        let word = try await history.blocking { () -> String? in
            // No file: it was never set.
            guard let data = FileManager.default.contents(atPath: file), data.count <= DesktopEntry.maximumSize else {
                return nil
            }
            let settings = try? DesktopEntry(id: Self.activities, text: String(decoding: data, as: UTF8.self))
            return settings?.raw("what-to-remember", in: "Plugin-org.kde.ActivityManager.Resources.Scoring")
        }
        // 0 all applications, 1 some, 2 none.
        kdeRemembers = word != "2"
        tell()
    }
}
