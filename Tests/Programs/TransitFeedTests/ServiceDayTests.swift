import Testing
import TransitFeed

@Suite("Service days") struct ServiceDayTests {
    @Test("Numbers, weekdays and texts of days agree with calendars")
    func known() throws {
        for (text, number, weekday) in [
            ("19700101", 0, 3), ("20000229", 11_016, 1), ("20261121", 20_778, 5), ("00000101", -719_528, 5),
            ("99991231", 2_932_896, 4),
        ] {
            let day = try #require(ServiceDay(text))
            #expect(day.number == number && day.weekday == weekday)
            #expect(day.description.replacing("-", with: "") == text)
            #expect(ServiceDay(day.description) == day)
        }
    }

    @Test("Days follow one another over four centuries")
    func days() throws {
        var last = try #require(ServiceDay("19991231"))
        for year in 2000..<2400 {
            for month in 1...12 {
                for day in 1...31 {
                    guard let next = ServiceDay(year: year, month: month, day: day) else { continue }
                    #expect(next.number == last.number + 1 && next.weekday == (last.weekday + 1) % 7)
                    last = next
                }
            }
        }
        #expect(last.number == 157_053)
    }

    @Test("Nonexistent days and other texts are refused")
    func refused() {
        for text in [
            "", "2026", "20261301", "20260229", "19000229", "2026112", "2026-1-21", "2026-11-2a", "２０２６１１２１",
            "20261121 ",
        ] {
            #expect(ServiceDay(text) == nil, "\(text)")
        }
    }
}
