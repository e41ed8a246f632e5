internal import CDBus

/// A connection to a message bus.
///
/// Every use of libdbus is confined to the event loop, on which this actor runs. The connection stays open until
/// ``close()`` or until the bus goes away; then all that waits is resumed with `…Disconnected`, streams end, and
/// ``closed()`` returns why. The process is never ended by it. A connection that nobody holds any more closes itself.
///
///     let bus = try await Connection.open(.session(), on: loop)
///     let owner: String = try await bus.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId")
public actor Connection {
    /// The loop that the connection lives on.
    public nonisolated let loop: EventLoop
    /// The sizes that it enforces.
    public nonisolated let limits: ConnectionLimits

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    enum State {
        case open
        case closed(DBusError)
    }

    let raw: OpaquePointer
    var state = State.open
    var uniqueNameIfKnown: BusName?
    var pending: [UInt32: PendingCall] = [:]
    var arrivals: UInt64 = 0
    var signatures = SignatureCache()
    var watches: [OpaquePointer: DescriptorWatch] = [:]
    var isDispatching = false
    private var closeWaiters: [Int: CheckedContinuation<DBusError?, Never>] = [:]
    var subscriptions: [Int: Subscription] = [:]
    /// Numbers for subscriptions, rules and waiters.
    var nextIdentifier = 0
    var matches: [String: MatchState] = [:]
    var owners: [BusName: OwnerState] = [:]
    /// Well-known names whose owners are tracked because they were called, the last called last.
    var destinations: [BusName] = []
    var callHandler: (@Sendable (Message) -> Bool)?
    var knownProcesses = KnownProcesses()

    /// Connects and says hello.
    ///
    /// - Parameters:
    ///   - address: where the bus listens.
    ///   - loop: a running loop.
    ///   - deadline: how long the bus may take to answer.
    /// - Throws: ``DBusError``: `…NoServer` or `…BadAddress` when the bus cannot be reached, `…NoReply` when it does
    ///   not answer.
    public static func open(
        _ address: BusAddress, on loop: EventLoop, limits: ConnectionLimits = ConnectionLimits(),
        deadline: Duration = .seconds(10)
    ) async throws -> Connection {
        let raw = try await withCheckedThrowingContinuation { continuation in
            loop.execute { continuation.resume(with: Result { try connect(to: address) }) }
        }
        let connection = try await Connection(raw, loop, limits)
        do {
            try await connection.greet(deadline)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(_ raw: Confined, _ loop: EventLoop, _ limits: ConnectionLimits) async throws {
        self.loop = loop
        self.limits = limits
        self.raw = raw.pointer
        dbus_connection_set_exit_on_disconnect(self.raw, 0)
        try install()
    }

    private static func connect(to address: BusAddress) throws(DBusError) -> Confined {
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        // NULL: nothing was opened and the error is set, ours to free.
        guard let raw = dbus_connection_open_private(address.text, &error) else {
            defer { dbus_error_free(&error) }
            throw DBusError(
                DBusError.Name(rawValue: String(cString: error.name)),
                "cannot reach the bus at \(address): \(String(cString: error.message))")
        }
        return Confined(pointer: raw)
    }

    isolated deinit {
        for subscription in subscriptions.values { subscription.buffer.finish() }
        closeTransport()
        dbus_connection_unref(raw)
    }

    /// The unique name that the bus gave to this connection.
    public var uniqueName: BusName? { uniqueNameIfKnown }

    /// Whether messages can still be sent.
    public var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    /// How many calls wait for their reply.
    public var pendingCallCount: Int { pending.count }

    private func greet(_ deadline: Duration) async throws {
        let reply = try await reply(
            to: MethodCall(.bus, .bus, .bus, "Hello"), timeout: deadline)
        uniqueNameIfKnown = try BusName(reply.arguments(String.self))
    }

    /// Closes the connection at once; what has not been written yet is dropped. Everything that waits on it is resumed
    /// with `…Disconnected`, and streams end.
    public func close() {
        finish(DBusError(.disconnected, "the connection was closed"))
    }

    /// Waits until the connection is closed, by either side, and tells why; `nil` when the task is cancelled meanwhile.
    public func closed() async -> DBusError? {
        nextIdentifier += 1
        let waiter = nextIdentifier
        let ticket = Ticket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if case .closed(let reason) = state { return continuation.resume(returning: reason) }
                if ticket.isCancelled { return continuation.resume(returning: nil) }
                closeWaiters[waiter] = continuation
            }
        } onCancel: {
            loop.execute { [weak self] in
                ticket.isCancelled = true
                self?.assumeIsolated { $0.closeWaiters.removeValue(forKey: waiter)?.resume(returning: nil) }
            }
        }
    }

    func finish(_ reason: DBusError) {
        guard case .open = state else { return }
        state = .closed(reason)
        let calls = pending
        pending = [:]
        for (_, call) in calls {
            loop.cancel(call.timer)
            call.complete(.failure(reason))
        }
        for subscription in subscriptions.values { subscription.buffer.finish() }
        subscriptions = [:]
        matches = [:]
        owners = [:]
        destinations = []
        callHandler = nil
        for waiter in closeWaiters.values { waiter.resume(returning: reason) }
        closeWaiters = [:]
        closeTransport()
    }

    private func closeTransport() {
        dbus_connection_set_watch_functions(raw, nil, nil, nil, nil, nil)
        dbus_connection_set_dispatch_status_function(raw, nil, nil, nil)
        for watch in watches.values { loop.remove(watch) }
        watches = [:]
        dbus_connection_close(raw)
    }
}

extension BusName {
    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}

extension ObjectPath {
    /// The bus's own object.
    public static let bus: ObjectPath = "/org/freedesktop/DBus"
}

extension InterfaceName {
    /// The bus's own interface.
    public static let bus: InterfaceName = "org.freedesktop.DBus"
    /// The standard interface for reading, setting and following properties.
    public static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    /// The standard interface for trees of objects that come and go.
    public static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
    /// The standard interface for describing objects.
    public static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
    /// The standard interface that every connection answers.
    public static let peer: InterfaceName = "org.freedesktop.DBus.Peer"
}
