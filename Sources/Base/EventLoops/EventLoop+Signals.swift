internal import CLinux
internal import Glibc

extension EventLoop {
    /// Blocks POSIX signals in the calling thread and in all threads that it starts later.
    ///
    /// Call it in `main` before any other thread exists, with the signals that ``signals(_:)`` will deliver.
    public static func block(_ numbers: [Int32]) {
        var set = Self.set(of: numbers)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Returns a stream of the given POSIX signals as they arrive. Confined.
    ///
    /// The signals must be blocked in every thread (``block(_:)``). When 16 are waiting, later ones are dropped.
    ///
    /// - Throws: ``EventLoopError`` if the kernel provides no signal descriptor.
    public func signals(_ numbers: [Int32]) throws(EventLoopError) -> AsyncStream<Int32> {
        confined()
        var set = Self.set(of: numbers)
        // −1: no descriptor was created; errno says why.
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw EventLoopError("cannot make a signal descriptor", code: errno)
        }
        let (stream, continuation) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingOldest(16))
        // The handler owns the descriptor, which is therefore closed with the watch or the loop.
        let owned = OwnedDescriptor(descriptor)
        let watch = watch(descriptor, for: .readable) { _ in
            var record = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while read(owned.number, &record, size) == size { continuation.yield(Int32(record.ssi_signo)) }
        }
        continuation.onTermination = { [weak self] _ in
            self?.execute { [weak self] in self?.remove(watch) }
        }
        return stream
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}

/// A descriptor that is closed when the last reference is released.
private final class OwnedDescriptor {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
