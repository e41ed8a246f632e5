internal import EventLoops
internal import CDBus

/// A call that waits for its reply.
struct PendingCall {
    enum Completion {
        case task(CheckedContinuation<Message, any Error>)
        case closure((Result<Message, any Error>) -> Void)
    }

    /// The name of the callee.
    let destination: BusName
    /// The connections whose reply counts: all that have owned the destination since the call was sent.
    var repliers: [BusName]
    let completion: Completion
    let timer: LoopTimer

    /// Returns whether a sender may reply. The bus itself answers for destinations that cannot.
    func accepts(_ sender: BusName) -> Bool { sender == .bus || repliers.contains(sender) }

    func complete(_ result: Result<Message, any Error>) {
        switch completion {
        case .task(let continuation): continuation.resume(with: result)
        case .closure(let body): body(result)
        }
    }
}

extension Connection {
    /// Calls a method and returns the reply.
    ///
    /// The call ends exactly once: with a reply, an error reply, the timeout, cancellation of the task, or the end of
    /// the connection. Later replies are dropped. Replies from connections other than the destination and the bus are
    /// dropped too, because a stock session bus lets any peer reply to any call.
    ///
    /// - Parameters:
    ///   - call: the call to make.
    ///   - timeout: the maximum time to wait for the reply.
    /// - Throws: ``DBusError``: the error reply, `…NoReply` after the timeout, `…Disconnected`, or `…InvalidArgs` and
    ///   `…LimitsExceeded` for arguments that cannot be sent or a reply that is too large; `CancellationError`.
    public func reply(to call: MethodCall, timeout: Duration = .seconds(25)) async throws -> Message {
        try await exchange(call, timeout: timeout).checked()
    }

    /// Like ``reply(to:timeout:)``, but also returns error replies.
    func exchange(_ call: MethodCall, timeout: Duration) async throws -> Message {
        try Task.checkCancellation()
        let message = try encode(call)
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !ticket.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                // Nothing suspends between sending and registering, so the reply cannot be read before.
                do {
                    try track(call.destination)
                    let serial = try transmit(message)
                    ticket.serial = serial
                    expect(serial, call, timeout, .task(continuation))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            execute {
                ticket.isCancelled = true
                if let serial = ticket.serial { $0.settle(serial, .failure(CancellationError())) }
            }
        }
    }

    /// Calls a method and passes the outcome to a closure, exactly once, on the loop.
    ///
    /// - Throws: ``DBusError`` if the call cannot be sent. The closure is not called then.
    func exchange(
        _ call: MethodCall, timeout: Duration, _ completion: @escaping (Result<Message, any Error>) -> Void
    ) throws(DBusError) {
        let message = try encode(call)
        try track(call.destination)
        expect(try transmit(message), call, timeout, .closure(completion))
    }

    private func expect(
        _ serial: UInt32, _ call: MethodCall, _ timeout: Duration, _ completion: PendingCall.Completion
    ) {
        let member = call.member
        let timer = schedule(after: timeout) {
            $0.settle(serial, .failure(DBusError(.noReply, "\(member) got no reply in \(timeout)")))
        }
        let repliers =
            call.destination.isUnique ? [call.destination] : [owners[call.destination]?.owner].compactMap(\.self)
        pending[serial] = PendingCall(
            destination: call.destination, repliers: repliers, completion: completion, timer: timer)
    }

    /// Calls a method with Swift values and returns the results as Swift values.
    ///
    ///     let (held, state): (Bool, UInt32) = try await bus.call(name, path, interface, "Query", "lamp")
    ///
    /// - Parameters:
    ///   - timeout: the maximum time to wait for the reply.
    ///   - startsService: whether the bus may start the service if the name has no owner.
    /// - Throws: the errors of ``reply(to:timeout:)``; ``DBusError`` with `…InvalidArgs` if the reply has other types.
    @inline(never)  // inlining it crashes the optimiser of Swift 6.3 (coroutine splitting)
    public nonisolated(nonsending) func call<each Argument: DBusRepresentable, each Result: DBusRepresentable>(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
        _ arguments: repeat each Argument, timeout: Duration = .seconds(25), startsService: Bool = true
    ) async throws -> (repeat each Result) {
        let call = MethodCall(
            destination, path, interface, member, body: PackedValues.write(repeat each arguments),
            startsService: startsService)
        let reply = try await reply(to: call, timeout: timeout)
        return try reply.arguments(repeat (each Result).self)
    }

    /// Calls a method and does not wait for the reply.
    ///
    /// - Throws: ``DBusError`` if the call cannot be sent; see ``reply(to:timeout:)``.
    public func send(_ call: MethodCall) throws(DBusError) {
        try send(call, beyondLimit: false)
    }

    /// - Parameter beyondLimit: whether to send the call even if ``ConnectionLimits/queuedBytes`` is exceeded.
    func send(_ call: MethodCall, beyondLimit: Bool) throws(DBusError) {
        let message = try encode(call)
        message.refuseReply()
        _ = try transmit(message, beyondLimit: beyondLimit)
    }

    /// Emits a signal.
    ///
    /// - Parameters:
    ///   - body: the arguments.
    ///   - destination: the only receiver; `nil` for all subscribers.
    /// - Throws: ``DBusError`` if it cannot be sent: `…Disconnected`, or `…InvalidArgs` and `…LimitsExceeded` for
    ///   invalid or too large arguments.
    public func emit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, body: [Value],
        to destination: BusName? = nil
    ) throws(DBusError) {
        try Self.refuseLocal(path, interface)
        let message = try OutgoingMessage(dbus_message_new_signal(path.text, interface.text, member.text))
        if let destination { try message.setDestination(destination) }
        try message.append(body, limit: bodyLimit(for: path))
        _ = try transmit(message)
    }

    /// Queues a message and returns its serial number. libdbus takes a reference of its own.
    func transmit(_ message: borrowing OutgoingMessage, beyondLimit: Bool = false) throws(DBusError) -> UInt32 {
        if case .closed(let reason) = state { throw reason }
        guard beyondLimit || dbus_connection_get_outgoing_size(raw) <= limits.queuedBytes else {
            throw DBusError(.limitsExceeded, "more than \(limits.queuedBytes) bytes wait to be sent; the bus is stuck")
        }
        let descriptors = Int32(UInt8(ascii: "h"))
        guard dbus_message_contains_unix_fds(message.raw) == 0 || dbus_connection_can_send_type(raw, descriptors) != 0
        else { throw DBusError(.notSupported, "this connection cannot carry file descriptors") }
        var serial: UInt32 = 0
        // FALSE: out of memory; nothing was queued.
        guard dbus_connection_send(raw, message.raw, &serial) != 0 else { throw DBusError(.noMemory, "out of memory") }
        return serial
    }

    private func encode(_ call: MethodCall) throws(DBusError) -> OutgoingMessage {
        try Self.refuseLocal(call.path, call.interface)
        let message = try OutgoingMessage(
            dbus_message_new_method_call(
                call.destination.text, call.path.text, call.interface.text, call.member.text))
        if !call.startsService { dbus_message_set_auto_start(message.raw, 0) }
        try message.append(call.body, limit: bodyLimit(for: call.path))
        return message
    }

    /// Returns the maximum length of a body, in bytes. The path is the only header field without a length limit.
    private func bodyLimit(for path: ObjectPath) -> Int { limits.sentBytes - path.text.utf8.count }

    /// Throws if the path or interface is reserved for libdbus. The bus disconnects clients that send such messages.
    private static func refuseLocal(_ path: ObjectPath, _ interface: InterfaceName) throws(DBusError) {
        if path.text == "/org/freedesktop/DBus/Local" || interface.text == "org.freedesktop.DBus.Local" {
            throw DBusError(.invalidArgs, "\(path), \(interface): the name “Local” is reserved")
        }
    }

    func receiveReply(_ message: OpaquePointer) {
        let serial = dbus_message_get_reply_serial(message)
        // No call waits: the timeout passed or the task was cancelled.
        guard let call = pending[serial] else { return }
        // Otherwise the reply is forged, since the bus sets the sender of every message. The call keeps waiting.
        guard let sender = dbus_message_get_sender(message), call.accepts(BusName(unchecked: String(cString: sender)))
        else { return }
        let result: Result<Message, any Error>
        do {
            result = .success(try decode(message))
        } catch {
            result = .failure(error)
        }
        settle(serial, result)
    }

    private func settle(_ serial: UInt32, _ result: Result<Message, any Error>) {
        guard let call = pending.removeValue(forKey: serial) else { return }
        loop.cancel(call.timer)
        call.complete(result)
    }
}
