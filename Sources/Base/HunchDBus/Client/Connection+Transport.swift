internal import EventLoops
internal import CDBus

// libdbus calls back on the loop's thread only, because all calls into it are made there. The callbacks' data pointer
// is the unretained connection. `closeTransport` removes the callbacks before the connection is freed.

private func connection(_ data: UnsafeMutableRawPointer?) -> Connection? {
    data.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// A pointer that a callback passes to the actor on the same thread.
struct Confined: @unchecked Sendable {  // never leaves the loop's thread
    let pointer: OpaquePointer
}

extension Connection {
    /// The number of attempts in a row to read a message without memory for it.
    private static let mostFailedReads = 20
    /// The time between two attempts.
    private static let retryTime = Duration.milliseconds(100)

    /// Connects libdbus to the loop.
    func install() throws(DBusError) {
        let data = Unmanaged.passUnretained(self).toOpaque()
        let watched = dbus_connection_set_watch_functions(
            raw,
            { watch, data in
                guard let watch, let owner = connection(data) else { return 0 }
                let confined = Confined(pointer: watch)
                owner.assumeIsolated { $0.add(confined.pointer) }
                return 1
            },
            { watch, data in
                guard let watch, let owner = connection(data) else { return }
                let confined = Confined(pointer: watch)
                owner.assumeIsolated { $0.remove(confined.pointer) }
            },
            { watch, data in
                guard let watch, let owner = connection(data) else { return }
                let confined = Confined(pointer: watch)
                owner.assumeIsolated { $0.toggle(confined.pointer) }
            }, data, nil)
        let filtered = dbus_connection_add_filter(
            raw,
            { _, message, data in
                guard let message, let owner = connection(data) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
                let confined = Confined(pointer: message)
                let handled = owner.assumeIsolated { $0.receive(confined.pointer) }
                return handled ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
            }, data, nil)
        // FALSE: out of memory; installed functions are freed with the connection.
        guard watched != 0, filtered != 0 else { throw DBusError(.noMemory, "out of memory") }
        dbus_connection_set_dispatch_status_function(
            raw,
            { _, status, data in
                guard status == DBUS_DISPATCH_DATA_REMAINS, let owner = connection(data) else { return }
                owner.assumeIsolated { if !$0.isDispatching { $0.scheduleDispatch() } }
            }, data, nil)
    }

    private func add(_ watch: OpaquePointer) {
        watches[watch] = loop.watch(
            dbus_watch_get_unix_fd(watch), for: Self.events(of: watch), enabled: dbus_watch_get_enabled(watch) != 0
        ) { [weak self] events in
            let confined = Confined(pointer: watch)
            self?.assumeIsolated { $0.handle(confined.pointer, events) }
        }
    }

    private func remove(_ watch: OpaquePointer) {
        if let registered = watches.removeValue(forKey: watch) { loop.remove(registered) }
    }

    private func toggle(_ watch: OpaquePointer) {
        guard let registered = watches[watch] else { return }
        loop.update(registered, events: Self.events(of: watch), enabled: dbus_watch_get_enabled(watch) != 0)
    }

    private static func events(of watch: OpaquePointer) -> DescriptorEvents {
        let flags = dbus_watch_get_flags(watch)
        var events: DescriptorEvents = []
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { events.insert(.readable) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events.insert(.writable) }
        return events
    }

    private func handle(_ watch: OpaquePointer, _ events: DescriptorEvents) {
        var flags: UInt32 = 0
        if events.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if events.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if events.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        if events.contains(.hangup) { flags |= DBUS_WATCH_HANGUP.rawValue }
        isDispatching = true
        // FALSE: out of memory; libdbus retries, because the descriptor stays ready.
        if dbus_watch_handle(watch, flags) == 0 { noteLackOfMemory() }
        dispatch()
    }

    /// Dispatches received messages, at most 64 at a time, so that a flood does not block the loop's other work.
    private func dispatch() {
        guard isOpen else { return }
        isDispatching = true
        defer { isDispatching = false }
        for _ in 0..<64 {
            switch dbus_connection_dispatch(raw) {
            case DBUS_DISPATCH_DATA_REMAINS:
                failedReads = 0
                guard isOpen else { return }
            case DBUS_DISPATCH_NEED_MEMORY: return noteLackOfMemory()
            default:
                failedReads = 0
                return
            }
        }
        scheduleDispatch()
    }

    /// Tries again a moment later, and closes the connection if libdbus lacks the memory for a message again and again. It
    /// keeps such a message, so that nothing else is read.
    private func noteLackOfMemory() {
        failedReads += 1
        guard failedReads < Self.mostFailedReads else {
            return finish(DBusError(.noMemory, "there is too little memory to read a message"))
        }
        _ = loop.schedule(after: Self.retryTime) { [weak self] in self?.assumeIsolated { $0.dispatch() } }
    }

    private func scheduleDispatch() {
        execute { $0.dispatch() }
    }

    /// Handles a message, or returns `false` to leave it to libdbus.
    private func receive(_ message: OpaquePointer) -> Bool {
        arrivals += 1
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
            receiveReply(message)
            return true
        case DBUS_MESSAGE_TYPE_SIGNAL:
            if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
                finish(DBusError(.disconnected, "the bus closed the connection"))
                return true
            }
            receiveSignal(message)
            return true
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            return receiveCall(message)
        default:
            return false
        }
    }

    private func receiveCall(_ message: OpaquePointer) -> Bool {
        guard let callHandler else { return false }
        let decoded: Message
        do {
            decoded = try decode(message)
        } catch {
            if dbus_message_get_no_reply(message) == 0, let sender = dbus_message_get_sender(message) {
                fail(error, dbus_message_get_serial(message), BusName(unchecked: String(cString: sender)))
            }
            return true
        }
        return callHandler(decoded)
    }

    /// Decodes a message with its arguments.
    ///
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` if the arguments are larger than allowed.
    func decode(_ message: OpaquePointer) throws(DBusError) -> Message {
        var decoder = MessageDecoder(limit: limits.decodedBytes)
        let body = try decoder.body(of: message, cache: &signatures)
        let kind: Message.Kind =
            switch dbus_message_get_type(message) {
            case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
            case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
            case DBUS_MESSAGE_TYPE_ERROR: .error
            default: .signal
            }
        var error: DBusError?
        if kind == .error {
            let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
            let text = if case .string(let text)? = body.first { text } else { "" }
            error = DBusError(DBusError.Name(rawValue: name), text)
        }
        return Message(
            kind: kind, serial: dbus_message_get_serial(message),
            sender: dbus_message_get_sender(message).map { BusName(unchecked: String(cString: $0)) },
            path: dbus_message_get_path(message).map { ObjectPath(unchecked: String(cString: $0)) },
            interface: dbus_message_get_interface(message).map { InterfaceName(unchecked: String(cString: $0)) },
            member: dbus_message_get_member(message).map { MemberName(unchecked: String(cString: $0)) },
            body: body, arrival: arrivals, expectsReply: dbus_message_get_no_reply(message) == 0,
            error: error, cost: decoder.cost)
    }
}
