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
                return PercentCoding.decode(pair.dropFirst(5))
            }
        }
        return nil
    }
}
