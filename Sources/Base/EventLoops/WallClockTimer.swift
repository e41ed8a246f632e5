internal import CLinux
internal import Glibc

/// A timer on the wall clock.
///
/// Unlike ``EventLoop/schedule(after:_:)-(Duration,_)``, it advances while the machine sleeps and fires when someone
/// sets the clock. It does not wake a sleeping machine. Confined to the loop's thread.
public final class WallClockTimer {
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Starts a timer.
    ///
    /// - Parameters:
    ///   - loop: the loop on which the callback runs.
    ///   - delay: seconds from now, 0 or more, limited to a hundred years.
    ///   - callback: a closure that runs once, after the delay or when the clock is set. It should check the time.
    /// - Throws: ``EventLoopError`` if the process has no descriptor left.
    public init(on loop: EventLoop, after delay: Double, _ callback: @escaping () -> Void) throws(EventLoopError) {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        // −1: no descriptor was created.
        guard descriptor >= 0 else {
            throw EventLoopError("cannot create a timer", code: errno)
        }
        self.loop = loop
        self.descriptor = descriptor
        var time = itimerspec()
        clock_gettime(CLOCK_REALTIME, &time.it_value)
        let delay = delay.isFinite ? min(max(delay, 0), 3_155_760_000) : 3_155_760_000
        let nanoseconds = time.it_value.tv_nsec + Int(delay.truncatingRemainder(dividingBy: 1) * 1e9)
        time.it_value.tv_sec += Int(delay) + nanoseconds / 1_000_000_000
        time.it_value.tv_nsec = nanoseconds % 1_000_000_000
        // This cannot fail: the descriptor is a timer, and the time is in range.
        timerfd_settime(
            descriptor, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &time, nil)
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in
            guard let self else { return }
            cancel()
            callback()
        }
    }

    /// Cancels the timer, unless it has fired.
    public func cancel() {
        guard let watch else { return }
        self.watch = nil
        loop.remove(watch)
    }

    deinit {
        guard let watch else {
            close(descriptor)
            return
        }
        // The last reference may go on another thread. The loop must stop polling before the number is reused.
        loop.execute { [loop, descriptor] in
            loop.remove(watch)
            close(descriptor)
        }
    }
}
