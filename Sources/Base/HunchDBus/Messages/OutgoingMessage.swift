internal import CDBus

/// A message to send. Owns one reference to libdbus's message and releases it exactly once.
struct OutgoingMessage: ~Copyable {
    /// The message, which is valid as long as this value.
    let raw: OpaquePointer

    /// Takes over the reference that a constructor of libdbus returned; NULL if memory is exhausted.
    init(_ raw: OpaquePointer?) throws(DBusError) {
        guard let raw else { throw DBusError(.noMemory, "out of memory") }
        self.raw = raw
    }

    deinit { dbus_message_unref(raw) }

    /// Sets the receiver.
    func setDestination(_ name: BusName) throws(DBusError) {
        // FALSE: out of memory.
        guard dbus_message_set_destination(raw, name.text) != 0 else { throw DBusError(.noMemory, "out of memory") }
    }

    /// Asks the receiver not to reply.
    func refuseReply() { dbus_message_set_no_reply(raw, 1) }

    /// Appends arguments.
    ///
    /// - Parameter limit: the maximum length of the body, in bytes.
    func append(_ body: [Value], limit: Int) throws(DBusError) {
        var encoder = MessageEncoder(limit: limit)
        try encoder.append(body, to: raw)
    }
}
