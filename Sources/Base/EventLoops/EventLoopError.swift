internal import Glibc

/// A failure of the system to provide a descriptor or a thread.
public struct EventLoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure and the system's reason.
    public let description: String

    init(_ failure: String, code: Int32? = nil) {
        description = code.map { "\(failure): \(String(cString: strerror($0)))" } ?? failure
    }
}
