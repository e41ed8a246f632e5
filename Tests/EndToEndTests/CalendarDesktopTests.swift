import TestSupport
import Testing

/// Appointments in the real Evolution Data Server, on a desktop with the real GeoClue.
@Suite("Appointments", .serialized, .timeLimit(.minutes(5)))
struct CalendarDesktopTests {
    @Test("An appointment in the calendar leads to its place in time")
    func leaving() async throws {
        try await CalendarWorld.with { world in
            let none = try await run(
                builtProduct("hunch"), ["calendar"], environment: world.desktop.environment)
            #expect(none.status == .exited(1), "\(none)")
            #expect(none.standardError == "hunch: there is no appointment in the next 7 days\n")
            // 8 km away, so that it takes half an hour.
            try await world.calendar.add(
                CalendarWorld.event("Dentist", inMinutes: 45, "GEO:52.5219;13.2952", "LOCATION:Praxis"))
            try await world.desktop.dunst.waitForWords("Leave by")
            let offer = try await world.desktop.waitForSuggestion()
            #expect(offer.contains("for “Dentist”") && offer.contains("8 km"), "\(offer)")
            let list = try await world.desktop.hunch("calendar")
            #expect(list.contains("Dentist\tPraxis; 52.5219,13.2952"), "\(list)")
            let routes = try await world.desktop.hunch("directions", "--next", "--json")
            #expect(routes.contains("geo:52.5219,13.2952"), "\(routes)")
            try await world.desktop.dunst.press("Open")
            #expect(try await CalendarWorld.openedLink(in: world.desktop.home) == "geo:52.5219,13.2952")
        }
    }

    @Test("Moving an appointment withdraws its suggestion, and its new time counts")
    func moving() async throws {
        try await CalendarWorld.with { world in
            try await world.calendar.add(CalendarWorld.event("Dentist", inMinutes: 45, "GEO:52.5219;13.2952"))
            try await world.desktop.dunst.waitForWords("Leave by")
            try await world.calendar.modify(CalendarWorld.event("Dentist", inMinutes: 500, "GEO:52.5219;13.2952"))
            try await eventually("no suggestion", because: "the command tells what is, not what changes") {
                let answer = try await run(
                    builtProduct("hunch"), ["suggestions", "--json"], environment: world.desktop.environment)
                return answer.status == .exited(1) ? () : nil
            }
            try await world.calendar.add(
                CalendarWorld.event("Weekly", inMinutes: 1, "DESCRIPTION:https://meet.jit.si/OurRoom"))
            // No browser is installed, so nothing can join the call.
            let list = try await world.desktop.hunch("calendar", "list", "--json")
            #expect(list.contains(#""meeting":"https://meet.jit.si/OurRoom""#), "\(list)")
        }
    }
}
