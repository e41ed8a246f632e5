internal import CDBus

extension Connection {
    /// The server that gets the method calls; `nil` if there is none.
    var objectServer: ObjectServer? { server as? ObjectServer }

    /// Passes method calls to a server.
    func setServer(_ server: ObjectServer) {
        self.server = server
        callHandler = { [weak server] message in
            guard let server else { return false }
            server.assumeIsolated { $0.receive(message) }
            return true
        }
    }

    /// Sends a reply or an error reply. Sends an error reply instead of one that is too large or cannot be encoded.
    /// Does nothing on a closed connection.
    func reply(toSerial serial: UInt32, of caller: BusName, with result: Result<[Value], DBusError>) {
        guard isOpen else { return }
        switch result {
        case .success(let body):
            do {
                try send(body, as: DBUS_MESSAGE_TYPE_METHOD_RETURN, nil, serial, caller)
            } catch {
                fail(error, serial, caller)
            }
        case .failure(let error):
            fail(error, serial, caller)
        }
    }

    func fail(_ error: DBusError, _ serial: UInt32, _ caller: BusName) {
        // An error name must have the syntax of an interface name, or libdbus aborts.
        let name = (try? InterfaceName(error.name.rawValue))?.text ?? DBusError.Name.failed.rawValue
        let text = String(decoding: error.message.utf8.prefix(4_096).filter { $0 != 0 }, as: UTF8.self)
        // If even this cannot be sent, the bus is stuck or gone, and the caller cannot be told.
        try? send([.string(text)], as: DBUS_MESSAGE_TYPE_ERROR, name, serial, caller)
    }

    private func send(
        _ body: [Value], as type: Int32, _ errorName: String?, _ serial: UInt32, _ caller: BusName
    ) throws(DBusError) {
        let message = try OutgoingMessage(dbus_message_new(type))
        message.refuseReply()
        try message.setDestination(caller)
        // FALSE: out of memory.
        guard dbus_message_set_reply_serial(message.raw, serial) != 0,
            errorName == nil || dbus_message_set_error_name(message.raw, errorName) != 0
        else { throw DBusError(.noMemory, "out of memory") }
        // An error reply is short. It must be sent even if the reply was refused for its length.
        try message.append(body, limit: errorName == nil ? limits.sentBytes : .max)
        _ = try transmit(message)
    }
}
