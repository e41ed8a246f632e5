internal import FoundationEssentials
internal import Glibc
internal import HunchModel

extension Context {
    /// The circumstances at a time, with the hour and the weekday of the person's clock.
    ///
    /// - Parameter device: the device that is listened with; `nil` for the machine's own speakers.
    init(at date: Date, device: AudioDevice? = nil) {
        let local = date.local
        self.init(
            trigger: device.map { .device($0.id) }, device: device?.id, hour: Int(local.tm_hour),
            weekday: Int(local.tm_wday) + 1)
    }
}

extension Date {
    /// Midnight before, by the person's clock.
    var startOfDay: Date {
        var local = local
        (local.tm_hour, local.tm_min, local.tm_sec, local.tm_isdst) = (0, 0, 0, -1)
        // -1 on failure, for a year beyond its range; the day then begins 24 hours before.
        let start = mktime(&local)
        return start == -1 ? addingTimeInterval(-86_400) : Date(timeIntervalSince1970: Double(start))
    }

    fileprivate var local: tm {
        var seconds = time_t(wholeSeconds)
        var local = tm()
        // The person may have travelled: the zone is looked up each time.
        tzset()
        localtime_r(&seconds, &local)
        return local
    }
}
