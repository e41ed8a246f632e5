internal import Glibc
internal import Synchronization

/// A file descriptor that is owned: it is closed exactly once, when the last reference goes, unless it was taken.
public final class UnixDescriptor: Sendable {
    private let descriptor: Mutex<Int32>

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    /// Owns a duplicate of an open descriptor, which stays the caller's own.
    ///
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` when the process has no descriptor left, or
    ///   `…InvalidArgs` when it is not open.
    public init(duplicating descriptor: Int32) throws(DBusError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        // −1: nothing was made, errno tells why.
        guard copy >= 0 else {
            let code = errno
            throw DBusError(
                code == EBADF ? .invalidArgs : .limitsExceeded,
                "cannot duplicate descriptor \(descriptor): \(String(cString: strerror(code)))")
        }
        self.descriptor = Mutex(copy)
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { close($0) } }
    }

    /// Lends the descriptor's number; −1 once it was taken. It must not be closed, nor used after the call.
    public func withDescriptor<Result, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(descriptor.withLock { $0 })
    }

    /// Gives the descriptor away: whoever takes it closes it. −1 when it was taken before.
    public func take() -> Int32 {
        descriptor.withLock { held in
            defer { held = -1 }
            return held
        }
    }
}

extension UnixDescriptor: Hashable {
    /// Whether both are the same owner.
    public static func == (left: UnixDescriptor, right: UnixDescriptor) -> Bool { left === right }
    /// Hashes the owner's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
