internal import DesktopFiles
import CommandSupport
import Files
import FoundationEssentials
import Glibc
import HunchDBus
import HunchModel
import Localization

/// The start of the agent at login: by the systemd user manager or, without one, by an XDG autostart entry.
struct LoginStart {
    /// The way in which the agent is started at login.
    enum Way: Equatable {
        case userManager
        /// The value is the path of the entry.
        case autostartEntry(String)
        case none
    }

    private let manager: UserManager
    private let entry: AutostartEntry?

    init(_ connection: Connection, environment: [String: String]) {
        manager = UserManager(connection)
        entry = AutostartEntry(environment: environment)
    }

    /// Makes the agent start at login. A user manager needs no entry, so one that is left over is removed.
    func enable() async -> Way {
        if await manager.isRunning() {
            entry?.remove()
            return await manager.enableAtLogin() ? .userManager : .none
        }
        guard let entry, let program = SiblingProgram(name: "hunchd").path,
            entry.write(program: ReplacementFile.resolved(program))
        else {
            return .none
        }
        return .autostartEntry(entry.path)
    }

    /// Ends the start at login.
    func disable() async {
        entry?.remove()
        await manager.disableAtLogin()
    }
}

/// The desktop entry in the user's autostart folder that starts the agent; Desktop Application Autostart
/// Specification 0.5.
struct AutostartEntry {
    /// The path of the file, which need not exist.
    let path: String

    /// - Returns: `nil` if neither `XDG_CONFIG_HOME` nor `HOME` is set.
    init?(environment: [String: String]) {
        guard let folder = BaseDirectories(environment: environment).configHome else { return nil }
        path = "\(folder)/autostart/org.hunch.Agent.desktop"
    }

    /// Whether the entry exists.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Returns the text of the entry.
    ///
    /// - Parameter program: the absolute path of `hunchd`.
    static func text(program: String) -> String {
        let comment = localized("Suggests what to play and how to get there.")
        return """
            [Desktop Entry]
            Type=Application
            Name=Hunch
            Comment=\(comment)
            Exec=\(DesktopEntry.quoted(program))
            TryExec=\(program)
            Terminal=false
            NoDisplay=true
            X-GNOME-Autostart-enabled=true

            """
    }

    /// Writes the entry.
    ///
    /// - Returns: whether that worked.
    func write(program: String) -> Bool {
        let file = URL(filePath: path)
        do {
            // The mode is that of the XDG Base Directory Specification.
            try FileManager.default.createDirectory(
                atPath: file.deletingLastPathComponent().path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(Self.text(program: program).utf8).write(to: file, options: .atomic)
            return true
        } catch {
            return false
        }
    }

    /// Removes the entry, if it exists.
    func remove() { unlink(path) }
}
