import HunchDBus
internal import HunchModel

/// Where the system bus listens, as far as it takes to see it come.
enum SystemBusSocket {
    /// Path of the socket in an address: the first one of `unix:path=…`; nil when there is none.
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
