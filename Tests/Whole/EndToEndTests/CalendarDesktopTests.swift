import TestSupport
import Testing

/// Appointments in the real Evolution Data Server, on a desktop with the real GeoClue.
@Suite("Appointments", .serialized, .timeLimit(.minutes(15)))
struct CalendarDesktopTests {
    @Test("An appointment in the calendar leads to its place in time")
    func leaving() async throws {
        try await CalendarWorld.with { world in
            let none = try await run(
                builtProduct("hunch"), ["calendar"], environment: world.desktop.environment)
            #expect(none.status == .exited(1), "\(none)")
            #expect(none.standardError == "hunch: there is no appointment in the next 7 days\n")
            // 8 km away in a straight line, so that it takes half an hour.
            try await world.calendar.add(
                CalendarWorld.event("Dentist", inMinutes: 45, "GEO:52.5219;13.2952", "LOCATION:Praxis"))
            try await world.desktop.dunst.waitForWords("Leave by")
            let offer = try await world.desktop.waitForSuggestion()
            #expect(offer.contains("for “Dentist”") && offer.contains("about 11 km"), "\(offer)")
            let doctor = try await run(builtProduct("hunch"), ["doctor"], environment: world.desktop.environment)
            #expect(doctor.standardOutput.contains("watching, 1 appointment in the next 7 days"), "\(doctor)")
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

    @Test("A reminder of a place is kept in the user's task list")
    func reminding() async throws {
        try await CalendarWorld.with { world in
            let app = try builtProduct("activity-app")
            try world.desktop.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Guide\nExec=\(app)\n",
                to: "data/applications/org.example.Guide.desktop")
            // No key is set at first, and the second place is wanted in a list that the user chose.
            try await remind("Yank Sing", world)
            let task = try #require(try await world.calendar.tasks(in: "system-task-list").first)
            #expect(task.contains("SUMMARY:Yank Sing\r\n") && task.contains("GEO:52.500000;13.400000"), "\(task)")
            #expect(task.contains("TRIGGER;VALUE=DATE-TIME:") && task.contains("ACTION:DISPLAY"), "\(task)")
            try await world.calendar.addTaskList("Errands")
            _ = try await run(
                "dconf", ["write", "/org/gnome/evolution/default-task-list", "'Errands'"],
                environment: world.desktop.environment
            ).output()
            try await remind("Oodi", world)
            #expect(try await world.calendar.tasks(in: "Errands").map { $0.contains("SUMMARY:Oodi\r\n") } == [true])
            #expect(try await world.calendar.tasks(in: "system-task-list").count == 1)
        }
    }

    /// Leaves a place, and presses *Remind me*.
    private func remind(_ place: String, _ world: CalendarWorld) async throws {
        let command = Command(
            try builtProduct("activity-app"), ["--resign", place, "52.5", "13.4"],
            environment: world.desktop.environment, ready: .line(containing: "shown"))
        try await withDaemon(command) { _ in
            try await world.desktop.dunst.waitForWords("Get directions to \(place)")
            try await world.desktop.dunst.press("Remind me")
            try await world.desktop.dunst.waitForWords("Reminder added: \(place)")
        }
    }
}
