internal import HunchDBus

/// The permissions of a caller. ``CallerProcess`` tells which caller has which standing.
enum CallerStanding: Equatable {
    /// The command `hunch` that belongs to this agent, outside any sandbox: the person's own hand.
    case person
    /// An app in no sandbox, told by its unit or its program.
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
            return try await CallerProcess(making: call, configuration).standing
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

    /// The message for a caller without a known app, and how to become known.
    static let unknownApplication =
        "it is not known which app this program belongs to; start it from its desktop entry, whose “Exec” names this program, or in a unit of systemd that names the app (app-ID-….scope, app-ID@….service)"

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

    /// Permits the command `hunch` and apps outside sandboxes to decide for the person.
    func mayDecide() throws(DBusError) {
        switch self {
        case .person, .app: return
        case .confined, .unknown: throw refusal("decide for the person")
        }
    }

    /// Permits callers that may decide, and a sandboxed app to read its own data.
    ///
    /// - Parameter application: the owner of the data; `nil` for none or several.
    func mayLook(at application: String? = nil) throws(DBusError) {
        switch self {
        case .person, .app: return
        case .confined(let own):
            guard own != nil, own == application else { throw refusal("look at what is not its own") }
        case .unknown: throw refusal("look at what apps do")
        }
    }

    /// Permits the command `hunch`, and apps outside sandboxes that the person allowed, to read all apps' actions.
    func mayReadEverything(readers: Set<String> = []) throws(DBusError) {
        if case .app(let own) = self, readers.contains(own) { return }
        guard self == .person else { throw refusal("read what other apps did") }
    }

    /// Permits the command `hunch` only. Apps neither grant permissions nor donate for others.
    ///
    /// - Parameter what: the action, in words.
    func mayAlone(_ what: String) throws(DBusError) {
        guard self == .person else { throw refusal(what) }
    }

    /// Permits callers that may decide, and a sandboxed app to forget its own rows.
    ///
    /// - Parameter application: the owner of the rows; `nil` for several apps.
    func mayForget(application: String?) throws(DBusError) {
        if case .confined(let own?) = self, own == application { return }
        try mayDecide()
    }

    /// Permits everyone but sandboxed apps: media keys and `playerctl` are unidentified programs.
    func mayUseCard() throws(DBusError) {
        if case .confined = self { throw refusal("see what is offered, nor play it") }
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
