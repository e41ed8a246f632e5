internal import Glibc
internal import Synchronization

/// An owned file descriptor. It is closed exactly once, when the last reference is released, unless it was taken.
public final class UnixDescriptor: Sendable {
    private struct State {
        var number: Int32
        var loans = 0
        /// The descriptor, if it was taken while borrowed. Closed when the last borrow ends.
        var leftover: Int32 = -1
    }

    private let state: Mutex<State>

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: Int32) {
        state = Mutex(State(number: descriptor))
    }

    /// Duplicates an open descriptor and owns the duplicate. The caller keeps the original.
    ///
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` if the process has no descriptor left, or `…InvalidArgs`
    ///   if the original is not open.
    public init(duplicating descriptor: Int32) throws(DBusError) {
        state = Mutex(State(number: try Self.duplicate(of: descriptor)))
    }

    deinit {
        state.withLock { if $0.number >= 0 { close($0.number) } }
    }

    /// Calls `body` with the descriptor's number, or −1 if it was taken. `body` must neither close the number nor keep
    /// it. It stays open during the call, even if another thread takes the descriptor.
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

    /// Transfers ownership of the descriptor to the caller. Returns −1 if it was already taken, or if it is borrowed
    /// now and the process has no descriptor left for a duplicate.
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
        // −1: no descriptor was created; errno says why.
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
    /// Returns whether both are the same instance.
    public static func == (left: UnixDescriptor, right: UnixDescriptor) -> Bool { left === right }
    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
