internal import DataFiles
public import EventLoops
package import HunchDBus
public import HunchModel

/// Shows suggestions as desktop notifications. A new one replaces the previous one, but each urgent one has a notification of its
/// own, which stays until it is withdrawn.
///
/// It uses any owner of `org.freedesktop.Notifications`, and queries the capabilities of each. It lets the bus start one
/// only if systemd's user manager knows the session's display; see ``mayStartServer()``. ``events()`` delivers the user's actions while ``run()`` runs. The text of suggestions is sanitized by
/// ``DisplayText``. Only local pictures are shown.
///
///     let surface = NotificationSurface(on: bus, desktopEntry: "org.hunch.Hunch")
///     switch try await surface.present(suggestion, for: .seconds(600)) { … }
///
/// Source: Desktop Notifications Specification 1.2.
public actor NotificationSurface: LoopActor {
    let bus: Connection
    let desktopEntry: String
    let popupTime: Duration
    let deadline: Duration
    private let dconf: @Sendable (_ key: String) async -> Bool?
    private let noteStanding: @Sendable ([StandingNotification]) -> Void

    /// The loop that executes the actor.
    public nonisolated var loop: EventLoop { bus.loop }

    /// A suggestion that is on the screen or kept by the server.
    struct Shown {
        let suggestion: String
        let number: UInt32
        let owner: BusName
        let traits: NotificationServer.Traits
        /// The arrival of the server's reply. Earlier signals concern the former notification.
        let since: UInt64
        /// Whether no other suggestion takes its place.
        let isUrgent: Bool
        var token: String?
    }

    /// The notifications on the screen or kept by the server, the latest last.
    var shown: [Shown] = [] {
        didSet {
            let standing = shown.map { StandingNotification(number: $0.number, owner: $0.owner) }
            if standing != oldValue.map({ StandingNotification(number: $0.number, owner: $0.owner) }) {
                noteStanding(standing)
            }
        }
    }
    /// The notification that was replaced last, and the arrival of the server's reply.
    var former: (shown: Shown, until: UInt64)?
    /// Whether a call is under way that may change `shown`.
    var isNotifying = false
    /// The signals received during that call.
    var held: [Message] = []
    private(set) var known: NotificationServer?
    private let turns = Turns()
    var stream: SignalStream?
    var readers: [Int: AsyncStream<NotificationEvent>.Continuation] = [:]
    var nextReader = 0

    /// Creates a surface without sending anything.
    ///
    /// - Parameters:
    ///   - bus: the session bus. It must stay open, because servers send signals only to the connection that notified.
    ///   - desktopEntry: the desktop identifier of this program, by which desktops group its notifications.
    ///   - popupTime: the maximum time on screen of what is not urgent, for servers without persistence.
    ///   - deadline: the timeout of each call to the server.
    ///   - dconf: reads a key of the user's dconf database; `nil` if the key is unset. GNOME and MATE store Do Not
    ///     Disturb there and do not expose it on the bus.
    ///   - noteStanding: receives the notifications that stand after each change.
    package init(
        on bus: Connection, desktopEntry: String, popupTime: Duration = .seconds(30),
        deadline: Duration = .seconds(5), dconf: @escaping @Sendable (_ key: String) async -> Bool? = { _ in nil },
        noteStanding: @escaping @Sendable ([StandingNotification]) -> Void = { _ in }
    ) {
        self.bus = bus
        self.desktopEntry = desktopEntry
        self.popupTime = popupTime
        self.deadline = deadline
        self.dconf = dconf
        self.noteStanding = noteStanding
    }

    // MARK: Showing

    /// Shows a suggestion instead of the previous one, which has no further events, unless that is urgent. A suggestion that is
    /// shown already is changed in place. Calls wait for each other.
    ///
    /// - Parameters:
    ///   - companions: alternative suggestions. Their events have the identifier of `suggestion` and an index.
    ///   - stage: the stage to show.
    ///   - lifetime: the time that the suggestion is useful. Servers with persistence keep it until ``withdraw(_:)``.
    ///   - onlyIfGone: whether to do nothing if the suggestion is already shown.
    ///   - isSilent: whether the server makes no sound. Otherwise it does as the user set it.
    /// - Returns: whether the suggestion is shown. If it is not, the previous one is withdrawn.
    /// - Throws: ``DBusError`` with the name `…Disconnected` if the bus connection ended; `CancellationError`.
    public func present(
        _ suggestion: Suggestion, with companions: [Suggestion] = [], stage: NotificationStage = .offered,
        for lifetime: Duration, onlyIfGone: Bool = false, isSilent: Bool = true
    ) async throws -> PresentationResult {
        // An urgent one stays until its time, and changes in its place then.
        let (desktopEntry, time) = (desktopEntry, suggestion.isUrgent ? lifetime : min(lifetime, popupTime))
        return try await show(suggestion.id, isUrgent: suggestion.isUrgent, onlyIfGone: onlyIfGone) { server in
            NotificationContent(
                suggestion, with: companions, stage: stage, for: server, desktopEntry: desktopEntry, time: time,
                isSilent: isSilent)
        }
    }

    /// Asks the user to choose between several suggestions, shown like a single one. Events have the identifier of
    /// the first suggestion and the index of the chosen one.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - choices: as many suggestions as a user can read at once. If empty, nothing is shown.
    public func ask(
        _ question: NotificationQuestion, _ choices: [Suggestion], for lifetime: Duration
    ) async throws -> PresentationResult {
        guard let first = choices.first else { return .unanswerable }
        let (desktopEntry, time) = (desktopEntry, first.isUrgent ? lifetime : min(lifetime, popupTime))
        return try await show(first.id, needsAnswer: true) { server in
            NotificationContent(
                first, amongst: (question, choices), for: server, desktopEntry: desktopEntry, time: time)
        }
    }

    /// Announces the lasting effect of the answer to a suggestion, and lets the user undo it. Does nothing while another
    /// suggestion is shown. Events have the identifier of the suggestion.
    ///
    /// - Throws: ``DBusError`` with the name `…Disconnected` if the bus connection ended; `CancellationError`.
    public func announce(_ effect: LastingEffect, of suggestion: Suggestion) async throws {
        await turns.begin()
        defer { turns.end() }
        guard replaceable(by: suggestion.id) == nil else { return }
        // An answer that comes at once is not lost.
        _ = try await subscribe()
        do {
            guard let server = try await findServer(), try await !isInhibited(server) else { return }
            let content = NotificationContent(
                announcing: effect, of: suggestion, for: server, desktopEntry: desktopEntry, time: popupTime)
            _ = try await notify(suggestion.id, isUrgent: false, content, server)
        } catch let error as DBusError where error.name != .disconnected {
            // Do not try again, because the window shows it.
        }
    }

    /// Asks the user for a permission, instead of the previous notification of this surface. Events have the identifier
    /// of the question, and ``NotificationEvent/Action/choice(_:)`` with 0 for “Allow” and 1 for “Don't allow”.
    ///
    /// - Throws: as ``present(_:with:stage:for:onlyIfGone:)``.
    public func ask(_ question: PermissionQuestion, for lifetime: Duration) async throws -> PresentationResult {
        let (desktopEntry, time) = (desktopEntry, min(lifetime, popupTime))
        return try await show(question.id, needsAnswer: true) { server in
            NotificationContent(asking: question, for: server, desktopEntry: desktopEntry, time: time)
        }
    }

    /// - Parameter needsAnswer: whether to show nothing if the server has no buttons.
    private func show(
        _ identifier: String, isUrgent: Bool = false, needsAnswer: Bool = false, onlyIfGone: Bool = false,
        _ content: @Sendable (NotificationServer) -> NotificationContent
    ) async throws -> PresentationResult {
        await turns.begin()
        defer { turns.end() }
        if onlyIfGone, let same = shown.first(where: { $0.suggestion == identifier }) { return .shown(same.number) }
        _ = try await subscribe()
        do {
            guard let server = try await findServer() else {
                shown = []
                return .noServer
            }
            if try await isInhibited(server) {
                try close(replaceable(by: identifier))
                return .inhibited
            }
            if needsAnswer, !server.showsActions {
                try close(replaceable(by: identifier))
                return .unanswerable
            }
            return .shown(try await notify(identifier, isUrgent: isUrgent, content(server), server))
        } catch let error as DBusError where error.name != .disconnected {
            try close(replaceable(by: identifier))
            return error.isServiceAbsent ? .noServer : .refused(error)
        }
    }

    /// Removes a suggestion from the screen and the server's list. Does nothing if it is not shown.
    ///
    /// - Throws: ``DBusError`` with the name `…Disconnected` if the bus connection ended.
    public func withdraw(_ suggestion: Suggestion.ID) async throws {
        await turns.begin()
        defer { turns.end() }
        try close(shown.first { $0.suggestion == suggestion })
    }

    /// The currently shown suggestions, the latest last.
    public var shownSuggestions: [Suggestion.ID] { shown.map(\.suggestion) }

    /// Returns the notification whose place a suggestion takes: its own, or the one that is not urgent.
    private func replaceable(by suggestion: Suggestion.ID) -> Shown? {
        shown.first { $0.suggestion == suggestion } ?? shown.first { !$0.isUrgent }
    }

    private func notify(
        _ suggestion: Suggestion.ID, isUrgent: Bool, _ content: NotificationContent, _ server: NotificationServer
    ) async throws -> UInt32 {
        let place = replaceable(by: suggestion)
        let replaced = place?.owner == server.owner ? place?.number : nil
        isNotifying = true
        var next: Shown?
        defer {
            isNotifying = false
            settle(next, inPlaceOf: place)
        }
        let reply = try await bus.reply(
            to: call("Notify", of: server, content.arguments(replacing: replaced ?? 0)), timeout: deadline)
        let number = try reply.arguments(UInt32.self)
        guard number != 0 else {
            throw DBusError(.failed, "the notification server \(server.name) gave no number to a notification")
        }
        next = Shown(
            suggestion: suggestion, number: number, owner: server.owner, traits: server.traits, since: reply.arrival,
            isUrgent: isUrgent)
        if let replaced, replaced != number {
            // The server should have kept the number. Close the former notification in case it is still shown.
            try await bus.send(call("CloseNotification", of: server, [.uint32(replaced)]))
        }
        return number
    }

    /// Closes a notification. The server's reply does not matter, as the notification may be closed already.
    func close(_ notification: Shown?) throws {
        guard let notification else { return }
        remove(notification)
        try bus.assumeIsolated {
            try $0.send(StandingNotification(number: notification.number, owner: notification.owner).closing)
        }
    }

    /// Forgets a notification that is no longer shown.
    func remove(_ notification: Shown) {
        shown.removeAll { $0.number == notification.number && $0.owner == notification.owner }
    }

    // MARK: The server

    /// Returns the current notification server, starting one if that is safe; `nil` if there is none.
    ///
    /// - Throws: ``DBusError`` if the server does not answer, or `…Disconnected` if the bus connection ended.
    public func server() async throws -> NotificationServer? {
        do {
            return try await findServer()
        } catch let error as DBusError where error.isServiceAbsent {
            return nil
        }
    }

    /// Whether Do Not Disturb is on for this server. It counts as off if the server does not expose it.
    ///
    /// - Throws: ``DBusError`` with the name `…Disconnected` if the bus connection ended; `CancellationError`.
    public func isInhibited(_ server: NotificationServer) async throws -> Bool {
        guard let setting = server.doNotDisturb else { return false }
        do {
            switch setting {
            case .property(let member):
                return try await Proxy(bus, server.owner, .notifications).property(
                    InterfaceName(member.interface), MemberName(member.name), timeout: deadline)
            case .methods(let members, let path):
                let proxy = try Proxy(bus, server.owner, ObjectPath(path))
                for member in members where try await isInhibited(proxy, member) { return true }
                return false
            case .xfconf(let channel, let setting):
                let value: Value = try await Proxy(bus, .xfconf, .xfconf).call(
                    .xfconf, "GetProperty", channel, setting, timeout: deadline, startsService: false)
                return value == .boolean(true)
            case .dconf(let key, let isInhibited):
                return await dconf(key) == isInhibited
            }
        } catch let error as DBusError where error.name != .disconnected {
            return false
        }
    }

    /// Whether a method reports Do Not Disturb. A method that the server lacks does not.
    private func isInhibited(_ server: Proxy, _ member: NotificationServerRow.Member) async throws -> Bool {
        do {
            let call = try MethodCall(
                server.service, server.path, InterfaceName(member.interface), MemberName(member.name),
                startsService: false)
            switch try await bus.reply(to: call, timeout: deadline).body.first {
            case .boolean(let isOn): return isOn
            case .some(let value):
                return try [String](dbusValue: value).contains(where: NotificationServer.isDoNotDisturb(mode:))
            case nil: return false
            }
        } catch let error as DBusError where error.name == .unknownMethod {
            return false
        }
    }

    private func findServer() async throws -> NotificationServer? {
        var owner = try await bus.owner(of: .notifications)
        if owner == nil {
            guard await mayStartServer() else { return nil }
            // The bus starts a server if it can. The sender of the reply is the new owner.
            owner = try await bus.reply(
                to: MethodCall(.notifications, .notifications, .notifications, "GetServerInformation"),
                timeout: deadline
            ).sender
        }
        guard let owner else { return nil }
        if let known, known.owner == owner { return known }
        let proxy = Proxy(bus, owner, .notifications)
        // Name, vendor, version and, from most servers, the version of the specification.
        let identity = try await bus.reply(
            to: MethodCall(owner, .notifications, .notifications, "GetServerInformation", startsService: false),
            timeout: deadline)
        let words = identity.body.map {
            if case .string(let text) = $0 { DisplayText(text, limit: 80).text } else { "" }
        }
        let capabilities: [String] = try await proxy.call(
            .notifications, "GetCapabilities", timeout: deadline, startsService: false)
        let server = NotificationServer(
            owner: owner, name: words.first ?? "", version: words.count > 2 ? words[2] : "",
            capabilities: Set(capabilities.prefix(256)))
        known = server
        return server
    }

    /// Whether a server that the bus starts now finds the session's display.
    ///
    /// Before the compositor has told the bus of it, a server would start without a display and might stay so. Only
    /// systemd's user manager knows the environment of its services. Without it, servers start by themselves or for
    /// another program.
    package func mayStartServer() async -> Bool {
        let manager = Proxy(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1")
        let variables: [String]? = try? await manager.property(
            "org.freedesktop.systemd1.Manager", "Environment", timeout: deadline)
        return (variables ?? []).contains { variable in
            ["WAYLAND_DISPLAY=", "DISPLAY="].contains { variable.hasPrefix($0) && variable != $0 }
        }
    }

    private func call(_ member: MemberName, of server: NotificationServer, _ body: [Value]) -> MethodCall {
        MethodCall(server.owner, .notifications, .notifications, member, body: body, startsService: false)
    }
}
