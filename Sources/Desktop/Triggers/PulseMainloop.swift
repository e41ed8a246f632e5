import CPulse
import Glibc
import EventLoops
import HunchDBus

/// libpulse's abstract main loop on an ``EventLoop``, without a thread of its own or a timer while idle.
///
/// Confined to the loop's thread. It must outlive every context created on it.
final class PulseMainloop {
    let loop: EventLoop
    let api: UnsafeMutablePointer<pa_mainloop_api>

    init(on loop: EventLoop) {
        self.loop = loop
        api = .allocate(capacity: 1)
        api.initialize(to: Self.functions)
        // The context that receives this pointer is freed before this object.
        api.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { api.deallocate() }

    private static func of(_ api: UnsafeMutablePointer<pa_mainloop_api>?) -> PulseMainloop? {
        api?.pointee.userdata.map { Unmanaged<PulseMainloop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The function table (`pulse/mainloop-api.h`). `…_new` returns a retained event object, and `…_free` releases it.
    private static var functions: pa_mainloop_api {
        pa_mainloop_api(
            userdata: nil,
            io_new: { api, descriptor, flags, callback, userdata in
                guard let loop = PulseMainloop.of(api), let callback else { return nil }
                return PulseMainloop.retained(PulseDescriptorEvent(loop, descriptor, flags, callback, userdata))
            },
            io_enable: { event, flags in PulseDescriptorEvent.of(event)?.enable(flags) },
            io_free: { event in PulseDescriptorEvent.release(event) { $0.free() } },
            io_set_destroy: { event, callback in PulseDescriptorEvent.of(event)?.destroy = callback },
            time_new: { api, time, callback, userdata in
                guard let loop = PulseMainloop.of(api), let callback else { return nil }
                return PulseMainloop.retained(PulseTimeEvent(loop, time?.pointee, callback, userdata))
            },
            time_restart: { event, time in PulseTimeEvent.of(event)?.restart(time?.pointee) },
            time_free: { event in PulseTimeEvent.release(event) { $0.free() } },
            time_set_destroy: { event, callback in PulseTimeEvent.of(event)?.destroy = callback },
            defer_new: { api, callback, userdata in
                guard let loop = PulseMainloop.of(api), let callback else { return nil }
                return PulseMainloop.retained(PulseDeferEvent(loop, callback, userdata))
            },
            defer_enable: { event, enabled in PulseDeferEvent.of(event)?.enable(enabled != 0) },
            defer_free: { event in PulseDeferEvent.release(event) { $0.free() } },
            defer_set_destroy: { event, callback in PulseDeferEvent.of(event)?.destroy = callback },
            // Only libpulse's own programs ask the main loop to quit.
            quit: { _, _ in })
    }

    private static func retained(_ event: some PulseEvent) -> OpaquePointer {
        OpaquePointer(Unmanaged.passRetained(event).toOpaque())
    }
}

/// An event object to which libpulse holds a pointer.
protocol PulseEvent: AnyObject {}

extension PulseEvent {
    /// The pointer that libpulse uses for this object.
    var pointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    static func of(_ pointer: OpaquePointer?) -> Self? {
        pointer.map { Unmanaged<Self>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    static func release(_ pointer: OpaquePointer?, _ free: (Self) -> Void) {
        guard let pointer else { return }
        free(Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue())
    }
}
