public import HunchDBus
public import HunchModel

/// Shows suggestions as desktop notifications, one at a time: a new one takes the place of the one before.
///
/// Speaks to whatever program owns `org.freedesktop.Notifications`, starts it where the bus can, and asks each anew for
/// what it can do. What the person does with a notification comes through ``events()`` while ``run()`` runs. Text of a
/// suggestion is shown as ``DisplayText``; of pictures, only those of this machine are.
///
///     let surface = NotificationSurface(on: bus, desktopEntry: "org.hunch.Hunch")
///     switch try await surface.present(suggestion, for: .seconds(600)) { … }
///
/// Source: Desktop Notifications Specification 1.2.
public actor NotificationSurface {
    let bus: Connection
    let desktopEntry: String
    let popupTime: Duration
    let deadline: Duration
    private let dconf: @Sendable (_ key: String) async -> Bool?

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// A suggestion that is on the screen, or kept by the server.
    struct Shown {
        let suggestion: String
        let number: UInt32
        let owner: BusName
        let traits: NotificationServer.Traits
        /// When the server answered: signals that came before are about the one before.
        let since: UInt64
        var token: String?
    }

    var current: Shown?
    /// What `current` took the place of.
    var former: Shown?
    /// Whether a call is under way that may change what `current` is.
    var isNotifying = false
    /// Signals that came meanwhile.
    var held: [Message] = []
    private(set) var known: NotificationServer?
    private let turns = Turns()
    var stream: SignalStream?
    var readers: [Int: AsyncStream<NotificationEvent>.Continuation] = [:]
    var nextReader = 0

    /// Makes a surface; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - bus: the session bus. Servers answer only the connection that notified: it must stay open.
    ///   - desktopEntry: desktop identifier of this program, by which desktops group its notifications.
    ///   - popupTime: the longest time on the screen of a server that keeps nothing once it has left the screen.
    ///   - deadline: how long the server may take to answer each call.
    ///   - dconf: reads a key of the person's dconf database, in which GNOME and MATE keep whether they are not to be
    ///     disturbed; `nil` for one that was never set. Nobody tells it on the bus.
    public init(
        on bus: Connection, desktopEntry: String, popupTime: Duration = .seconds(30),
        deadline: Duration = .seconds(5), dconf: @escaping @Sendable (_ key: String) async -> Bool? = { _ in nil }
    ) {
        self.bus = bus
        self.desktopEntry = desktopEntry
        self.popupTime = popupTime
        self.deadline = deadline
        self.dconf = dconf
    }

    // MARK: Showing

    /// Shows a suggestion in place of the one before, which yields no event any more. Calls wait for each other.
    ///
    /// - Parameters:
    ///   - companion: what may be taken instead; events about it bear the suggestion's identifier.
    ///   - stage: whether it is offered, begins just now or failed.
    ///   - lifetime: how long the suggestion is worth making. A server that keeps notifications keeps it until
    ///     ``withdraw(_:)``.
    ///   - onlyIfGone: whether to leave it alone when it is shown already.
    /// - Returns: whether it is shown. In every other case the one before is withdrawn.
    /// - Throws: ``DBusError`` with the name `…Disconnected` when the bus is gone; `CancellationError`.
    public func present(
        _ suggestion: Suggestion, with companion: Suggestion? = nil, stage: NotificationStage = .offered,
        for lifetime: Duration, onlyIfGone: Bool = false
    ) async throws -> PresentationResult {
        try await show(
            suggestion, with: companion, amongst: nil, stage: stage, for: lifetime, onlyIfGone: onlyIfGone)
    }

    /// Asks which of several suggestions is wanted, as ``present(_:with:for:)`` shows one. Events bear the identifier of the
    /// first, and the place of what was chosen.
    ///
    /// - Parameters:
    ///   - question: what the suggestions differ in.
    ///   - choices: at most so many as a person reads at once; with none nothing is shown.
    public func ask(
        _ question: NotificationQuestion, _ choices: [Suggestion], for lifetime: Duration
    ) async throws -> PresentationResult {
        guard let first = choices.first else { return .unanswerable }
        return try await show(first, with: nil, amongst: (question, choices), stage: .offered, for: lifetime)
    }

    /// Tells that the app of a suggestion, which the person just turned down, is not suggested for a while. Nothing is told
    /// while another suggestion is shown. Events bear the identifier of the suggestion.
    ///
    /// - Throws: ``DBusError`` with the name `…Disconnected` when the bus is gone; `CancellationError`.
    public func tellOfMute(of suggestion: Suggestion, for time: Duration) async throws {
        await turns.begin()
        defer { turns.end() }
        guard current == nil else { return }
        do {
            guard let server = try await findServer(), try await !isInhibited(server) else { return }
            let content = NotificationContent(
                muting: suggestion, for: server, desktopEntry: desktopEntry,
                days: Int(time.components.seconds / 86_400), time: popupTime)
            _ = try await notify(suggestion.id, content, server)
        } catch let error as DBusError where error.name != .disconnected {
            // It is told once or not at all; “hunch muted” lists it.
        }
    }

    private func show(
        _ suggestion: Suggestion, with companion: Suggestion?,
        amongst choices: (question: NotificationQuestion, suggestions: [Suggestion])?,
        stage: NotificationStage, for lifetime: Duration, onlyIfGone: Bool = false
    ) async throws -> PresentationResult {
        await turns.begin()
        defer { turns.end() }
        if onlyIfGone, let current, current.suggestion == suggestion.id { return .shown(current.number) }
        _ = try await subscribe()
        do {
            guard let server = try await findServer() else {
                current = nil
                return .noServer
            }
            if try await isInhibited(server) {
                try close()
                return .inhibited
            }
            if choices != nil, !server.showsActions {
                try close()
                return .unanswerable
            }
            let content = NotificationContent(
                suggestion, with: companion, amongst: choices, stage: stage, for: server, desktopEntry: desktopEntry,
                time: min(lifetime, popupTime))
            let number = try await notify(suggestion.id, content, server)
            return .shown(number)
        } catch let error as DBusError where error.name != .disconnected {
            try close()
            return Self.meansAbsence(error) ? .noServer : .refused(error)
        }
    }

    /// Takes a suggestion off the screen and out of the server's list; does nothing when it is not shown.
    ///
    /// - Throws: ``DBusError`` with the name `…Disconnected` when the bus is gone.
    public func withdraw(_ suggestion: Suggestion.ID) async throws {
        await turns.begin()
        defer { turns.end() }
        guard current?.suggestion == suggestion else { return }
        try close()
    }

    /// The suggestion that is shown.
    public var shownSuggestion: Suggestion.ID? { current?.suggestion }

    private func notify(
        _ suggestion: Suggestion.ID, _ content: NotificationContent, _ server: NotificationServer
    ) async throws -> UInt32 {
        let replaced = current?.owner == server.owner ? current?.number : nil
        isNotifying = true
        var next: Shown?
        defer {
            isNotifying = false
            settle(next)
        }
        let reply = try await bus.reply(
            to: call("Notify", of: server, content.arguments(replacing: replaced ?? 0)), timeout: deadline)
        let number = try reply.arguments(UInt32.self)
        guard number != 0 else {
            throw DBusError(.failed, "the notification server \(server.name) gave no number to a notification")
        }
        next = Shown(
            suggestion: suggestion, number: number, owner: server.owner, traits: server.traits, since: reply.arrival)
        if let replaced, replaced != number {
            // It should have kept the number; what it did with the former one is its secret.
            try await bus.send(call("CloseNotification", of: server, [.uint32(replaced)]))
        }
        return number
    }

    /// Takes what is shown off the screen. What its server answers does not matter: it may be closed already.
    func close() throws {
        guard let shown = current else { return }
        current = nil
        let call = MethodCall(
            shown.owner, .notifications, .notifications, "CloseNotification", body: [.uint32(shown.number)],
            startsService: false)
        try bus.assumeIsolated { try $0.send(call) }
    }

    // MARK: The server

    /// The notification server as it is now; `nil` when there is none. One that can be started is started.
    ///
    /// - Throws: ``DBusError`` when it does not answer, or with the name `…Disconnected` when the bus is gone.
    public func server() async throws -> NotificationServer? {
        do {
            return try await findServer()
        } catch let error as DBusError where Self.meansAbsence(error) {
            return nil
        }
    }

    /// Whether the person asked this server not to be disturbed. A server that does not say is not inhibited.
    ///
    /// - Throws: ``DBusError`` with the name `…Disconnected` when the bus is gone; `CancellationError`.
    public func isInhibited(_ server: NotificationServer) async throws -> Bool {
        guard let inhibition = server.inhibition else { return false }
        do {
            switch inhibition {
            case .property(let interface, let property):
                return try await Proxy(bus, server.owner, .notifications).property(
                    interface, property, timeout: deadline)
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

    private func findServer() async throws -> NotificationServer? {
        var owner = try await bus.owner(of: .notifications)
        if owner == nil {
            // The bus starts one if it knows how; the sender of the answer is the new owner.
            owner = try await bus.reply(
                to: MethodCall(.notifications, .notifications, .notifications, "GetServerInformation"),
                timeout: deadline
            ).sender
        }
        guard let owner else { return nil }
        if let known, known.owner == owner { return known }
        let proxy = Proxy(bus, owner, .notifications)
        // name, vendor, version and, from most, the version of the specification
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

    private func call(_ member: MemberName, of server: NotificationServer, _ body: [Value]) -> MethodCall {
        MethodCall(server.owner, .notifications, .notifications, member, body: body, startsService: false)
    }

    /// Whether an error says that nobody is there, and that nobody could be started.
    private static func meansAbsence(_ error: DBusError) -> Bool {
        [.serviceUnknown, .nameHasNoOwner].contains(error.name)
            || error.name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            || error.name.rawValue.hasPrefix("org.freedesktop.systemd1.")
    }
}
