import Foundation
import Localization
import Testing

@Suite("Dates in words")
struct LocalDateTests {
    /// Noon in the time zone of the machine, so that a day has hours on both sides.
    private let noon: Date = {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_isdst) = (126, 4, 15, 12, -1)
        return Date(timeIntervalSince1970: Double(mktime(&parts)))
    }()

    @Test(
        "A date is written as people say it",
        arguments: [
            (-10, "just now"), (-60, "1 minute ago"), (-3_599, "59 minutes ago"), (-7_200, "today, 10:00"),
            (-86_400, "yesterday, 12:00"), (86_400, "tomorrow, 12:00"), (3_600, "today, 13:00"),
            (-86_400 * 30, "15 Apr 2026"),
        ])
    func words(seconds: Int, words: String) {
        #expect(LocalDate(now: noon).words(for: noon.addingTimeInterval(Double(seconds))) == words)
    }

    @Test("The next morning is after midnight, also at the end of a month")
    func tomorrow() {
        for day in [0, 16] {
            let now = noon.addingTimeInterval(Double(day) * 86_400)
            #expect(LocalDate(now: LocalDate(now: now).tomorrow(hour: 6)).words(for: now) == "yesterday, 12:00")
        }
    }
}

@Suite("Days and numbers in words")
struct LocalDayTests {
    @Test(
        "Days and weeks begin as on the calendar",
        arguments: [
            (0, "1 Jan 1970", -3), (-1, "31 Dec 1969", -3), (-4, "28 Dec 1969", -10), (20_605, "1 Jun 2026", 20_605),
            (20_611, "7 Jun 2026", 20_605),
        ])
    func days(number: Int, words: String, monday: Int) {
        #expect(LocalDay(number: number).words == words)
        #expect(LocalDay(number: number).monday.number == monday)
    }

    @Test("Numbers have a mark between thousands")
    func numbers() {
        #expect([0, 999, 1_000, 1_234_567].map(LocalNumber.text) == ["0", "999", "1,000", "1,234,567"])
        #expect([-1_000, .min].map(LocalNumber.text) == ["−1,000", "−9,223,372,036,854,775,808"])
        #expect(localizedPlural("%1 play", "%1 plays", 1_234) == "1,234 plays")
    }

    @Test("Sizes are whole kilobytes, or megabytes with one decimal")
    func sizes() {
        #expect(LocalNumber.size(1) == "1\u{A0}kB" && LocalNumber.size(12_345_678) == "12.3\u{A0}MB")
    }
}
