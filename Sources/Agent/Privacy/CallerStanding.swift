internal import Glibc
internal import HunchDBus

/// What a caller may do with what is kept of the person.
///
/// Who calls is told by the process that made the connection: never by names that it owns on the bus, and never by what
/// it says of itself.
enum CallerStanding: Equatable {
    /// The command `hunch` that belongs to this agent, outside any sandbox: the person's own hand.
    case person
    /// An app that runs in a unit of its own and in no sandbox that is known.
    case app(String)
    /// An app in a sandbox; `nil` when it is not known which.
    case confined(String?)
    /// Anything else, as a script. It may do the least.
    case unknown

    /// Finds out who makes a call.
    ///
    /// - Throws: ``DBusError`` with the name `…AccessDenied` when the caller has gone and nothing is remembered of it.
    static func of(_ call: IncomingCall, _ configuration: AgentConfiguration) async throws -> CallerStanding {
        do {
            let caller = try await configuration.identify(call)
            let evidence = caller.processID.map { ProcessEvidence($0, commands: configuration.commands) }
            // The process is asked for again: another one may have taken its number over while its files were read.
            guard try await configuration.identify(call) == caller else { return .unknown }
            return CallerStanding(caller, evidence)
        } catch {
            throw DBusError(.accessDenied, "the caller has gone")
        }
    }

    /// The app that makes a call, by its desktop identifier.
    ///
    /// - Parameter advice: what a program that is no app does instead, if there is anything.
    /// - Throws: ``DBusError`` with the name `…AccessDenied` when that is not known.
    static func application(
        of call: IncomingCall, _ configuration: AgentConfiguration, orElse advice: String? = nil
    ) async throws -> String {
        guard let application = try await of(call, configuration).application else {
            throw DBusError(
                .accessDenied, [unknownApplication, advice].compactMap(\.self).joined(separator: "; "))
        }
        return application
    }

    /// What is wrong where an app is asked for, and how it would be known.
    static let unknownApplication =
        "it is not known which app this program belongs to: that tells the unit of systemd in which the desktop, the bus or Flatpak starts an app (app-ID-….scope, app-ID@….service)"

    /// - Parameter evidence: what the process's own files tell; `nil` when the bus knows no process.
    init(_ caller: CallerIdentity, _ evidence: ProcessEvidence?) {
        if caller.confinement == .sandboxed {
            self = .confined(caller.application)
        } else if evidence?.isConfined == true {
            // Its unit may be that of a launcher outside.
            self = .confined(nil)
        } else if evidence?.isCommand == true {
            self = .person
        } else if caller.confinement == .unsandboxed, let application = caller.application {
            self = .app(application)
        } else {
            self = .unknown
        }
    }

    /// Identifies the caller among those that ask for suggestions. All of whom nothing is known are one: a new connection is
    /// no new caller.
    var requester: String {
        switch self {
        case .person: Self.personsRequests
        case .app(let application), .confined(let application?): application
        case .confined(nil), .unknown: ""
        }
    }

    /// The person's own ``requester``. No desktop identifier has a slash.
    static let personsRequests = "/person"

    // MARK: What they may do

    /// Lets the person pass, and apps outside sandboxes, which may say for the person what is to be done or kept.
    func mayDecide() throws(DBusError) {
        switch self {
        case .person, .app: return
        case .confined, .unknown: throw refusal("decide for the person")
        }
    }

    /// Lets those pass that may decide, and an app in a sandbox when what is looked at is its own.
    ///
    /// - Parameter application: whose it is; `nil` for what is of no app or of several.
    func mayLook(at application: String? = nil) throws(DBusError) {
        switch self {
        case .person, .app: return
        case .confined(let own):
            guard own != nil, own == application else { throw refusal("look at what is not its own") }
        case .unknown: throw refusal("look at what apps do")
        }
    }

    /// Lets the person pass, and an app outside sandboxes that the person allowed: what all apps did is read.
    func mayReadEverything(readers: Set<String> = []) throws(DBusError) {
        if case .app(let own) = self, readers.contains(own) { return }
        guard self == .person else { throw refusal("read what other apps did") }
    }

    /// Lets the person alone pass: no app allows itself anything, nor says what others did.
    ///
    /// - Parameter what: what is to be done, in words.
    func mayAlone(_ what: String) throws(DBusError) {
        guard self == .person else { throw refusal(what) }
    }

    /// Lets those pass that may decide, and an app in a sandbox when only its own rows are meant.
    ///
    /// - Parameter application: whose rows alone are meant; `nil` for more than one app's.
    func mayForget(application: String?) throws(DBusError) {
        if case .confined(let own?) = self, own == application { return }
        try mayDecide()
    }

    private func refusal(_ what: String) -> DBusError {
        let who =
            switch self {
            case .person, .app: "an app"
            case .confined: "an app in a sandbox"
            case .unknown: "a program that is not known"
            }
        return DBusError(.accessDenied, "\(who) may not \(what); use “hunch” instead")
    }
}

/// What the files of a process tell about it, where they can be read.
struct ProcessEvidence {
    /// Whether its root has what Flatpak puts into each sandbox (flatpak-metadata(5)).
    var isConfined = false
    /// Whether its program is the command `hunch`.
    var isCommand = false

    init(isConfined: Bool = false, isCommand: Bool = false) {
        self.isConfined = isConfined
        self.isCommand = isCommand
    }

    /// - Parameter commands: absolute paths of the command; it may be at one of them.
    init(_ process: UInt32, commands: [String]) {
        isConfined = access("/proc/\(process)/root/.flatpak-info", F_OK) == 0
        guard let program = Self.file("/proc/\(process)/exe") else { return }
        isCommand = commands.compactMap(Self.file).contains(program)
    }

    private struct File: Equatable {
        var device: dev_t
        var number: ino_t
    }

    private static func file(_ path: String) -> File? {
        var status = stat()
        // −1: not there, or not to be looked at, and so not ours.
        guard stat(path, &status) == 0 else { return nil }
        return File(device: status.st_dev, number: status.st_ino)
    }
}
