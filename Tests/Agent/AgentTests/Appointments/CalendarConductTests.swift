import FoundationEssentials
import History
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
                calls.joined(separator: "\r\n"),
                CalendarScene.event("Dentist", inMinutes: 103, "GEO:48.83;2.25"))
            try await scene.waitForAppointments(9)
            for number in 1...8 {
                try await scene.pass(toMinute: Double(number) * 7 - 2)
                let offer = try await scene.waitForOffer("Join “Call \(number)”")
                if number < 8 { try await scene.rig.agent.dismiss(offer.id) }
            }
            // Nobody answered the last call.
            try await scene.pass(toMinute: 60)
            try await scene.rig.waitForSuggestions("the departure") { suggestions in
                suggestions.contains { $0.title.hasSuffix("“Dentist”") } ? () : nil
            }
        }
    }

    @Test(
        "Accepting is refused if the app fails at once, and the suggestion stays",
        arguments: ["/bin/false %u", "/nonexistent/maps %u"])
    func failingApp(command: String) async throws {
        try await CalendarScene.with(CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25")) { scene in
            let offer = try await scene.waitForOffer("Leave now by car for “Dentist”")
            // The app declares routes as before, so that it stays the first one if the agent looks again meanwhile.
            try scene.rig.home.directory.write(
                """
                [Desktop Entry]
                Type=Application
                Name=Maps
                Exec=\(command)
                Implements=org.hunch.RoutingApp1;

                [org.hunch.RoutingApp1]
                Modes=car;pedestrian;
                Uri=geo:{lat},{lon}

                """,
                to: "data/applications/\(CalendarScene.maps).desktop")
            let answer = try await scene.rig.hunch("accept", offer.id)
            #expect(answer.status == .exited(3) && answer.standardOutput.isEmpty, "\(answer)")
            #expect(
                answer.standardError.contains(
                    command.contains("false")
                        ? "exit code 1" : "Maps cannot be started: its program /nonexistent/maps does not exist"),
                "\(answer)")
            #expect(try await scene.rig.agent.suggestions().map(\.id) == [offer.id])
            try scene.rig.installMapApp(CalendarScene.maps)
            let again = try await scene.rig.hunch("accept", offer.id).output()
            #expect(again == "Accepted: Leave now by car for “Dentist”\n")
        }
    }

    @Test("A place that cannot be found is named, and the app searches for its words an hour before")
    func wordsAlone() async throws {
        let events = [
            CalendarScene.event("Haircut", inMinutes: 60, "LOCATION:Salon Müller"),
            CalendarScene.event(
                "Review", inMinutes: 60, "LOCATION:Aurora", "X-GOOGLE-CONFERENCE:https://meet.google.com/a-b-c"),
            CalendarScene.event("Stand-up", inMinutes: 60, "LOCATION:Room 5"),
        ]
        try await CalendarScene.with { scene in
            try scene.rig.installMapApp(CalendarScene.maps, more: "UriSearch=geo:0,0?q={query}")
            try scene.write(events[0], events[1], events[2])
            let offer = try await scene.rig.waitForSuggestions("the haircut") { $0.first }
            #expect(
                offer.title.hasPrefix("“Haircut” begins at ") && offer.subtitle.contains("Salon Müller"), "\(offer)")
            scene.clock.update { $0 = CalendarScene.start }
            let list = try await scene.rig.hunch("calendar")
            #expect(
                list.standardError.contains(
                    "no time to leave for “Haircut”: there is no gazetteer to look up “Salon Müller” in"),
                "\(list)")
            #expect(!list.standardError.contains("Stand-up"), "\(list)")
            _ = try await scene.rig.hunch("accept", offer.id).output()
            #expect(try await scene.rig.started(CalendarScene.maps).first?.contains("M%C3%BCller") == true)
        }
    }

    /// Fills the gazetteer with Paris and two towns named Vernon.
    private func importTowns(_ scene: CalendarScene) async throws {
        let rows = [
            ("Paris", 48.86, 2.35, "FR", 2_138_000), ("Vernon", 49.09, 1.49, "FR", 25_000),
            ("Vernon", 50.27, -119.27, "CA", 44_000),
        ].map { name, latitude, longitude, country, people in
            "\(people)\t\(name)\t\(name)\t\t\(latitude)\t\(longitude)\tP\tPPL\t\(country)\t\t\t\t\t\t\(people)\t\t10\tEtc/UTC\t2024-01-01"
        }
        let list = try scene.rig.home.directory.write(rows.joined(separator: "\n"), to: "x/towns.txt")
        _ = try await scene.rig.hunch("gazetteer", "import", list).output()
    }

    @Test("A town that is certain from the user's position gets a departure; the user's own town does not")
    func towns() async throws {
        try await CalendarScene.with { scene in
            try await importTowns(scene)
            try scene.write(
                CalendarScene.event("Visit", inMinutes: 300, "LOCATION:Vernon"),
                CalendarScene.event("Walk", inMinutes: 400, "LOCATION:Paris"))
            try await scene.waitForAppointments(2)
            let found = try await scene.rig.agent.appointments().appointments
            #expect(found.map(\.event.title) == ["Visit", "Walk"])
            #expect(found.first?.leave != nil && found.last?.leave == nil, "\(found)")
        }
    }

    @Test("Without a position, an appointment in a town is suggested when it begins, and an ambiguous one says so")
    func townsFromNowhere() async throws {
        try await CalendarScene.with(hasPosition: false) { scene in
            try await importTowns(scene)
            try scene.write(
                CalendarScene.event("Visit", inMinutes: 300, "LOCATION:Vernon"),
                CalendarScene.event("Walk", inMinutes: 30, "LOCATION:Paris"))
            try await scene.waitForAppointments(2)
            // The position is awaited only for a while.
            try await scene.pass(toMinute: 1)
            let offer = try await scene.waitForOffer("“Walk” begins at 10:30")
            #expect(offer.subtitle.contains("Paris"), "\(offer)")
            let found = try await scene.rig.agent.appointments().appointments
            #expect(found.map(\.obstacle) == ["noPosition", "ambiguous"])
            let listed = try await scene.rig.hunch("calendar")
            #expect(listed.standardError.contains("“Vernon” may mean several places"), "\(listed)")
        }
    }

    @Test("A calendar in a folder that is created later is read, and the status agrees with the list")
    func newFolder() async throws {
        try await CalendarScene.with { scene in
            try await eventually("the calendars", because: "the status has no signal") {
                try await scene.rig.agent.status().part("calendar")?.state == "watching" ? () : nil
            }
            let others = (1...4).map { CalendarScene.event("Note \($0)", inMinutes: Double($0) * 2_000) }
            try scene.write(
                CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25"),
                others.joined(separator: "\r\n"),
                to: "data/evolution/calendar/system/calendar.ics")
            try await scene.rig.waitForSuggestions("the departure") { suggestions in
                suggestions.count == 1 && suggestions[0].title.hasSuffix("“Dentist”") ? () : nil
            }
            let listed = try await scene.rig.agent.appointments().appointments
            #expect(listed.map(\.event.title) == ["Dentist", "Note 1", "Note 2", "Note 3", "Note 4"])
            #expect(try await scene.rig.agent.status().part("calendar")?.count == 5)
        }
    }
}

/// That a muted series stays silent until it is unmuted.
@Suite("Muted appointments", .timeLimit(.minutes(15))) struct MutedAppointmentTests {
    @Test("Unmuting a series suggests the call that is due, and none that was dismissed")
    func unmuting() async throws {
        let series = CalendarScene.event(
            "Sync", inMinutes: 10, "RRULE:FREQ=MINUTELY;INTERVAL=20;COUNT=6", "LOCATION:https://meet.jit.si/Sync")
        try await CalendarScene.with { scene in
            let agent = scene.rig.agent
            try scene.write(series)
            try await scene.waitForAppointments(6)
            var dismissed: Set<Suggestion.ID> = []
            for number in 0..<3 {
                try await scene.pass(toMinute: Double(number) * 20 + 8)
                let offer = try await scene.waitForOffer("Join “Sync”")
                dismissed.insert(offer.id)
                try await agent.dismiss(offer.id)
            }
            let pair = try #require(try await agent.mutedPairs().first)
            try await scene.pass(toMinute: 68)
            try await scene.waitForNoOffer()
            #expect(try await agent.unmute(pair))
            let call = try await scene.waitForOffer("Join “Sync”")
            #expect(!dismissed.contains(call.id))
            try await agent.dismiss(call.id)
            try await agent.disable()
            try await agent.enable()
            _ = try await agent.appointments()
            #expect(try await agent.suggestions().isEmpty)
        }
    }
}

/// That a departure names how to travel, and from where.
@Suite("Departures", .timeLimit(.minutes(15))) struct DepartureTests {
    /// 27 km and 3 km from the user, as the crow flies.
    private static let far = CalendarScene.event("Dentist", inMinutes: 180, "GEO:48.63;2.41")
    private static let near = CalendarScene.event("Market", inMinutes: 300, "GEO:48.85;2.30")

    /// Records directions that the user opened by a mode, from where they are.
    private func travel(
        _ mode: String, to latitude: Double, _ longitude: Double, times: Int = 3,
        with application: AppID = CalendarScene.maps, in scene: CalendarScene
    ) throws {
        try StoreFile(home: scene.rig.home).use { store in
            for day in 1...times {
                let date = CalendarScene.start.addingTimeInterval(Double(-day) * 86_400)
                let parameters = ["latitude": "\(latitude)", "longitude": "\(longitude)", "mode": mode]
                let route = Donation(
                    application: application, kind: .getDirections, parameters: parameters, date: date,
                    context: Context(), combination: ["latitude", "longitude"])
                guard try store.record(route, now: date).isRecorded else {
                    throw BenchError("not recorded")
                }
            }
        }
    }

    @Test("After three short rides by bike, the town that is 27 km away is not reached by bike")
    func shortRides() async throws {
        try await CalendarScene.with { scene in
            try travel("bike", to: 48.85, 2.30, in: scene)
            try scene.write(Self.far, Self.near)
            try await scene.pass(toMinute: 125)
            let offer = try await scene.rig.waitForSuggestions("the departure") {
                $0.count == 1 ? $0[0] : nil
            }
            #expect(offer.title.contains(" by car for “Dentist”"), "\(offer.title)")
            #expect(offer.subtitle.contains("about 38 km"), "\(offer.subtitle)")
            try await scene.rig.agent.dismiss(offer.id)
            try await scene.pass(toMinute: 270)
            let ride = try await scene.rig.waitForSuggestions("the ride") { $0.count == 1 ? $0[0] : nil }
            #expect(ride.title.contains(" by bike for “Market”"), "\(ride.title)")
        }
    }

    @Test("An app for bikes that was used last makes no departure a long ride by bike", arguments: [false, true])
    func bikeApp(isTold: Bool) async throws {
        try await CalendarScene.with { scene in
            let bike: AppID = "org.example.Bike"
            try scene.rig.installMapApp(bike, modes: "bike")
            if !isTold { try travel("bike", to: 48.85, 2.30, times: 1, with: bike, in: scene) }
            try scene.write(Self.far)
            try await scene.pass(toMinute: 125)
            let title = try await scene.rig.waitForSuggestions("the departure") { $0.count == 1 ? $0[0].title : nil }
            #expect(title.contains(" by car for “Dentist”"), "\(title)")
            guard isTold else { return }
            // A suggestion that was shown does not change.
            try travel("bike", to: 48.64, 2.40, with: bike, in: scene)
            try scene.write(Self.far, Self.near)
            try await scene.waitForAppointments(2)
            #expect(try await scene.rig.agent.suggestions().map(\.title) == [title])
        }
    }

    @Test("The mode of similar distances and the named place count")
    func train() async throws {
        try await CalendarScene.with { scene in
            try travel("bike", to: 48.85, 2.30, in: scene)
            try travel("train", to: 48.64, 2.40, in: scene)
            let home = MapItem(
                name: "Home",
                coordinate: try Coordinate(
                    latitude: CalendarScene.here.latitude, longitude: CalendarScene.here.longitude))
            #expect(try await scene.rig.agent.setOwnPlace(home, named: "home"))
            try scene.write(Self.far)
            try await scene.waitForAppointments(1)
            let leave = try #require(try await scene.rig.agent.appointments().appointments.first?.leave)
            let minutes = leave.timeIntervalSince(CalendarScene.start) / 60
            try await scene.pass(toMinute: minutes - 10)
            let offer = try await scene.rig.waitForSuggestions("the departure") {
                $0.count == 1 ? $0[0] : nil
            }
            #expect(offer.title.hasPrefix("Leave by 1"), "\(offer.title)")
            #expect(offer.title.hasSuffix(" by train from home for “Dentist”"), "\(offer.title)")
        }
    }
}
