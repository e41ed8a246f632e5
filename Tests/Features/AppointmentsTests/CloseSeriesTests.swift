import Appointments
import FoundationEssentials
import HunchModel
import Testing

/// Series whose occurrences are closer to each other than two copies of one event may be.
@Suite("Close series") struct CloseSeriesTests {
    private static let start = Date(timeIntervalSince1970: 1_795_514_400)

    private static func minute(_ minutes: Double) -> Date { start.addingTimeInterval(minutes * 60) }

    /// Returns a call of a series.
    ///
    /// - Parameter occurrence: the minute of its start by the rule of the series.
    private static func call(_ minutes: Double, occurrence: Double? = nil, series: String = "a") -> AppointmentPlan {
        var event = CalendarEvent(title: "Standup", start: minute(minutes), meetingURL: "https://meet.example/a")
        (event.series, event.occurrence) = (series, "\(series) \(occurrence ?? minutes)")
        return AppointmentPlan(event: event, route: .none)
    }

    /// Returns the minutes of the starts of all calls that are suggested. The user answers each at once.
    private static func told(_ plans: [AppointmentPlan]) -> [Double] {
        var policy = AppointmentPolicy()
        var told: [Double] = []
        for half in 0...120 {
            let now = minute(Double(half) / 2)
            _ = policy.update(plans, open: [], at: now)
            while let candidate = policy.due(at: now) {
                told.append(candidate.plan.event.start.timeIntervalSince(start) / 60)
                policy.noteMade(candidate, replacing: [], at: now)
            }
        }
        return told
    }

    @Test("Each call of a close series is suggested, even after an answer to the last", arguments: [1.0, 3, 5, 7])
    func close(minutes: Double) {
        let starts = (1...4).map { 10 + minutes * Double($0) }
        #expect(Self.told(starts.map { Self.call($0) }) == starts)
    }

    @Test("The same call of a series in two calendars is suggested once")
    func copies() {
        #expect(Self.told([Self.call(13, series: "a"), Self.call(13, series: "b")]) == [13])
        #expect(Self.told([13, 16].flatMap { [Self.call($0, series: "a"), Self.call($0, series: "b")] }) == [13, 16])
        // One was moved to the time of the next.
        #expect(Self.told([Self.call(16, occurrence: 13), Self.call(16)]) == [16])
    }

    @Test("Leaving for one occurrence keeps the call of the next")
    func departure() {
        var policy = AppointmentPolicy()
        let (first, second) = (Self.call(13), Self.call(16))
        _ = policy.update([first, second], open: [], at: Self.minute(11))
        policy.noteDeparture(for: first.event)
        #expect(policy.due(at: Self.minute(14))?.plan.event.start == second.event.start)
    }
}
