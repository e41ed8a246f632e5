import Glibc
import EventLoops
import HunchDBus
import TestSupport

/// The messages of a service to the service manager by sd_notify(3).
struct NotifyMessages: Sendable {
    fileprivate let received = Watched<[String]>([])
    private let taken = Watched(0)

    /// The next message.
    func next() async throws -> String {
        let index = taken.update { taken in
            taken += 1
            return taken - 1
        }
        return try await withDeadline(.seconds(30), "message \(index) to the service manager") { [received] in
            try await received.wait { $0.count > index ? $0[index] : nil }
        }
    }
}

/// Acts as the service manager, with a datagram socket at `path`.
nonisolated(nonsending) func withNotifySocket<Value>(
    at path: String, _ body: nonisolated(nonsending) (NotifyMessages) async throws -> Value
) async throws -> Value {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw BenchError("no socket could be made (errno \(errno))") }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard status == 0 else { throw BenchError("\(path) cannot be bound (errno \(errno))") }
    let messages = NotifyMessages()
    let loop = try EventLoop()
    try loop.start()
    loop.execute {
        _ = loop.watch(descriptor, for: .readable) { _ in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { messages.received.update { $0.append(String(decoding: buffer[..<count], as: UTF8.self)) } }
        }
    }
    defer { loop.stop() }
    return try await body(messages)
}
