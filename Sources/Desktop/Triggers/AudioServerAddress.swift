/// The address at which libpulse looks for the audio server.
struct AudioServerAddress {
    /// Returns the path of the server's socket; `nil` if the server has no socket on this machine.
    ///
    /// - Parameters:
    ///   - server: libpulse's server string; `nil` to search `environment` in libpulse's own order.
    ///   - environment: returns the value of an environment variable.
    static func socket(of server: String?, environment: (String) -> String?) -> String? {
        func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let server = server ?? variable("PULSE_SERVER") {
            // A list of servers. Each may have the machine that it applies to in braces before it.
            for entry in server.split(separator: " ") {
                let address = entry.hasPrefix("{") ? entry.drop { $0 != "}" }.dropFirst() : entry
                let path = address.hasPrefix("unix:") ? address.dropFirst(5) : address
                if path.hasPrefix("/") { return String(path) }
            }
            return nil
        }
        if let folder = variable("PULSE_RUNTIME_PATH") { return folder + "/native" }
        return variable("XDG_RUNTIME_DIR").map { $0 + "/pulse/native" }
    }
}
