import FoundationEssentials
import HunchKit
import HunchModel
import TestSupport
import Testing

/// That no meeting and no departure is missed, with the real calendar reader.
@Suite("Conduct of appointments", .timeLimit(.minutes(15))) struct CalendarConductTests {
    @Test("Closing seven calls within an hour holds neither the eighth nor a departure")
    func closed() async throws {
        let calls = (1...8).map { number in
            CalendarScene.event(
                "Call \(number)", inMinutes: Double(number) * 7, "LOCATION:https://meet.jit.si/R\(number)")
        }
        try await CalendarScene.with { scene in
            try scene.write(
                calls.joined(separator: "\r\n"), CalendarScene.event("Dentist", inMinutes: 100, "GEO:48.83;2.25"))
            try await eventually("the appointments", because: "the status has no signal") {
                try await scene.rig.agent.status().appointments == 9 ? () : nil
            }
            for number in 1...8 {
                try await scene.pass(toMinute: Double(number) * 7 - 2)
                let offer = try await scene.waitForOffer("Join “Call \(number)”")
                if number < 8 { try await scene.rig.agent.dismiss(offer.id) }
            }
            // Nobody answered the last call.
            try await scene.pass(toMinute: 60)
            try await scene.rig.waitForSuggestions("the departure") { suggestions in
                suggestions.count == 1 && suggestions[0].title.hasSuffix("“Dentist”") ? () : nil
            }
        }
    }

    @Test("A calendar in a folder that is made later is read, and the status counts what is listed")
    func newFolder() async throws {
        try await CalendarScene.with { scene in
            try await eventually("the calendars", because: "the status has no signal") {
                try await scene.rig.agent.status().calendar == "watching" ? () : nil
            }
            let others = (1...4).map { CalendarScene.event("Note \($0)", inMinutes: Double($0) * 2_000) }
            try scene.write(
                CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25"), others.joined(separator: "\r\n"),
                to: "data/evolution/calendar/system/calendar.ics")
            try await scene.rig.waitForSuggestions("the departure") { suggestions in
                suggestions.count == 1 && suggestions[0].title.hasSuffix("“Dentist”") ? () : nil
            }
            let listed = try await scene.rig.agent.appointments().appointments
            #expect(listed.map(\.event.title) == ["Dentist", "Note 1", "Note 2", "Note 3", "Note 4"])
            #expect(try await scene.rig.agent.status().appointments == 5)
        }
    }
}
