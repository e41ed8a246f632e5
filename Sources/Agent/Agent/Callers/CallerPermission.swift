package import HunchDBus
package import HunchModel

/// The permission of a caller, determined by ``CallerProcess``.
package enum CallerPermission: Equatable {
    /// The command `hunch` that belongs to this agent, outside any sandbox. It acts for the user.
    case person
    /// An app outside sandboxes, identified by its unit or its program.
    case app(AppID)
    /// A sandboxed app; `nil` if it is unknown which.
    case confined(AppID?)
    /// Anything else, such as a script, with the reason for which its app is not known. It has the fewest permissions.
    case unknown(because: String = "")

    /// The key of the caller among those that request suggestions. All unknown callers share one, since a new
    /// connection is not a new caller.
    package var requester: String {
        switch self {
        case .person: Self.personsRequests
        case .app(let application), .confined(let application?): application.rawValue
        case .confined(nil), .unknown: ""
        }
    }

    /// The desktop identifier of the calling app; `nil` if unknown.
    package var application: AppID? {
        switch self {
        case .app(let application): application
        case .confined(let application): application
        case .person, .unknown: nil
        }
    }

    /// The message for a caller that is no known app.
    package var unidentified: String {
        let cause = if case .unknown(let cause) = self, !cause.isEmpty { " (\(cause))" } else { "" }
        return
            "it is not known which app this program belongs to\(cause); start it from its desktop entry, whose “Exec” names this program, or in a unit of systemd that names the app (app-ID-….scope, app-ID@….service)"
    }

    /// The ``requester`` of the user. Desktop identifiers never contain a slash.
    static let personsRequests = "/person"

    // MARK: Permissions

    /// Permits the command `hunch` and apps outside sandboxes to decide for the user.
    package func mayDecide() throws(DBusError) {
        switch self {
        case .person, .app: return
        case .confined, .unknown: throw refusal("decide for the person")
        }
    }

    /// Permits seeing an object on the bus: what a caller requested, to it and to the command `hunch`; else as reading the data
    /// of an app.
    ///
    /// - Parameters:
    ///   - subject: the unique name of the connection that requested it, ``personsRequests``, or the identifier of an app.
    ///   - caller: the caller's unique name.
    func maySee(_ subject: String, from caller: BusName) throws(DBusError) {
        // A unique name begins with a colon, an app's identifier never does.
        guard subject.hasPrefix(":") || subject == Self.personsRequests else { return try mayLook(at: AppID(subject)) }
        guard self == .person || subject == caller.text else { throw refusal("see what others requested") }
    }

    /// Permits reading an app's data: to the command `hunch` and apps outside sandboxes, and to a sandboxed app its own.
    ///
    /// - Parameter application: the owner of the data; `nil` for none or several.
    package func mayLook(at application: AppID? = nil) throws(DBusError) {
        switch self {
        case .person, .app: return
        case .confined(let own):
            guard own != nil, own == application else { throw refusal("see the activity of other apps") }
        case .unknown: throw refusal("see the activity of apps")
        }
    }

    /// Permits the command `hunch`, and apps outside sandboxes that the user allowed, to read all apps' actions.
    package func mayReadEverything(readers: Set<AppID> = []) throws(DBusError) {
        if case .app(let own) = self, readers.contains(own) { return }
        guard self == .person else { throw refusal("read the actions of other apps") }
    }

    /// Permits the command `hunch` only. Apps neither grant permissions nor donate for others.
    ///
    /// - Parameter what: the action, for the message.
    package func mustBePerson(_ what: String) throws(DBusError) {
        guard self == .person else { throw refusal(what) }
    }

    /// Permits callers that may decide, and a sandboxed app to forget its own rows.
    ///
    /// - Parameter application: the owner of the rows; `nil` for several apps.
    func mayForget(application: AppID?) throws(DBusError) {
        if case .confined(let own?) = self, own == application { return }
        try mayDecide()
    }

    /// Permits everyone but sandboxed apps: media keys and `playerctl` are unidentified programs.
    func mayUseCard() throws(DBusError) {
        if case .confined = self { throw refusal("see or play suggestions") }
    }

    private func refusal(_ what: String) -> DBusError {
        if case .unknown = self { return DBusError(.accessDenied, "only apps may \(what), and \(unidentified)") }
        let who =
            switch self {
            case .person, .app: "an app"
            case .confined: "an app in a sandbox"
            case .unknown: "an unknown program"
            }
        return DBusError(.accessDenied, "\(who) may not \(what); use “hunch” instead")
    }
}
