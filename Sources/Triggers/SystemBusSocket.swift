import HunchDBus
internal import HunchModel

/// The location of the system bus's socket.
enum SystemBusSocket {
    /// Returns the path of the first `unix:path=…` socket in an address; `nil` if there is none.
    ///
    /// Source: D-Bus Specification, "Server Addresses".
    static func path(of address: BusAddress) -> String? {
        for entry in address.text.split(separator: ";") where entry.hasPrefix("unix:") {
            for pair in entry.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=/") {
                return unescaped(pair.dropFirst(5))
            }
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
