import FoundationEssentials
import Glibc

/// The event by which a daemon counts as started.
public struct Readiness: Sendable {
    let what: String
    /// Nil if there is nothing to wait for.
    let wait: (@Sendable (Daemon) async throws -> Void)?
    /// Whether `wait` itself throws when the daemon ends too early. A line may be the last thing that a program writes:
    /// somebody else who sees its end could not tell whether the line was read before.
    private(set) var noticesEnd = false

    /// A custom condition: `wait` returns when it holds. `what` completes "not ready: … did not happen".
    public init(_ what: String, _ wait: @escaping @Sendable (Daemon) async throws -> Void) {
        self.what = what
        self.wait = wait
    }

    private init() {
        what = "its start"
        wait = nil
    }

    /// Ready as soon as the process exists, even if it ends at once.
    public static let immediately = Readiness()

    /// Ready when it writes a line that contains `text`, to either output.
    public static func line(containing text: String) -> Readiness {
        var line = Readiness("a line with “\(text)”") {
            try await $0.waitForLine(containing: text, within: .seconds(600))
        }
        line.noticesEnd = true
        return line
    }

    /// Ready when `path` exists; the folder that holds it must exist from the start.
    public static func file(_ path: String) -> Readiness {
        Readiness("the file \(path)") { _ in try await waitForFile(at: path) }
    }

    /// Ready when a stream socket at `path` accepts connections.
    public static func socket(_ path: String) -> Readiness {
        Readiness("the socket \(path)") { _ in
            try await waitForFile(at: path)
            try await eventually("listening on \(path)", because: "a file appears at bind, nothing tells of listen") {
                accepts(path) ? () : nil
            }
        }
    }

    /// Ready when `name` has an owner on `bus`.
    public static func busName(_ name: String, on bus: PrivateBus) -> Readiness {
        Readiness("the bus name \(name)") { _ in try await bus.waitForOwner(of: name) }
    }
}

/// Whether a stream socket at `path` accepts a connection now.
private func accepts(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
