internal import Glibc

/// Reports the service state to the service manager (sd_notify(3)): one datagram to the socket in `NOTIFY_SOCKET`.
/// Does nothing without that variable.
struct ServiceNotifier {
    private let socketName: String?

    init(environment: [String: String]) {
        socketName = environment["NOTIFY_SOCKET"]
    }

    /// Reports that the service is ready.
    package func ready() { send("READY=1") }

    /// Reports that the service is stopping.
    func stopping() { send("STOPPING=1") }

    private func send(_ text: String) {
        guard let socketName, socketName.hasPrefix("/") || socketName.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(socketName.utf8)
        // A leading “@” stands for the zero byte of an abstract socket name.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // −1: no descriptors left. Then only the bus name signals readiness.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(text.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, length)
            }
        }
    }
}
