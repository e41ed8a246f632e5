import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Suggestions because of appointments, with the real calendar reader.
@Suite("Calendar", .timeLimit(.minutes(15))) struct CalendarTests {
    /// 7 km from the user as the crow flies, about 26 minutes by car.
    private static let dentist = CalendarScene.event("Dentist", inMinutes: 90, "GEO:48.83;2.25", "LOCATION:Clinic")

    @Test("An appointment with a place is suggested 15 minutes before it is time to leave")
    func leaving() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await eventually("the appointment", because: "calendars have no signal here") {
                try await scene.rig.agent.appointments().appointments.first?.leave == nil ? nil : ()
            }
            try await scene.pass(toMinute: 40)
            #expect(try await scene.rig.agent.suggestions().isEmpty)
            try await scene.pass(toMinute: 50)
            let offer = try await scene.waitForOffer("Leave by 10:59 by car for “Dentist”")
            #expect(offer.kind == "directions" && offer.application == CalendarScene.maps)
            #expect(
                offer.subtitle.contains("Clinic · The org.example.Maps · about 10 km · at 11:30"), "\(offer.subtitle)")
            let explanation = try await scene.rig.agent.explain(offer.id)
            #expect(
                "\(explanation)".contains("the appointment is in your calendar")
                    && "\(explanation)".contains("about 26 minutes"))
            try await scene.rig.agent.accept(offer.id)
            #expect(try await scene.rig.started(CalendarScene.maps).first == "geo:48.83,2.25?from=org.example.Maps")
        }
    }

    @Test("A late departure says when to have left, and naming a place takes effect at once")
    func late() async throws {
        try await CalendarScene.with { scene in
            try await scene.pass(toMinute: 75)
            try scene.write(Self.dentist)
            let offer = try await scene.waitForOffer("Leave now by car for “Dentist”")
            #expect(offer.subtitle.hasPrefix("you needed to leave by 10:59 · Clinic"), "\(offer.subtitle)")
            let home = MapItem(name: "Home", coordinate: try Coordinate(latitude: 48.8667, longitude: 2.3333))
            #expect(try await scene.rig.agent.setOwnPlace(home, named: "home"))
            _ = try await scene.waitForOffer("Leave now by car from home for “Dentist”")
        }
    }

    @Test("Without a position, directions are suggested an hour before")
    func withoutPosition() async throws {
        try await CalendarScene.with(Self.dentist, hasPosition: false) { scene in
            try await scene.pass(toMinute: 30)
            let offer = try await scene.waitForOffer("“Dentist” begins at 11:30")
            #expect(offer.subtitle == "Get directions to Clinic · The org.example.Maps", "\(offer.subtitle)")
        }
    }

    @Test("A suggestion says that the time zone of its appointment is not known")
    func unknownZone() async throws {
        let dentist = CalendarScene.event(
            "Dentist", inMinutes: 90, "LOCATION:Clinic", "GEO:48.83;2.25"
        ).replacing("DTSTART:", with: "DTSTART;TZID=Office:").replacing("00Z", with: "00")
        try await CalendarScene.with(dentist, hasPosition: false) { scene in
            try await scene.pass(toMinute: 30)
            let offer = try await scene.waitForOffer("“Dentist” begins at 11:30")
            #expect(offer.subtitle.hasSuffix(" · the time zone “Office” is not known"), "\(offer.subtitle)")
        }
    }

    @Test("Words that are not a certain place lead to no time to leave")
    func uncertainPlace() async throws {
        let meeting = CalendarScene.event("Meeting", inMinutes: 30, "LOCATION:Room 5")
        try await CalendarScene.with(meeting) { scene in
            let found = try await scene.rig.agent.appointments().appointments
            #expect(found.map(\.event.title) == ["Meeting"] && found[0].leave == nil && found[0].distance == nil)
            try await scene.pass(toMinute: 20)
            #expect(try await scene.rig.agent.suggestions().isEmpty)
        }
    }

    @Test("A call is suggested two minutes before, and opened in the browser")
    func joining() async throws {
        let call = CalendarScene.event("Weekly", inMinutes: 10, "LOCATION:https://meet.google.com/abc-defg-hij")
        try await CalendarScene.with(call) { scene in
            try await scene.pass(toMinute: 7)
            #expect(try await scene.rig.agent.suggestions().isEmpty)
            try await scene.pass(toMinute: 8)
            let offer = try await scene.waitForOffer("Join “Weekly”")
            #expect(offer.kind == "meeting" && offer.subtitle == "meet.google.com · at 10:10")
            try await scene.rig.agent.accept(offer.id)
            #expect(try await scene.rig.started(CalendarScene.browser).first == "https://meet.google.com/abc-defg-hij")
        }
    }

    @Test("A call that cannot be opened is shown as failed, and can be retried")
    func failedCall() async throws {
        let call = CalendarScene.event("Weekly", inMinutes: 10, "LOCATION:https://meet.google.com/abc-defg-hij")
        try await CalendarScene.with(call) { scene in
            try scene.rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Browser\nExec=/nonexistent/browser %u\n"
                    + "MimeType=x-scheme-handler/https;\n",
                to: "data/applications/\(CalendarScene.browser).desktop")
            try await scene.pass(toMinute: 8)
            let offer = try await scene.waitForOffer("Join “Weekly”")
            #expect(try await scene.rig.refusal { try await $0.agent.accept(offer.id) }?.name == .actionFailed)
            #expect(try await scene.rig.agent.suggestions().map(\.state) == ["failed"])
            let listed = try await scene.rig.hunch("suggestions").output()
            #expect(listed.contains("\tfailed\t"), "\(listed)")
            try scene.rig.installApp(CalendarScene.browser, "MimeType=x-scheme-handler/https;")
            try await scene.rig.agent.accept(offer.id)
        }
    }

    @Test("Forgetting something else keeps an appointment's suggestion and the position")
    func forgetting() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await eventually("the appointment", because: "calendars have no signal here") {
                try await scene.rig.agent.appointments().appointments.first?.leave == nil ? nil : ()
            }
            try await scene.pass(toMinute: 50)
            let offer = try await scene.waitForOffer("Leave by 10:59 by car for “Dentist”")
            let others: [ForgetScope] = [
                .since(Date(timeIntervalSince1970: 0)), .place("Nowhere"), .kind(.playMedia), .kind(.getDirections),
                .everything,
            ]
            for scope in others {
                _ = try await scene.rig.agent.forget(scope)
                #expect(try await scene.rig.agent.suggestions().map(\.id) == [offer.id], "\(scope)")
            }
            #expect(try await scene.rig.agent.appointments().appointments.first?.leave != nil)
            let forgotten = try await scene.rig.hunch("forget", "--place", "clinic").output()
            #expect(forgotten.contains("withdrawn suggestions\t1\n"), "\(forgotten)")
            #expect(try await scene.rig.agent.suggestions().isEmpty)
            // Nothing brings it back.
            try await scene.pass(toMinute: 51)
            #expect(try await scene.rig.agent.appointments().appointments.count == 1)
            #expect(try await scene.rig.agent.suggestions().isEmpty)
            let again = try await scene.rig.hunch("forget", "--place", "clinic")
            #expect(again.status == .exited(1) && again.standardError.contains("nothing about the place"), "\(again)")
        }
    }

    @Test("Moving an appointment withdraws its suggestion, and cancelling it as well")
    func moving() async throws {
        try await CalendarScene.with(CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25")) { scene in
            _ = try await scene.waitForOffer("Leave now by car for “Dentist”")
            try scene.write(CalendarScene.event("Dentist", inMinutes: 400, "GEO:48.83;2.25"))
            try await scene.waitForNoOffer()
            try scene.write(CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25"))
            _ = try await scene.waitForOffer("Leave now by car for “Dentist”")
            try scene.write(CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.80;2.20"))
            try await eventually("the suggestion of the other place", because: "its title is the same") {
                let offered = try await scene.rig.agent.suggestions()
                return offered.first?.subtitle.contains("17 km") == true ? () : nil
            }
        }
    }

    @Test("Two departures are shown side by side")
    func together() async throws {
        let both = [
            CalendarScene.event("Near", inMinutes: 30, "GEO:48.85;2.30"),
            CalendarScene.event("Far", inMinutes: 40, "GEO:48.70;2.10"),
        ]
        try await CalendarScene.with(both[0], both[1]) { scene in
            let offers = try await scene.rig.waitForSuggestions("both") { $0.count == 2 ? $0 : nil }
            #expect(
                Set(offers.map(\.title)) == ["Leave now by car for “Far”", "Leave by 10:08 by car for “Near”"])
            let far = try #require(offers.first { $0.title.contains("Far") })
            try await scene.rig.agent.dismiss(far.id)
            _ = try await scene.waitForOffer("Leave by 10:08 by car for “Near”")
        }
    }

    @Test("A restart does not repeat what the user has answered")
    func restart() async throws {
        try await CalendarScene.with(CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25")) { scene in
            let agent = scene.rig.agent
            let offer = try await scene.waitForOffer("Leave now by car for “Dentist”")
            try await agent.dismiss(offer.id)
            try await agent.disable()
            try await agent.enable()
            _ = try await agent.appointments()
            #expect(try await agent.suggestions().isEmpty)
        }
    }

    @Test("A sandboxed map app does not see the suggestion that it would carry out")
    func sandboxed() async throws {
        try await CalendarScene.with(CalendarScene.event("Oncologist", inMinutes: 20, "GEO:48.83;2.25")) { scene in
            _ = try await scene.waitForOffer("Leave now by car for “Oncologist”")
            try await scene.withApp(CalendarScene.maps, .sandboxed) { (app) async throws -> Void in
                #expect(try await app.suggestions().isEmpty)
            }
        }
    }

    @Test("A reservation on a page is suggested at once, if the user allows it")
    func page() async throws {
        try await CalendarScene.with { scene in
            let start = CalendarScene.start.addingTimeInterval(20 * 60)
            let place = MapItem(name: "Septime", coordinate: try Coordinate(latitude: 48.83, longitude: 2.25))
            let table = Activity(
                type: "org.example.Guide.table", title: "Table at Septime", place: place, contentIdentifier: "t1",
                start: start, reservation: "FoodEstablishmentReservation")
            try await scene.withApp("org.example.Guide", .unsandboxed) { (app) async throws -> Void in
                let _: ObjectPath = try await app.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent", table.transfer)
                let offer = try await scene.waitForOffer("Leave now by car for “Table at Septime”")
                #expect(offer.source == "From your reservation")
            }
            // The app has gone, and the reservation stays.
            #expect(try await scene.rig.agent.appointments().appointments.map(\.event.title) == ["Table at Septime"])
            _ = try await scene.rig.agent.exclude("org.example.Guide")
            try await scene.waitForNoOffer()
        }
    }

    @Test("At its place, an appointment is not suggested")
    func arriving() async throws {
        try await CalendarScene.with(CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25")) { scene in
            _ = try await scene.waitForOffer("Leave now by car for “Dentist”")
            try await scene.geoclue.move(48.8301, 2.2501)
            try await scene.waitForNoOffer()
        }
    }

    @Test("Calendars are read only while the user allows it")
    func permission() async throws {
        let soon = CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25")
        try await CalendarScene.with(soon, isAllowed: false) { scene in
            let agent = scene.rig.agent
            let refusal = try await scene.rig.refusal { _ = try await $0.agent.appointments() }
            #expect(refusal?.name == .disabled && refusal?.message.contains("hunch allow calendar") == true)
            #expect(try await agent.connection.owner(of: HunchNames.calendarReader) == nil)
            try await agent.setCategory("calendar", isRecorded: true)
            _ = try await scene.waitForOffer("Leave now by car for “Dentist”")
            try await agent.setCategory("calendar", isRecorded: false)
            try await scene.waitForNoOffer()
            try await agent.setCategory("calendar", isRecorded: true)
            try await agent.pause(until: nil)
            try await scene.waitForNoOffer()
        }
    }

    @Test("The status shows the state of the calendars")
    func status() async throws {
        let soon = CalendarScene.event("Dentist", inMinutes: 20, "GEO:48.83;2.25")
        try await CalendarScene.with(soon) { scene in
            _ = try await scene.waitForOffer("Leave now by car for “Dentist”")
            let known = try await scene.rig.agent.status().part("calendar")
            #expect(known?.state == "watching" && known?.count == 1)
            let status = try await scene.rig.hunch("status").output()
            #expect(status.contains("calendar\twatching, 1 appointment in the next 7 days\n"), "\(status)")
            try await scene.rig.agent.setCategory("calendar", isRecorded: false)
            try await eventually("calendars that are not allowed", because: "the status has no signal") {
                let status = try await scene.rig.agent.status()
                let calendar = status.part("calendar")
                return calendar?.state == "not allowed" && calendar?.count == 0 ? () : nil
            }
            try await scene.rig.agent.disable()
            #expect(try await scene.rig.agent.status().part("calendar")?.state == "off")
        }
    }

    @Test("Only the agent may ask the calendar reader")
    func otherCallers() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            let refusal = try await scene.rig.refusal { rig in
                _ = try await CalendarReaderClient(bus: rig.agent.connection)
                    .upcoming(from: CalendarScene.start, until: CalendarScene.start)
            }
            #expect(refusal?.name == .accessDenied, "\(refusal.debugDescription)")
            let adding = try await scene.rig.refusal { rig in
                let task = "BEGIN:VTODO\r\nSUMMARY:Buy\r\nEND:VTODO\r\n"
                _ = try await CalendarReaderClient(bus: rig.agent.connection).addTask(task, preferring: "")
            }
            #expect(adding?.name == .accessDenied, "\(adding.debugDescription)")
        }
    }

    @Test("The calendar reader exports what its interface documents")
    func interface() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            _ = try await scene.rig.agent.appointments()
            let xml: String = try await scene.rig.agent.connection.call(
                HunchNames.calendarReader, HunchNames.calendarReaderPath, .introspectable, "Introspect")
            let name = HunchNames.calendarReaderInterface.text
            let documented = try String(
                contentsOfFile: "\(Surroundings.packageRoot)/Sources/Base/AgentInterface/Interfaces/\(name).xml",
                encoding: .utf8)
            #expect(
                try InterfaceDescription.members(of: xml)[name] == InterfaceDescription.members(of: documented)[name])
        }
    }

    @Test("An added reservation becomes an appointment, and forgetting removes it")
    func reservation() async throws {
        try await CalendarScene.with { scene in
            let agent = scene.rig.agent
            let start = CalendarScene.start.addingTimeInterval(20 * 60)
            let table = CalendarEvent(
                title: "Table at Septime", start: start,
                place: MapItem(name: "Septime", coordinate: try Coordinate(latitude: 48.83, longitude: 2.25)),
                webPageURL: "https://septime.example/r/1", reservation: "FoodEstablishmentReservation")
            let id = try await agent.addReservation(table)
            let offer = try await scene.waitForOffer("Leave now by car for “Table at Septime”")
            #expect(offer.source == "From your reservation")
            #expect(try await agent.appointments().appointments.map(\.event) == [table])
            #expect(try await agent.removeReservation(id))
            try await scene.waitForNoOffer()
            #expect(try await agent.removeReservation(id) == false)
            _ = try await agent.addReservation(table)
            let receipt = try await agent.forget(.place("septime"))
            #expect(receipt["seen-places"] == 1)
            #expect(try await agent.appointments().appointments.isEmpty)
        }
    }

    @Test("A flight can be checked in from a day before, and the route to the airport is planned earlier")
    func flight() async throws {
        try await CalendarScene.with { scene in
            let airport = MapItem(name: "CDG", coordinate: try Coordinate(latitude: 49.01, longitude: 2.55))
            let flight = CalendarEvent(
                title: "AF 1", start: CalendarScene.start.addingTimeInterval(23 * 3_600), place: airport,
                webPageURL: "https://air.example/checkin", reservation: "FlightReservation")
            _ = try await scene.rig.agent.addReservation(flight)
            let offer = try await scene.waitForOffer("Check in for “AF 1”")
            #expect(offer.kind == "reservation" && offer.subtitle.hasPrefix("air.example · at "))
            try await scene.rig.agent.accept(offer.id)
            #expect(try await scene.rig.started(CalendarScene.browser).first == "https://air.example/checkin")
            let leave = try #require(try await scene.rig.agent.appointments().appointments.first?.leave)
            #expect((7_200...10_800).contains(flight.start.timeIntervalSince(leave)))
        }
    }
}
