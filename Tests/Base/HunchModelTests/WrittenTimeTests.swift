import FoundationEssentials
import HunchModel
import Testing

@Suite("Written times")
struct WrittenTimeTests {
    @Test(
        "An offset gives the instant",
        arguments: [
            "2025-06-02T08:30:00+02:00", "2025-06-02T06:30Z", "2025-06-02 01:30:00.000-0500", "2025-06-02T08:30+02",
        ])
    func offsets(text: String) { #expect(WrittenTime(text)?.date == Date(timeIntervalSince1970: 1_748_845_800)) }

    @Test(
        "Without an offset, the local clock counts",
        arguments: ["2025-06-02T08:30", "2025-12-24", "2024-02-29T23:59:59"])
    func local(text: String) throws {
        let date = try #require(WrittenTime(text)?.date)
        let offset = TimeZone.current.secondsFromGMT(for: date)
        #expect(WrittenTime(text)?.offset == nil)
        #expect(WrittenTime(text)?.seconds == date.timeIntervalSince1970 + Double(offset))
    }

    @Test(
        "Other texts and days that do not exist are refused",
        arguments: [
            "", "tomorrow", "2025-02-29", "2025-13-01", "2025-06-02T24:00", "2025-06-02T08:30+2",
            "2025-06-02T08:30:00 CET",
            "0000-01-01", "20250602",
        ])
    func refused(text: String) { #expect(WrittenTime(text) == nil) }
}
