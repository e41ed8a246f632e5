package import FoundationEssentials
internal import Glibc
package import HunchModel

extension Context {
    /// Creates a context at a time, with the hour and the weekday in the user's time zone.
    ///
    /// - Parameter device: the device in use; `nil` for the machine's own speakers.
    package init(at date: Date, device: AudioDevice? = nil) {
        let local = date.local
        self.init(
            trigger: device.map { .device($0.id) }, device: device?.id, hour: Int(local.tm_hour),
            weekday: Int(local.tm_wday) + 1)
    }
}

extension Date {
    /// The start of the day in the user's time zone.
    package var startOfDay: Date {
        var local = local
        (local.tm_hour, local.tm_min, local.tm_sec, local.tm_isdst) = (0, 0, 0, -1)
        // Returns -1 for a year beyond its range. Then the day begins 24 hours earlier.
        let start = mktime(&local)
        return start == -1 ? addingTimeInterval(-86_400) : Date(timeIntervalSince1970: Double(start))
    }

    fileprivate var local: tm {
        var seconds = time_t(wholeSeconds)
        var local = tm()
        // Looked up each time, since the user may have travelled to another time zone.
        tzset()
        localtime_r(&seconds, &local)
        return local
    }
}
