internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning

/// Follows the desktop's privacy settings, and stops recording if they forbid it.
///
/// - GNOME's `org.gnome.desktop.privacy`, through the Settings portal, whose GTK backend exposes it. Changes arrive
/// as its signal `SettingChanged`.
/// - KDE's “Recent Files: do not remember”, which kactivitymanagerd reads from its settings file and does not publish
/// on the bus. The signal of KConfig reports that the file has changed.
///
/// Both are followed by signals, without polling. A desktop without these settings forbids nothing.
actor DesktopPrivacy: WatchingPart {
    private static let portal: BusName = "org.freedesktop.portal.Desktop"
    private static let portalPath: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let settings: InterfaceName = "org.freedesktop.portal.Settings"
    private static let namespace = "org.gnome.desktop.privacy"
    private static let vetoes: KeyValuePairs<String, RecordingVeto> = [
        "remember-app-usage": .gnomeAppUsage, "remember-recent-files": .gnomeRecentFiles,
    ]
    private static let activities = "kactivitymanagerd-pluginsrc"
    /// The minimum time between two reads of KDE's settings file.
    private static let pauseBetweenLooks = Duration.milliseconds(500)

    let environment: AgentEnvironment
    private var isAsking = false
    private var forbidding: Set<String> = []
    private var kdeRemembers = true
    /// The sources whose settings are not known yet.
    private var unheard: Set<Source> = []

    private enum Source { case portal, activities }

    init(_ environment: AgentEnvironment) {
        self.environment = environment
    }

    /// Follows the settings until cancelled. Opens the recording gate once they are known.
    func run() async {
        unheard = [.portal, .activities]
        tell()
        defer { history.privacyGate.open() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                do { try await followPortal() } catch is CancellationError {} catch {
                    problems.report("the desktop's privacy settings are not followed: \(error)")
                }
                await heard(.portal)
            }
            group.addTask { [self] in
                do { try await followActivities() } catch is CancellationError {} catch {
                    problems.report("KDE's privacy settings are not followed: \(error)")
                }
                await heard(.activities)
            }
        }
    }

    private func heard(_ source: Source) {
        guard unheard.remove(source) != nil, unheard.isEmpty else { return }
        tell()
        history.privacyGate.open()
    }

    private func tell() {
        if isAsking || !unheard.isEmpty {
            history.withhold(because: .settingsUnknown)
        } else if let veto = Self.vetoes.first(where: { forbidding.contains($0.key) })?.value {
            history.withhold(because: veto)
        } else {
            history.withhold(because: kdeRemembers ? nil : .kdeRecentFiles)
        }
    }

    // MARK: GNOME

    private func followPortal() async throws {
        let signals = try await bus.signals([
            .ownerChanges(of: Self.portal),
            MatchRule(
                sender: Self.portal, path: Self.portalPath, interface: Self.settings, member: "SettingChanged",
                argument0: Self.namespace),
        ])
        // A portal that does not run yet is started. Otherwise its settings would arrive only after something was
        // recorded.
        var isThere = try await bus.owner(of: Self.portal) != nil
        if !isThere { isThere = try await bus.activatableNames().contains(Self.portal) }
        if isThere { await readPortal() }
        heard(.portal)
        for await event in signals {
            guard case .signal(let message) = event else {
                await readPortal()
                continue
            }
            if let change = message.ownerChange {
                // A portal that exits does not change its settings.
                if change.owner != nil { await readPortal() }
            } else if let (_, key, value) = try? message.arguments(String.self, String.self, Value.self) {
                take(key, value)
                tell()
            }
        }
    }

    private func readPortal() async {
        isAsking = true
        tell()
        defer {
            isAsking = false
            tell()
        }
        do {
            let all: [String: VariantMap] = try await bus.call(
                Self.portal, Self.portalPath, Self.settings, "ReadAll", [Self.namespace],
                timeout: configuration.privacySettingsTime)
            forbidding = []
            for (key, value) in all[Self.namespace] ?? [:] { take(key, value) }
        } catch let error as DBusError {
            // A missing portal, or one without settings, is not a problem.
            guard [.noReply, .timedOut].contains(error.name) else { return }
            problems.report(
                "the desktop's portal does not return its privacy settings; see “systemctl --user status xdg-desktop-portal”"
            )
        } catch {}
    }

    private func take(_ key: String, _ value: Value) {
        guard Self.vetoes.contains(where: { $0.key == key }), case .boolean(let remembers) = value.unwrapped else {
            return
        }
        if remembers { forbidding.remove(key) } else { forbidding.insert(key) }
    }

    // MARK: KDE

    private func followActivities() async throws {
        // KConfig names the object after the file, with underscores for characters that are invalid in paths.
        let path = try ObjectPath("/" + Self.activities.replacing("-", with: "_"))
        let rule = MatchRule(path: path, interface: "org.kde.kconfig.notify", member: "ConfigChanged")
        // Signals during the pause are not received, so a flood costs one read of the file.
        while try await lookAtActivities(until: rule) { try await loop.sleep(for: Self.pauseBetweenLooks) }
    }

    /// Reads KDE's settings, and waits until they may have changed. Returns `false` at the end of the connection.
    ///
    /// - Parameter rule: the rule of the signal, from any sender. Any program may change the settings, and the signal
    ///   only causes the file to be read again.
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
            // Without a file, it was never set.
            guard let data = FileManager.default.contents(atPath: file), data.count <= DesktopEntry.maximumSize else {
                return nil
            }
            let settings = try? DesktopEntry(id: AppID(Self.activities), text: String(decoding: data, as: UTF8.self))
            return settings?.raw("what-to-remember", in: "Plugin-org.kde.ActivityManager.Resources.Scoring")
        }
        // 0: all applications, 1: some, 2: none.
        kdeRemembers = word != "2"
        tell()
    }
}
