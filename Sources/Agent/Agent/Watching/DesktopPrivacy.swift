internal import DesktopFiles
internal import AgentInterface
internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization

/// Follows the desktop's privacy settings, and stops recording if they forbid it.
///
/// - GNOME's `org.gnome.desktop.privacy`, through the Settings portal, whose GTK backend exposes it. Changes arrive
/// as its signal `SettingChanged`.
/// - KDE's “Recent Files: do not remember”, which kactivitymanagerd reads from its settings file and does not publish
/// on the bus. The signal of KConfig reports that the file has changed.
///
/// Both are followed by signals, without polling. A desktop without these settings forbids nothing. Settings that are not
/// known forbid recording.
///
/// The portal is never started: the agent starts at login, and a portal that the bus starts before the session has a
/// display lacks `WAYLAND_DISPLAY`, so that links and file dialogs fail for the whole session. A portal that the bus could
/// start is awaited instead.
actor DesktopPrivacy: Part {
    private static let portal: BusName = "org.freedesktop.portal.Desktop"
    private static let portalPath: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let settings: InterfaceName = "org.freedesktop.portal.Settings"
    private static let namespace = "org.gnome.desktop.privacy"
    private static let vetoes: KeyValuePairs<String, RecordingVeto> = [
        "remember-app-usage": .gnomeAppUsage, "remember-recent-files": .gnomeRecentFiles,
    ]
    private static let activities = "kactivitymanagerd-pluginsrc"
    /// The pauses after each attempt to read the portal's settings; `nil` after the last one.
    private static let pausesBetweenAttempts: [Duration?] = [.seconds(5), .seconds(60), .seconds(600), nil]
    /// The errors of a portal without settings, which forbids nothing.
    private static let meansNoSettings: Set<DBusError.Name> = [
        .unknownMethod, .unknownInterface, .unknownObject,
        DBusError.Name(rawValue: "org.freedesktop.portal.Error.NotFound"),
    ]
    /// The minimum time between two reads of KDE's settings file.
    private static let pauseBetweenLooks = Duration.milliseconds(500)

    package let environment: AgentEnvironment
    private var forbidding: Set<String> = []
    private var kdeRemembers = true
    /// The sources whose settings are not known. While there are any, nothing is recorded.
    private var unknown: Set<Source> = []
    /// The sources that have not been asked yet. Recording waits for them.
    private var unasked: Set<Source> = []

    private enum Source: CaseIterable { case portal, activities }

    init(_ environment: AgentEnvironment) {
        self.environment = environment
    }

    /// Follows the settings until cancelled. Opens the recording gate once the sources were asked.
    package func run() async {
        unknown = Set(Source.allCases)
        unasked = unknown
        tell()
        defer { history.privacyGate.open() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                do { try await followPortal() } catch is CancellationError {} catch {
                    problems.report(localized("the desktop's privacy settings are not followed: %1", "\(error)"))
                }
                await noteAsked(.portal)
            }
            group.addTask { [self] in
                do { try await followActivities() } catch is CancellationError {} catch {
                    problems.report(localized("KDE's privacy settings are not followed: %1", "\(error)"))
                }
                await noteAsked(.activities)
            }
        }
    }

    private func noteAsked(_ source: Source) {
        guard unasked.remove(source) != nil, unasked.isEmpty else { return }
        history.privacyGate.open()
    }

    private func setKnown(_ isKnown: Bool, _ source: Source) {
        if isKnown { unknown.remove(source) } else { unknown.insert(source) }
        tell()
    }

    private func tell() {
        let former = history.veto
        if !unknown.isEmpty {
            history.withhold(because: .settingsUnknown)
        } else if let veto = Self.vetoes.first(where: { forbidding.contains($0.key) })?.value {
            history.withhold(because: veto)
        } else {
            history.withhold(because: kdeRemembers ? nil : .kdeRecentFiles)
        }
        guard history.veto != former else { return }
        // Recording does not wait for it. Without the bus, there is no receiver.
        Task(executorPreference: loop) { [server] in
            try? await server.propertiesChanged(HunchNames.root, HunchNames.privacy, ["Withheld"])
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
        if try await bus.owner(of: Self.portal) != nil {
            try await readPortal()
        } else if try await !bus.activatableNames().contains(Self.portal) {
            setKnown(true, .portal)
        }
        noteAsked(.portal)
        for await event in signals {
            guard case .signal(let message) = event else {
                try await readPortal()
                continue
            }
            if let change = message.ownerChange {
                // A portal that exits does not change its settings.
                if change.owner != nil { try await readPortal() }
            } else if let (_, key, value) = try? message.arguments(String.self, String.self, Value.self) {
                take(key, value)
                tell()
            }
        }
    }

    /// Reads the portal's settings, and tries again a few times if it does not return them.
    private func readPortal() async throws {
        setKnown(false, .portal)
        for pause in Self.pausesBetweenAttempts {
            do {
                let all: [String: VariantMap] = try await bus.call(
                    Self.portal, Self.portalPath, Self.settings, "ReadAll", [Self.namespace],
                    timeout: configuration.privacySettingsTime, startsService: false)
                forbidding = []
                for (key, value) in all[Self.namespace] ?? [:] { take(key, value) }
                return setKnown(true, .portal)
            } catch let error as DBusError where Self.meansNoSettings.contains(error.name) {
                forbidding = []
                return setKnown(true, .portal)
            } catch let error as DBusError where error.isServiceAbsent {
                // It has ended. The next one is read when it appears.
                return
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                problems.report(
                    localized(
                        "the desktop's portal does not return its privacy settings; see “systemctl --user status xdg-desktop-portal”"
                    ))
            }
            noteAsked(.portal)
            guard let pause else { return }
            try await loop.sleep(for: pause)
        }
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
        do { try await readActivities() } catch is CancellationError { throw CancellationError() } catch {
            setKnown(false, .activities)
            problems.report(localized("KDE's privacy settings could not be read: %1", "\(error)"))
        }
        noteAsked(.activities)
        return await signals.first { _ in true } != nil
    }

    private func readActivities() async throws {
        var setting: Int?
        if let folder = configuration.directories.configHome {
            let file = folder + "/" + Self.activities
            setting = try await history.blocking {
                // Without a file, it was never set.
                guard FileManager.default.fileExists(atPath: file) else { return nil }
                guard let data = FileManager.default.contents(atPath: file), data.count <= DesktopEntry.maximumSize
                else { throw DBusError(.failed, "\(file) cannot be read, or is too long") }
                guard
                    let word = KConfigText.value(
                        "what-to-remember", in: "Plugin-org.kde.ActivityManager.Resources.Scoring",
                        of: String(decoding: data, as: UTF8.self))
                else { return nil }
                guard let number = Int(word) else {
                    throw DBusError(.failed, "“what-to-remember” in \(file) is not a number")
                }
                return number
            }
        }
        // 0: all applications, 1: some, 2: none.
        kdeRemembers = setting != 2
        setKnown(true, .activities)
    }
}
