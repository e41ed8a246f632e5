import FoundationEssentials
import Testing

@testable import hunch_dev

@Suite struct LogInstantTests {
    @Test(
        "Instants in all notations are read",
        arguments: [
            ("2025-06-02", 1_748_822_400.0, 0, 2), ("2025-06-02T08:30", 1_748_853_000, 8, 2),
            ("2025-06-02T08:30:15Z", 1_748_853_015, 8, 2), ("2025-06-02 08:30:15.250", 1_748_853_015.25, 8, 2),
            ("2025-06-02T00:30:00+02:00", 1_748_817_000, 0, 2), ("2025-06-01T22:30:00-0130", 1_748_822_400, 22, 1),
            ("2024-02-29T23:59:60Z", 1_709_251_199, 23, 5), ("1969-12-31T23:00:00Z", -3_600, 23, 4),
        ])
    func whatIsWrittenIsRead(text: String, seconds: Double, hour: Int, weekday: Int) throws {
        let instant = try #require(LogInstant(text))
        #expect(instant.date.timeIntervalSince1970 == seconds)
        #expect(instant.hour == hour)
        #expect(instant.weekday == weekday)
    }

    @Test("Seconds count in UTC")

    func secondsAreUTC() throws {
        let instant = try #require(LogInstant(seconds: 1_748_853_015.5))
        #expect(instant.hour == 8 && instant.weekday == 2)
        #expect(LogInstant(seconds: -1)?.weekday == 4)
        #expect(LogInstant(seconds: .nan) == nil)
        #expect(LogInstant(seconds: 1e12) == nil)
    }

    @Test(
        "Text that is not an instant is refused",
        arguments: [
            "", "2025", "2025-13-01", "2023-02-29", "2025-06-02T", "2025-06-02T24:00", "2025-06-02T08:61",
            "2025-06-02T8:30",
            "2025-06-02T08:30:61", "2025-06-02T08:30:00+", "2025-06-02T08:30:00+2", "2025-06-02T08:30:00Zx", "x",
            "0000-01-01",
            "2025-06-02T08:30:00.", "２０２５-06-02",
        ])
    func whatIsNoInstantIsRefused(text: String) { #expect(LogInstant(text) == nil) }
}
