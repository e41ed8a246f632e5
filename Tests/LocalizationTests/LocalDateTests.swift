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
        "A date is told as people say it",
        arguments: [
            (-10, "just now"), (-60, "1 minute ago"), (-3_599, "59 minutes ago"), (-7_200, "today, 10:00"),
            (-86_400, "yesterday, 12:00"), (86_400, "tomorrow, 12:00"), (3_600, "today, 13:00"),
            (-86_400 * 30, "04/15/26"),
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
