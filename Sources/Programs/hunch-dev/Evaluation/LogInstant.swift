import CommandSupport
import FoundationEssentials
internal import HunchModel

/// The time of a log's event, with the hour and the weekday of the user's clock.
struct LogInstant: Equatable {
    let date: Date
    /// The hour, 0…23.
    let hour: Int
    /// The day of the week, 1 (Sunday) … 7 (Saturday).
    let weekday: Int

    private static let seconds = -62_135_596_800.0..<253_402_300_800.0

    /// Creates an instant from seconds since 1970, within the years 1 to 9999. Hour and day are in UTC.
    init?(seconds: Double) {
        self.init(seconds: seconds, offset: 0)
    }

    /// - Parameter offset: the offset of the user's clock from UTC, in seconds.
    private init?(seconds: Double, offset: Int) {
        guard Self.seconds.contains(seconds) else { return nil }
        date = Date(timeIntervalSince1970: seconds)
        let local = Int(clamping: seconds, .down) + offset
        let days = Self.floor(local, 86_400)
        hour = (local - days * 86_400) / 3_600
        // 1970-01-01 was a Thursday.
        weekday = (days + 4) - Self.floor(days + 4, 7) * 7 + 1
    }

    /// Parses ISO 8601, like ``HunchModel/WrittenTime``. Hour and day are as written. A time without an offset is UTC.
    init?(_ text: String) {
        guard let time = WrittenTime(text) else { return nil }
        let offset = time.offset ?? 0
        self.init(seconds: time.seconds - Double(offset), offset: offset)
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        (number - (number % divisor + divisor) % divisor) / divisor
    }
}
