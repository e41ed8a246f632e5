internal import CDBus

/// A connection to a message bus.
///
/// Every use of libdbus is confined to the event loop, on which this actor runs. The connection stays open until
/// ``close()`` or until the bus goes away; then all that waits is resumed with `…Disconnected`, streams end, and
/// ``closed()`` returns why. The process is never ended by it.
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

    struct PendingCall {
        let continuation: CheckedContinuation<Message, any Error>
        let timer: LoopTimer
    }

    let raw: OpaquePointer
    var state = State.open
    var uniqueNameIfKnown: BusName?
    var pending: [UInt32: PendingCall] = [:]
    var arrivals: UInt64 = 0
    var signatures = SignatureCache()
    var watches: [OpaquePointer: DescriptorWatch] = [:]
    var isDispatching = false
    var closeWaiters: [CheckedContinuation<DBusError, Never>] = []
    var subscriptions: [Int: Subscription] = [:]
    var nextSubscription = 0
    var matches: [String: MatchState] = [:]
    var owners: [BusName: OwnerState] = [:]
    var callHandler: (@Sendable (Confined, Connection) -> Bool)?

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
        let connection = try await Connection(address, loop, limits)
        do {
            try await connection.greet(deadline)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(_ address: BusAddress, _ loop: EventLoop, _ limits: ConnectionLimits) async throws {
        self.loop = loop
        self.limits = limits
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        // NULL: nothing was opened and the error is set, ours to free.
        guard let raw = dbus_connection_open_private(address.text, &error) else {
            defer { dbus_error_free(&error) }
            throw DBusError(
                DBusError.Name(rawValue: String(cString: error.name)),
                "cannot reach the bus at \(address): \(String(cString: error.message))")
        }
        self.raw = raw
        dbus_connection_set_exit_on_disconnect(raw, 0)
        try install()
    }

    isolated deinit {
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

    private func greet(_ deadline: Duration) async throws {
        let reply = try await reply(
            to: MethodCall(.bus, .bus, .bus, "Hello"), timeout: deadline)
        uniqueNameIfKnown = try BusName(reply.arguments(String.self))
    }

    /// Closes the connection. Everything that waits on it is resumed with `…Disconnected`.
    public func close() {
        finish(DBusError(.disconnected, "the connection was closed"))
    }

    /// Waits until the connection is closed, by either side, and tells why.
    public func closed() async -> DBusError {
        if case .closed(let reason) = state { return reason }
        return await withCheckedContinuation { closeWaiters.append($0) }
    }

    func finish(_ reason: DBusError) {
        guard case .open = state else { return }
        state = .closed(reason)
        let calls = pending
        pending = [:]
        for (_, call) in calls {
            loop.cancel(call.timer)
            call.continuation.resume(throwing: reason)
        }
        for subscription in subscriptions.values { subscription.buffer.finish() }
        subscriptions = [:]
        for match in matches.values { match.fail(reason) }
        matches = [:]
        owners = [:]
        callHandler = nil
        for waiter in closeWaiters { waiter.resume(returning: reason) }
        closeWaiters = []
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
