import CPulse
import Glibc
import EventLoops
import HunchDBus
internal import HunchModel

/// A file descriptor that libpulse watches.
final class PulseDescriptorEvent: PulseEvent {
    private let mainloop: PulseMainloop
    private let descriptor: Int32
    private let callback: pa_io_event_cb_t
    private let userdata: UnsafeMutableRawPointer?
    private var watch: DescriptorWatch?
    var destroy: pa_io_event_destroy_cb_t?

    init(
        _ mainloop: PulseMainloop, _ descriptor: Int32, _ flags: pa_io_event_flags_t,
        _ callback: @escaping pa_io_event_cb_t, _ userdata: UnsafeMutableRawPointer?
    ) {
        self.mainloop = mainloop
        self.descriptor = descriptor
        self.callback = callback
        self.userdata = userdata
        // The watch keeps this object alive until libpulse frees it.
        watch = mainloop.loop.watch(
            descriptor, for: Self.events(flags), enabled: flags != PA_IO_EVENT_NULL
        ) { events in self.fire(events) }
    }

    func enable(_ flags: pa_io_event_flags_t) {
        guard let watch else { return }
        mainloop.loop.update(watch, events: Self.events(flags), enabled: flags != PA_IO_EVENT_NULL)
    }

    func free() {
        if let watch { mainloop.loop.remove(watch) }
        watch = nil
        destroy?(mainloop.api, pointer, userdata)
    }

    private func fire(_ events: DescriptorEvents) {
        var flags: UInt32 = 0
        if events.contains(.readable) { flags |= PA_IO_EVENT_INPUT.rawValue }
        if events.contains(.writable) { flags |= PA_IO_EVENT_OUTPUT.rawValue }
        if events.contains(.hangup) { flags |= PA_IO_EVENT_HANGUP.rawValue }
        if events.contains(.error) { flags |= PA_IO_EVENT_ERROR.rawValue }
        callback(mainloop.api, pointer, descriptor, pa_io_event_flags_t(rawValue: flags), userdata)
    }

    private static func events(_ flags: pa_io_event_flags_t) -> DescriptorEvents {
        var events: DescriptorEvents = []
        if flags.rawValue & PA_IO_EVENT_INPUT.rawValue != 0 { events.insert(.readable) }
        if flags.rawValue & PA_IO_EVENT_OUTPUT.rawValue != 0 { events.insert(.writable) }
        return events
    }
}

/// A one-shot timer of libpulse, set to a time of day.
final class PulseTimeEvent: PulseEvent {
    private let mainloop: PulseMainloop
    private let callback: pa_time_event_cb_t
    private let userdata: UnsafeMutableRawPointer?
    private var timer: LoopTimer?
    /// The number of the current arming. A timer that was disarmed while already due still fires, and is then ignored.
    private var arming = 0
    var destroy: pa_time_event_destroy_cb_t?

    init(
        _ mainloop: PulseMainloop, _ time: timeval?, _ callback: @escaping pa_time_event_cb_t,
        _ userdata: UnsafeMutableRawPointer?
    ) {
        self.mainloop = mainloop
        self.callback = callback
        self.userdata = userdata
        restart(time)
    }

    /// Resets the timer; `nil` disarms it.
    func restart(_ time: timeval?) {
        disarm()
        guard let time else { return }
        // For foreign main loops, libpulse gives the time of day. Our loop expects the time from now.
        var now = timeval()
        gettimeofday(&now, nil)
        let wait =
            Duration.seconds(time.tv_sec - now.tv_sec) + .microseconds(Int64(time.tv_usec) - Int64(now.tv_usec))
        let number = arming
        timer = mainloop.loop.schedule(after: max(.zero, wait)) {
            guard self.arming == number else { return }
            self.disarm()
            var time = time
            self.callback(self.mainloop.api, self.pointer, &time, self.userdata)
        }
    }

    func free() {
        disarm()
        destroy?(mainloop.api, pointer, userdata)
    }

    private func disarm() {
        arming += 1
        if let timer { mainloop.loop.cancel(timer) }
        timer = nil
    }
}

/// A callback that libpulse wants once per turn of the loop while enabled.
final class PulseDeferEvent: PulseEvent {
    private let mainloop: PulseMainloop
    private let callback: pa_defer_event_cb_t
    private let userdata: UnsafeMutableRawPointer?
    private var isEnabled = false
    private var timer: LoopTimer?
    var destroy: pa_defer_event_destroy_cb_t?

    init(_ mainloop: PulseMainloop, _ callback: @escaping pa_defer_event_cb_t, _ userdata: UnsafeMutableRawPointer?) {
        self.mainloop = mainloop
        self.callback = callback
        self.userdata = userdata
        enable(true)
    }

    func enable(_ enabled: Bool) {
        isEnabled = enabled
        if enabled, timer == nil {
            timer = mainloop.loop.schedule(after: .zero) { self.fire() }
        } else if !enabled, let timer {
            mainloop.loop.cancel(timer)
            self.timer = nil
        }
    }

    func free() {
        enable(false)
        destroy?(mainloop.api, pointer, userdata)
    }

    private func fire() {
        // Another callback that was due at the same time has disabled this one.
        guard timer != nil else { return }
        timer = nil
        callback(mainloop.api, pointer, userdata)
        if isEnabled { enable(true) }
    }
}
