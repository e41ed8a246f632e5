internal import Glibc
internal import Synchronization

/// A file descriptor that is owned: it is closed exactly once, when the last reference goes, unless it was taken.
public final class UnixDescriptor: Sendable {
    private struct State {
        var number: Int32
        var loans = 0
        /// What was taken while it was lent; closed when the last loan ends.
        var leftover: Int32 = -1
    }

    private let state: Mutex<State>

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: Int32) {
        state = Mutex(State(number: descriptor))
    }

    /// Owns a duplicate of an open descriptor, which stays the caller's own.
    ///
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` when the process has no descriptor left, or
    ///   `…InvalidArgs` when it is not open.
    public init(duplicating descriptor: Int32) throws(DBusError) {
        state = Mutex(State(number: try Self.duplicate(of: descriptor)))
    }

    deinit {
        state.withLock { if $0.number >= 0 { close($0.number) } }
    }

    /// Lends the descriptor's number; −1 once it was taken. It must not be closed, nor used after the call; until then
    /// it stays open, even when another thread takes the descriptor.
    public func withDescriptor<Result, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let number = state.withLock { state in
            state.loans += 1
            return state.number
        }
        defer {
            state.withLock { state in
                state.loans -= 1
                if state.loans == 0, state.leftover >= 0 {
                    close(state.leftover)
                    state.leftover = -1
                }
            }
        }
        return try body(number)
    }

    /// Gives the descriptor away: whoever takes it closes it. −1 when it was taken before, or when it is lent at the
    /// moment and the process has no descriptor left for a duplicate.
    public func take() -> Int32 {
        state.withLock { state in
            guard state.number >= 0 else { return -1 }
            defer { state.number = -1 }
            guard state.loans > 0 else { return state.number }
            state.leftover = state.number
            return (try? Self.duplicate(of: state.number)) ?? -1
        }
    }

    static func duplicate(of descriptor: Int32) throws(DBusError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        // −1: nothing was made, errno tells why.
        guard copy >= 0 else {
            let code = errno
            throw DBusError(
                code == EBADF ? .invalidArgs : .limitsExceeded,
                "cannot duplicate descriptor \(descriptor): \(String(cString: strerror(code)))")
        }
        return copy
    }
}

extension UnixDescriptor: Hashable {
    /// Whether both are the same owner.
    public static func == (left: UnixDescriptor, right: UnixDescriptor) -> Bool { left === right }
    /// Hashes the owner's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
