internal import Apps
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Media

/// A process on the session bus, with the evidence of which app it is and what it may do.
struct CallerProcess: Sendable {
    /// Its connection, unit and sandbox.
    let identity: CallerIdentity
    /// The evidence from `/proc`; `nil` in a sandbox, where the app controls its files.
    var evidence: ProcessEvidence?
    /// The installed apps whose program it runs.
    var owners: [ProgramOwner] = []

    /// The desktop identifier of the process's app: the one that its unit names, or else, outside sandboxes, the only
    /// installed app whose program it runs. Bus names and the process's own claims do not count.
    ///
    /// Programs count in sessions that start apps without units of their own (sway, i3, Hyprland).
    var application: AppID? {
        identity.confinement == .unknown ? onlyOwner : unitApp
    }

    /// The app that its unit or its sandbox names.
    private var unitApp: AppID? { identity.application.map { AppID($0) } }

    /// The only installed app whose program it runs, preferring apps that are shown; `nil` if there are several.
    var onlyOwner: AppID? {
        let shown = owners.filter(\.isShown)
        let candidates = shown.isEmpty ? owners : shown
        return candidates.count == 1 ? candidates[0].application : nil
    }

    /// The permissions of the process.
    var permission: CallerPermission {
        if identity.confinement == .sandboxed { return .confined(application) }
        if evidence?.isCommand == true { return .person }
        return application.map(CallerPermission.app) ?? .unknown
    }

    /// Returns the desktop identifiers that a player of this process may claim, likeliest first.
    ///
    /// In a sandbox it is only the own app; if that is unknown, the player's bus name stands for it. Outside
    /// sandboxes a player may name an app in `DesktopEntry` that matches its unit, its program or its bus name.
    func desktopIDs(of player: MPRISPlayer) -> [AppID] {
        if identity.confinement == .sandboxed { return [application ?? AppID(player.name.text)] }
        let named = player.namedDesktopIDs
        let proven = [unitApp].compactMap(\.self) + owners.map(\.application)
        let claimed = [player.desktopEntry].compactMap { $0.map { AppID($0) } }.filter { claim in
            proven.contains(claim) || named.contains { Self.areSame(claim, $0) }
        }
        let agreeing = proven.filter { app in named.contains { Self.areSame(app, $0) } }
        // An app on Chromium's engine has a player named after the engine, which may be installed, too.
        if player.isNamedByEngine, agreeing.isEmpty, let own = onlyOwner ?? unitApp.flatMap({ $0.isBrowser ? $0 : nil })
        {
            return claimed.filter(proven.contains) + [own] + named
        }
        return claimed + agreeing + [onlyOwner].compactMap(\.self) + named
    }

    /// Whether two identifiers mean the same app. Bus names often are only the last part of the identifier.
    private static func areSame(_ left: AppID, _ right: AppID) -> Bool {
        let (left, right) = (left.rawValue.lowercased(), right.rawValue.lowercased())
        return left == right || left.split(separator: ".").last == right.split(separator: ".").last
    }
}

/// The evidence from a process's files in `/proc`, if they can be read.
struct ProcessEvidence {
    /// Whether its program is the command `hunch`.
    var isCommand = false
    /// The programs that identify its app, the strongest evidence first: its own, but for a browser's native messaging
    /// host those of the browser.
    var programs: [RunningProgram] = []

    init(isCommand: Bool = false, programs: [RunningProgram] = []) {
        self.isCommand = isCommand
        self.programs = programs
    }

    /// - Parameters:
    ///   - commands: the possible absolute paths of the command.
    ///   - browserHost: the absolute path of the native messaging host, if it is known.
    init(_ process: UInt32, commands: [String], browserHost: String? = nil) {
        guard let program = RunningProgram(of: process) else { return }
        programs = [program]
        guard case .file(let file) = program else { return }
        isCommand = commands.compactMap(FileNumber.init(of:)).contains(file)
        // After an upgrade, the old host runs on until the browser ends.
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        let isHost = browserHost.map { FileNumber(of: $0) == file || path == $0 + " (deleted)" } ?? false
        if isHost {
            programs = RunningProgram.browser(of: process) + programs
        }
    }
}
