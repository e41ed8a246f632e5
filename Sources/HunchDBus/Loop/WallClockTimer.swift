internal import CDBus
internal import Glibc

/// A timer on the time of day: unlike those of ``EventLoop/schedule(after:_:)-(Duration,_)`` it goes on while the machine
/// sleeps, and fires when someone sets the clock. It wakes no machine that sleeps.
///
/// Confined to the loop's thread.
public final class WallClockTimer {
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Arms a timer.
    ///
    /// - Parameters:
    ///   - loop: where the callback runs.
    ///   - delay: seconds from now, 0 or more; those beyond a hundred years count as that.
    ///   - callback: runs once: when the time has come, or when the clock was set, so look at the clock there.
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` when the process has no descriptor left.
    public init(on loop: EventLoop, after delay: Double, _ callback: @escaping () -> Void) throws(DBusError) {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        // −1: nothing was made.
        guard descriptor >= 0 else {
            throw DBusError(.limitsExceeded, "no timer can be made: \(String(cString: strerror(errno)))")
        }
        self.loop = loop
        self.descriptor = descriptor
        var time = itimerspec()
        clock_gettime(CLOCK_REALTIME, &time.it_value)
        let delay = delay.isFinite ? min(max(delay, 0), 3_155_760_000) : 3_155_760_000
        let nanoseconds = time.it_value.tv_nsec + Int(delay.truncatingRemainder(dividingBy: 1) * 1e9)
        time.it_value.tv_sec += Int(delay) + nanoseconds / 1_000_000_000
        time.it_value.tv_nsec = nanoseconds % 1_000_000_000
        // It cannot fail: the descriptor is a timer's, and the time is in range.
        timerfd_settime(
            descriptor, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &time, nil)
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in
            guard let self else { return }
            cancel()
            callback()
        }
    }

    /// Disarms the timer; one that has fired is left alone.
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
        // The last reference may go on another thread; the loop must not look at a number that is someone else's by then.
        loop.execute { [loop, descriptor] in
            loop.remove(watch)
            close(descriptor)
        }
    }
}
