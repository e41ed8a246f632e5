import CDBus
import TestSupport

@testable import HunchDBus

/// A message outside any connection, to write to and read from.
final class MessageForm {
    let raw: OpaquePointer

    init() throws {
        guard let raw = dbus_message_new_signal("/", "a.b", "c") else { throw BenchError("out of memory") }
        self.raw = raw
    }

    deinit { dbus_message_unref(raw) }

    /// Writes a body, and returns the length that the encoder computed, in bytes.
    @discardableResult
    func write(_ values: [Value], limit: Int = 1 << 27) throws -> Int {
        var encoder = MessageEncoder(limit: limit)
        try encoder.append(values, to: raw)
        return encoder.offset
    }

    func read(limit: Int = 32 << 20) throws -> (body: [Value], cost: Int) {
        var decoder = MessageDecoder(limit: limit)
        var cache = SignatureCache()
        return (try decoder.body(of: raw, cache: &cache), decoder.cost)
    }

    /// Returns the length of the whole message as libdbus marshals it, in bytes.
    func marshalledLength() throws -> Int {
        dbus_message_set_serial(raw, 1)
        var bytes: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        guard dbus_message_marshal(raw, &bytes, &length) != 0 else {
            throw BenchError("the message cannot be marshalled")
        }
        dbus_free(bytes)
        return Int(length)
    }
}
