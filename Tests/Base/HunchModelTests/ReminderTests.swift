import FoundationEssentials
import HunchModel
import Localization
import Testing

@Suite("Reminders") struct ReminderTests {
    private let now = LocalDay(number: 20_700).date(hour: 15)

    private func date(_ day: Int, _ hour: Int) -> Date { LocalDay(number: 20_700 + day).date(hour: hour) }

    @Test("A reminder comes tomorrow, or on the day before a later start")
    func dates() {
        #expect(Reminder.date(before: nil, now: now) == date(1, 9))
        #expect(Reminder.date(before: date(14, 15), now: now) == date(13, 9))
        #expect(Reminder.date(before: date(14, 0), now: now) == date(13, 9))
        #expect(Reminder.date(before: date(2, 8), now: now) == date(1, 9))
        #expect(Reminder.date(before: date(1, 20), now: now) == date(1, 9))
    }

    @Test("An appointment before tomorrow morning has no reminder")
    func tooSoon() {
        #expect(Reminder.date(before: date(1, 8), now: now) == nil)
        #expect(Reminder.date(before: date(0, 20), now: now) == nil)
    }
}

@Suite("Starts of events") struct EventStartTests {
    @Test("A start has a time, an all-day event has none, and doubts are named")
    func words() {
        let day = LocalDay(number: 20_700)
        func words(_ event: CalendarEvent) -> String { event.startWords(now: day.date(hour: 15)) }
        var event = CalendarEvent(title: "Concert", start: day.date(hour: 44))
        #expect(words(event).hasPrefix("tomorrow, "))
        event.unknownZone = "Office"
        #expect(words(event).hasSuffix(" (the time zone “Office” is not known)"))
        let next = LocalDay(number: day.number + 1)
        event = CalendarEvent(title: "Fair", start: next.date(hour: 0), end: next.date(hour: 24))
        #expect(words(event) == "\(next.words), all day")
        event.end = next.date(hour: 6)
        #expect(words(event).hasPrefix("tomorrow, "))
    }
}
