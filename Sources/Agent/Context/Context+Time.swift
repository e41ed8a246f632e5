internal import FoundationEssentials
internal import Glibc
internal import HunchModel

extension Context {
    /// The circumstances at a time, with the hour and the weekday of the person's clock.
    ///
    /// - Parameter device: the device that is listened with; `nil` for the machine's own speakers.
    init(at date: Date, device: AudioDevice? = nil) {
        var seconds = time_t(date.wholeSeconds)
        var local = tm()
        // The person may have travelled: the zone is looked up each time.
        tzset()
        localtime_r(&seconds, &local)
        self.init(
            trigger: device.map { Context.readyTrigger(of: $0.id) }, device: device?.id, hour: Int(local.tm_hour),
            weekday: Int(local.tm_wday) + 1)
    }
}
