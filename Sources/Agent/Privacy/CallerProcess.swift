internal import HunchDBus
internal import Media

/// A process on the session bus, with all that tells which app it is and what it may do.
struct CallerProcess: Sendable {
    /// Its connection, unit and sandbox.
    let identity: CallerIdentity
    /// The evidence of its own files; `nil` in a sandbox, where they may tell anything.
    var evidence: ProcessEvidence?
    /// The installed apps whose program it runs.
    var owners: [ProgramOwner] = []

    /// The app that the process is, by its desktop identifier: the one that its unit names; else, outside sandboxes, the
    /// only installed app whose program it runs. It is never told by names on the bus, nor by what the process says.
    ///
    /// Programs count in sessions that start apps without units of their own (sway, i3, Hyprland).
    var application: String? {
        identity.confinement == .unknown ? program : identity.application
    }

    /// The only installed app whose program it runs, among those that are shown where any is; `nil` when there are several.
    private var program: String? {
        let shown = owners.filter(\.isShown)
        let candidates = shown.isEmpty ? owners : shown
        return candidates.count == 1 ? candidates[0].application : nil
    }

    /// The permissions of the process.
    var standing: CallerStanding {
        if identity.confinement == .sandboxed { return .confined(application) }
        if evidence?.isCommand == true { return .person }
        return application.map(CallerStanding.app) ?? .unknown
    }

    /// The desktop identifiers that a player of this process may count as, likeliest first.
    ///
    /// In a sandbox that is its own app and no other; of an app that nobody names, the player's name on the bus stands
    /// for it. Outside sandboxes a player may name an app in `DesktopEntry` to which its unit, its program or its name
    /// on the bus belongs.
    func desktopIDs(of player: MPRISPlayer) -> [String] {
        if identity.confinement == .sandboxed { return [application ?? player.name.text] }
        let named = player.namedDesktopIDs
        let proven = [identity.application].compactMap(\.self) + owners.map(\.application)
        let claimed = [player.desktopEntry].compactMap(\.self).filter { claim in
            proven.contains(claim) || named.contains { Self.areSame(claim, $0) }
        }
        let agreeing = proven.filter { app in named.contains { Self.areSame(app, $0) } }
        return claimed + agreeing + [program].compactMap(\.self) + named
    }

    /// Whether two identifiers mean one app: names on the bus often are the last part of the identifier alone.
    private static func areSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.lowercased(), right.lowercased())
        return left == right || left.split(separator: ".").last == right.split(separator: ".").last
    }
}

extension CallerProcess {
    /// Finds out which process makes a call.
    ///
    /// - Throws: ``DBusError`` when the caller has gone and nothing is remembered of it.
    init(making call: IncomingCall, _ configuration: AgentConfiguration) async throws {
        self = try await Self.read(configuration, needsOwners: false) { try await configuration.identify(call) }
    }

    /// Finds out which process has a connection.
    ///
    /// - Throws: ``DBusError`` when it has gone and nothing is remembered of it.
    init(behind name: BusName, on bus: Connection, _ configuration: AgentConfiguration) async throws {
        self = try await Self.read(configuration, needsOwners: true) { try await bus.identity(of: name) }
    }

    /// - Parameter needsOwners: whether the owners of its program are looked for though its unit names its app.
    private static func read(
        _ configuration: AgentConfiguration, needsOwners: Bool, _ identify: () async throws -> CallerIdentity
    ) async throws -> CallerProcess {
        let identity = try await identify()
        guard identity.confinement != .sandboxed, let number = identity.processID else {
            return CallerProcess(identity: identity)
        }
        let evidence = ProcessEvidence(number, commands: configuration.commands)
        // Asked again, since another process may have taken over the number while its files were read.
        guard try await identify() == identity else {
            return CallerProcess(identity: CallerIdentity(name: identity.name))
        }
        var process = CallerProcess(identity: identity, evidence: evidence)
        if let program = evidence.program, !evidence.isCommand, needsOwners || identity.confinement == .unknown {
            process.owners = await configuration.owners(program)
        }
        return process
    }
}

/// The evidence that the files of a process give, where they can be read.
struct ProcessEvidence {
    /// Whether its program is the command `hunch`.
    var isCommand = false
    /// The program that it runs.
    var program: RunningProgram?

    init(isCommand: Bool = false, program: RunningProgram? = nil) {
        self.isCommand = isCommand
        self.program = program
    }

    /// - Parameter commands: absolute paths of the command; it may be at one of them.
    init(_ process: UInt32, commands: [String]) {
        program = RunningProgram(of: process)
        if case .file(let file)? = program { isCommand = commands.compactMap(FileNumber.init(of:)).contains(file) }
    }
}
