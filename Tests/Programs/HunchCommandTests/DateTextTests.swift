import FoundationEssentials
import Testing

@testable import CommandSupport
@testable import hunch

@Suite("Times on the command line")
struct DateTextTests {
    private let now = Date(timeIntervalSince1970: 1_793_000_000)  // 2026-10-26T07:33:20Z

    @Test(
        "Times with an offset from UTC are read",
        arguments: [
            ("2026-12-01T18:00:00+01:00", "2026-12-01T17:00:00Z"), ("2026-12-01T18:00-05:30", "2026-12-01T23:30:00Z"),
            ("2026-12-01 18:00Z", "2026-12-01T18:00:00Z"), ("now", "2026-10-26T07:33:20Z"),
        ])
    func offsets(text: String, instant: String) throws {
        #expect(try DateText.date(text, .after, now: now).formatted(.iso8601) == instant)
    }

    @Test("An invalid time is refused with a hint", arguments: ["18.00", "2026-12-01T18:00+99:00", "+01:00", ""])
    func faults(text: String) {
        let error = #expect(throws: CommandError.self) { try DateText.date(text, .after, now: now) }
        #expect(error?.message?.contains("is not a time that Hunch understands; write 18:00") == true)
    }

    @Test(
        "A journey in the past or ten years ahead is refused",
        arguments: [("2026-10-20", "lies in the past"), ("9999-12-31T23:59:59Z", "more than ten years ahead")])
    func journeys(text: String, message: String) {
        let error = #expect(throws: CommandError.self) { try DateText.journey(text, of: "--depart", now: now) }
        #expect(error?.message?.contains("--depart") == true && error?.message?.contains(message) == true)
    }

    @Test(
        "A journey earlier today is refused, and the date of today is not", arguments: ["yesterday 9:00", "yesterday"])
    func yesterday(text: String) throws {
        let error = #expect(throws: CommandError.self) { try DateText.journey(text, of: "--arrive", now: now) }
        #expect(error?.message == "--arrive lies in the past; give a time from now on")
        #expect(throws: Never.self) { try DateText.journey("2026-10-26", of: "--arrive", now: now) }
    }

    @Test(
        "A time that has to have passed is refused in the future, with a hint that fits",
        arguments: [
            ("2026-12-01", "--since lies in the future; give a time that has passed"),
            ("tomorrow 9:00", "write 18:00, 2026-06-02 or 2026-06-02T18:00"),
        ])
    func past(text: String, message: String) {
        let error = #expect(throws: CommandError.self) { try DateText.past(text, of: "--since", now: now) }
        #expect(error?.message?.hasSuffix(message) == true, "\(error?.message ?? "")")
    }
}
