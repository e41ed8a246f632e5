internal import CDBus

extension Connection {
    /// Calls a method and returns the reply.
    ///
    /// The call ends exactly once: by the reply, an error reply, the deadline, cancellation of the task, or the end of
    /// the connection. A reply that comes later is dropped.
    ///
    /// - Parameters:
    ///   - call: what to call.
    ///   - timeout: how long to wait for the reply.
    /// - Throws: ``DBusError``: the error reply, `…NoReply` at the deadline, `…Disconnected`, or `…InvalidArgs` and
    ///   `…LimitsExceeded` for arguments that cannot be sent; `CancellationError`.
    public func reply(to call: MethodCall, timeout: Duration = .seconds(25)) async throws -> Message {
        try await exchange(call, timeout: timeout).checked()
    }

    /// As ``reply(to:timeout:)``, but an error reply is returned too.
    func exchange(_ call: MethodCall, timeout: Duration) async throws -> Message {
        try Task.checkCancellation()
        let message = try encode(call)
        defer { dbus_message_unref(message) }
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !ticket.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                // Sent and awaited in one go on the loop's thread, so that no reply is read in between: a suspension
                // point between the two, even one that does not seem to suspend, may let the loop turn.
                do {
                    let serial = try transmit(message)
                    ticket.serial = serial
                    let timer = loop.schedule(after: timeout) { [weak self] in
                        self?.assumeIsolated {
                            $0.settle(
                                serial, .failure(DBusError(.noReply, "\(call.member) got no reply in \(timeout)")))
                        }
                    }
                    pending[serial] = PendingCall(continuation: continuation, timer: timer)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            loop.execute { [weak self] in
                ticket.isCancelled = true
                guard let serial = ticket.serial else { return }
                self?.assumeIsolated { $0.settle(serial, .failure(CancellationError())) }
            }
        }
    }

    /// What a call and its cancellation tell each other.
    private final class Ticket: @unchecked Sendable {  // touched on the loop's thread alone
        var serial: UInt32?
        var isCancelled = false
    }

    /// Calls a method with Swift values and returns Swift values.
    ///
    ///     let (held, state): (Bool, UInt32) = try await bus.call(name, path, interface, "Query", "lamp")
    ///
    /// - Throws: as ``reply(to:timeout:)``; ``DBusError`` with the name `…InvalidArgs` when the reply has other types.
    @inline(never)  // inlined, it crashes the optimiser of Swift 6.3 (coroutine splitting)
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

    /// Calls a method without waiting for what becomes of it.
    ///
    /// - Throws: ``DBusError`` when it cannot be sent.
    public func send(_ call: MethodCall) throws(DBusError) {
        let message = try encode(call)
        defer { dbus_message_unref(message) }
        dbus_message_set_no_reply(message, 1)
        _ = try transmit(message)
    }

    /// Emits a signal.
    ///
    /// - Parameter destination: the only receiver; `nil` for all that are interested.
    /// - Throws: ``DBusError`` when it cannot be sent.
    public func emit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, body: [Value],
        to destination: BusName? = nil
    ) throws(DBusError) {
        // NULL: out of memory.
        guard let message = dbus_message_new_signal(path.text, interface.text, member.text) else {
            throw DBusError(.noMemory, "out of memory")
        }
        defer { dbus_message_unref(message) }
        if let destination, dbus_message_set_destination(message, destination.text) == 0 {
            throw DBusError(.noMemory, "out of memory")
        }
        var encoder = MessageEncoder(limit: limits.sentBytes)
        try encoder.append(body, to: message)
        _ = try transmit(message)
    }

    /// Queues a message and returns the serial that it got. The message stays the caller's.
    func transmit(_ message: OpaquePointer) throws(DBusError) -> UInt32 {
        if case .closed(let reason) = state { throw reason }
        guard dbus_connection_get_outgoing_size(raw) <= limits.queuedBytes else {
            throw DBusError(.limitsExceeded, "more than \(limits.queuedBytes) bytes wait to be sent; the bus is stuck")
        }
        var serial: UInt32 = 0
        // FALSE: out of memory, nothing was queued.
        guard dbus_connection_send(raw, message, &serial) != 0 else { throw DBusError(.noMemory, "out of memory") }
        return serial
    }

    /// The message is the caller's to unref.
    private func encode(_ call: MethodCall) throws(DBusError) -> OpaquePointer {
        // NULL: out of memory.
        guard
            let message = dbus_message_new_method_call(
                call.destination.text, call.path.text, call.interface.text, call.member.text)
        else { throw DBusError(.noMemory, "out of memory") }
        do {
            if !call.startsService { dbus_message_set_auto_start(message, 0) }
            var encoder = MessageEncoder(limit: limits.sentBytes)
            try encoder.append(call.body, to: message)
        } catch {
            dbus_message_unref(message)
            throw error
        }
        return message
    }

    func receiveReply(_ message: OpaquePointer) -> Bool {
        let serial = dbus_message_get_reply_serial(message)
        guard pending[serial] != nil else { return false }
        let result: Result<Message, any Error>
        do {
            result = .success(try decode(message))
        } catch {
            result = .failure(error)
        }
        settle(serial, result)
        return true
    }

    private func settle(_ serial: UInt32, _ result: Result<Message, any Error>) {
        guard let call = pending.removeValue(forKey: serial) else { return }
        loop.cancel(call.timer)
        call.continuation.resume(with: result)
    }
}
