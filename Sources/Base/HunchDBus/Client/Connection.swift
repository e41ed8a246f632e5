public import EventLoops
internal import CDBus

/// A connection to a message bus.
///
/// All use of libdbus is confined to the event loop, on which this actor runs. The connection stays open until
/// ``close()`` or until the bus goes away. Then all pending calls fail with `…Disconnected`, streams end, and
/// ``closed()`` returns the reason. The process keeps running. A connection closes itself when its last reference is
/// released.
///
///     let bus = try await Connection.open(.session(), on: loop)
///     let owner: String = try await bus.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId")
public actor Connection: LoopActor {
    /// The loop that the connection runs on.
    public nonisolated let loop: EventLoop
    /// The limits that the connection enforces.
    public nonisolated let limits: ConnectionLimits

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
    /// The number of attempts in a row to read a message for which libdbus lacked memory.
    var failedReads = 0
    private var closeWaiters: [Int: CheckedContinuation<DBusError?, Never>] = [:]
    var subscriptions: [Int: Subscription] = [:]
    /// The last identifier of a subscription, rule or waiter.
    var nextIdentifier = 0
    var matches: [String: MatchState] = [:]
    var owners: [BusName: OwnerState] = [:]
    /// The well-known names whose owners are tracked because they were called, the most recently called last.
    var destinations: [BusName] = []
    var callHandler: (@Sendable (Message) -> Bool)?
    /// The `ObjectServer` that ``callHandler`` passes calls to.
    weak var server: AnyObject?
    var knownProcesses = KnownProcesses()

    /// Connects to a bus and registers with it.
    ///
    /// - Parameters:
    ///   - address: the address of the bus.
    ///   - loop: a running loop.
    ///   - deadline: the maximum time for the bus to answer.
    /// - Throws: ``DBusError``: `…NoServer` or `…BadAddress` if unreachable, `…NoReply` if the bus does not answer.
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
        // NULL: nothing was opened, the error is set, and we free it.
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

    /// The number of calls that wait for their reply.
    public var pendingCallCount: Int { pending.count }

    private func greet(_ deadline: Duration) async throws {
        let reply = try await reply(
            to: MethodCall(.bus, .bus, .bus, "Hello"), timeout: deadline)
        uniqueNameIfKnown = try BusName(reply.arguments(String.self))
    }

    /// Closes the connection at once, dropping unsent messages. Calls fail with `…Disconnected`, and streams end.
    public func close() {
        finish(DBusError(.disconnected, "the connection was closed"))
    }

    /// Waits until either side closes the connection and returns the reason, or `nil` if the task is cancelled first.
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
            execute {
                ticket.isCancelled = true
                $0.closeWaiters.removeValue(forKey: waiter)?.resume(returning: nil)
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
    /// The name of the bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}

extension ObjectPath {
    /// The path of the bus's own object.
    public static let bus: ObjectPath = "/org/freedesktop/DBus"
}

extension InterfaceName {
    /// The bus's own interface.
    public static let bus: InterfaceName = "org.freedesktop.DBus"
    /// The standard interface for reading, setting and following properties.
    public static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    /// The standard interface for announcing objects that are added and removed.
    public static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
    /// The standard interface for describing objects.
    public static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
    /// The standard interface that every connection provides.
    public static let peer: InterfaceName = "org.freedesktop.DBus.Peer"
}
