package import Apps
internal import FoundationEssentials
package import HunchDBus
package import HunchModel

/// A process on the session bus, with the evidence of which app it is and what it may do.
package struct CallerProcess: Sendable {
    /// Its connection, unit and sandbox.
    package let identity: CallerIdentity
    /// The evidence from `/proc`; `nil` in a sandbox, where the app controls its files.
    var evidence: ProcessEvidence?
    /// The installed apps whose program it runs.
    package var owners: [ProgramOwner] = []

    /// The desktop identifier of the process's app: the one that its unit names, or else, outside sandboxes, the only
    /// installed app whose program it runs. Bus names and the process's own claims do not count.
    ///
    /// Programs count in sessions that start apps without units of their own (sway, i3, Hyprland).
    package var application: AppID? {
        identity.confinement == .unknown ? onlyOwner : unitApp
    }

    /// The app that its unit or its sandbox names.
    package var unitApp: AppID? { identity.application.map { AppID($0) } }

    /// The only installed app whose program it runs, preferring apps that are shown; `nil` if there are several.
    package var onlyOwner: AppID? {
        let shown = owners.filter(\.isShown)
        let candidates = shown.isEmpty ? owners : shown
        return candidates.count == 1 ? candidates[0].application : nil
    }

    /// The permissions of the process.
    package var permission: CallerPermission {
        if identity.confinement == .sandboxed { return .confined(application) }
        if evidence?.isCommand == true { return .person }
        return application.map(CallerPermission.app) ?? .unknown(because: ambiguity ?? evidence?.gap ?? "")
    }

    /// The entries that name its program, if there are several.
    private var ambiguity: String? {
        guard owners.count > 1 else { return nil }
        return "several desktop entries name its program: "
            + owners.prefix(4).map(\.application.rawValue).joined(separator: ", ")
    }
}

/// The evidence from a process's files in `/proc`, if they can be read.
struct ProcessEvidence {
    /// Whether its program is the command `hunch`.
    var isCommand = false
    /// The programs that identify its app, the strongest evidence first: its own; for a browser's native messaging
    /// host, those of the browser.
    package var programs: [RunningProgram] = []
    /// The reason for which no installed app is found by it, if none is.
    var gap: String?

    init(isCommand: Bool = false, programs: [RunningProgram] = []) {
        self.isCommand = isCommand
        self.programs = programs
    }

    /// - Parameters:
    ///   - commands: the possible absolute paths of the command.
    ///   - browserHost: the absolute path of the native messaging host, if it is known.
    init(_ process: UInt32, commands: [String], browserHost: String? = nil) {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        guard let program = RunningProgram(of: process) else {
            gap = path.map { "\($0) runs no script that a desktop entry could name" }
            return
        }
        programs = [program]
        gap = "no desktop entry names \(program.name ?? path ?? "it")"
        guard case .file(let file) = program else { return }
        isCommand = commands.compactMap(FileNumber.init(of:)).contains(file)
        // After an upgrade, the old host runs on until the browser ends.
        let isHost = browserHost.map { FileNumber(of: $0) == file || path == $0 + " (deleted)" } ?? false
        if isHost {
            programs = RunningProgram.browser(of: process) + programs
        }
    }
}
