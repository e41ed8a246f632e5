/// Where libpulse looks for the audio server, as far as it takes to see one come.
struct AudioServerAddress {
    /// The socket's path; nil when the server is not reached by a socket of this machine.
    ///
    /// - Parameters:
    ///   - server: libpulse's server string; nil for what `environment` says, in libpulse's own order.
    ///   - environment: looks a variable up.
    static func socket(of server: String?, environment: (String) -> String?) -> String? {
        func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let server = server ?? variable("PULSE_SERVER") {
            // A list of servers, each perhaps with the machine that it is for in braces before it.
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
