internal import Glibc

/// State behind a POSIX mutex. Synchronization's `Mutex` would do, but for ThreadSanitizer, which does not see it and
/// reports everything behind it as a race.
final class Locked<State>: @unchecked Sendable {  // `state` is touched under `mutex` alone
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs a closure that must be short, must not block and must not take the lock again.
    func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
