import Appointments
import FoundationEssentials
import HunchModel
import Testing

/// The memory of answers over restarts and revoked permissions.
extension AppointmentPolicyTests {
    @Test("After a restart, answered suggestions do not return, but unanswered ones do")
    func restart() throws {
        let candidate = try #require(AppointmentPolicy.departure(changed()))
        for isAnswered in [true, false] {
            var policy = AppointmentPolicy()
            policy.restore(candidate.id, isAnswered: isAnswered, at: minute(70))
            _ = policy.update([changed("Dr. Gray")], open: [], at: minute(71))
            let wasSeen = policy.due(at: minute(71)).map { policy.wasSeen($0, at: minute(71)) }
            #expect(wasSeen == (isAnswered ? nil : false))
        }
        // Yesterday it was at another time.
        var moved = AppointmentPolicy()
        moved.restore(candidate.id, isAnswered: true, at: minute(-1_000))
        _ = moved.update([changed()], open: [], at: minute(71))
        let wasSeen = moved.due(at: minute(71)).map { moved.wasSeen($0, at: minute(71)) }
        #expect(wasSeen == false)
    }

    @Test(
        "After a revoked permission for calendars, nothing is shown or made again", arguments: [true, false])
    func revocation(isAnswered: Bool) throws {
        var policy = AppointmentPolicy()
        // Another calendar has the same event.
        var event = changed("Dr. Gray", place: "Clinic").event
        event.occurrence = "2"
        let plans = [changed(place: "Clinic"), AppointmentPlan(event: event, route: plan().route)]
        _ = policy.update(plans, open: [], at: minute(71))
        let candidate = try #require(policy.due(at: minute(71)))
        policy.noteMade(candidate, replacing: [], at: minute(71))
        let open: Set<Suggestion.ID> = isAnswered ? [] : [candidate.id]
        #expect(policy.forgetAppointments(open: open, seen: open, at: minute(71)) == open)
        #expect(policy.current.isEmpty)
        // The agent looks again, for instance because the calendar reader has ended.
        #expect(policy.forgetAppointments(open: [], seen: [], at: minute(72)).isEmpty)
        _ = policy.update(plans, open: [], at: minute(73))
        let next = policy.due(at: minute(73))
        #expect(next?.id == (isAnswered ? nil : candidate.id))
        guard let next else { return }
        #expect(policy.wasSeen(next, at: minute(73)))
        // Until then, no suggestion said that it was time to leave.
        let leave = try #require(next.leave)
        #expect(leave > minute(73) && !policy.wasSeen(next, at: leave))
        // It was offered before the time to leave, and is noted after it: nothing has said yet that it is time.
        policy.noteMade(next, wasSeen: true, replacing: [], at: leave)
        #expect(policy.due(at: leave) == nil)
        let news = [policy.takeNews(of: next, at: leave), policy.takeNews(of: next, at: leave)]
        #expect(news == [true, false])
    }

    @Test(
        "After a restart, the call of an appointment for which the user left is still dropped",
        arguments: [true, false])
    func departed(isAccepted: Bool) throws {
        let both = plan(meeting: "https://meet.example/a")
        let departure = try #require(AppointmentPolicy.departure(both))
        var policy = AppointmentPolicy()
        policy.restore(departure.id, isAnswered: true, isAccepted: isAccepted, at: minute(80))
        _ = policy.update([both], open: [], at: minute(110))
        #expect(policy.due(at: minute(119))?.step == (isAccepted ? nil : .join))
    }
}
