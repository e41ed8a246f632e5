import AgentInterface
import EventLoops
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// The notifications of departures and calls, with the real calendar reader and a recorder as the notification server.
@Suite("Notifications of appointments", .timeLimit(.minutes(15))) struct DepartureNotificationTests {
    private static let dentist = CalendarScene.event(
        "Dentist", inMinutes: 90, "GEO:48.83;2.25", "LOCATION:Clinic\\nRue de la Paix 3")
    private static let lunch = CalendarScene.event("Lunch", inMinutes: 92, "GEO:48.90;2.40", "LOCATION:Septime")

    private nonisolated(nonsending) func withRecorder(
        on bus: PrivateBus, _ body: nonisolated(nonsending) (NotificationRecorder) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "notifications")
        defer { loop.stop() }
        let recorder = try await NotificationRecorder.start(on: bus, loop: loop)
        try await body(recorder)
        await recorder.stop()
    }

    @Test("Each departure has one notification, which changes in place and returns after a pause")
    func departures() async throws {
        try await CalendarScene.with(Self.dentist, Self.lunch) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(2)
                try await scene.pass(toMinute: 54)
                let shown = [try await recorder.request(1), try await recorder.request(2)]
                #expect(shown.map(\.replaces) == [0, 0] && Set(shown.map(\.number)) == [1, 2])
                let dentist = try #require(shown.first { $0.summary == "Leave by 10:59 by car for “Dentist”" })
                #expect(dentist.body.contains("Clinic · "), "\(dentist.body)")
                #expect(shown.allSatisfy { $0.hints["suppress-sound"] == nil })

                // It is time to leave.
                try await scene.pass(toMinute: 60)
                let later = try await recorder.request(3)
                #expect(later.replaces == dentist.number && later.summary == "Leave now by car for “Dentist”")

                #expect(later.hints["suppress-sound"] == .boolean(true))

                // The calendar changes the title, the place and the time of the same event.
                try scene.write(
                    CalendarScene.event("Dr. Gray", inMinutes: 95, "GEO:48.83;2.25", "LOCATION:Practice")
                        .replacing("UID:Dr. Gray", with: "UID:Dentist"),
                    Self.lunch)
                let changed = try await recorder.request(4)
                #expect(changed.replaces == dentist.number && changed.summary.contains("“Dr. Gray”"), "\(changed)")
                #expect(changed.body.contains("Practice · "), "\(changed.body)")
                #expect(try await scene.rig.agent.suggestions().contains { $0.title == changed.summary })

                try await scene.rig.agent.pause(until: nil)
                for number in [1, 2] as [UInt32] { try await recorder.waitForClosing(of: number) }
                let requests = recorder.record.state.requests
                #expect(requests.count == 4, "\(requests.map(\.summary))")

                // Nobody has answered them.
                try await scene.rig.agent.resume()
                let again = [try await recorder.request(5), try await recorder.request(6)]
                #expect(Set(again.map(\.summary)).count == 2 && again.contains { $0.summary.contains("“Dr. Gray”") })
                #expect(again.allSatisfy { $0.hints["suppress-sound"] == .boolean(true) })
                // They waited for the position.
                #expect(again.allSatisfy { $0.summary.hasPrefix("Leave ") }, "\(again.map(\.summary))")
                // They stand when the agent looks again.
                try await scene.pass(toMinute: 61)
                try await scene.rig.waitForSuggestions("both shown") { suggestions in
                    suggestions.count == 2 && suggestions.allSatisfy { $0.state == "shown" } ? () : nil
                }
                #expect(recorder.record.state.requests.count == 6 && recorder.record.state.closed.count == 2)
            }
        }
    }

    @Test(
        "A call that is moved by some minutes keeps its notification, with the new time",
        arguments: [("10:13", 3.0), ("10:09", -1), ("10:14", 4.5)], ["UID:Weekly", "UID:Other", "CLASS:PUBLIC"])
    func movedCall(move: (time: String, minutes: Double), identifier: String) async throws {
        func call(inMinutes minutes: Double) -> String {
            CalendarScene.event("Weekly", inMinutes: minutes, "LOCATION:https://meet.google.com/abc-defg-hij")
        }
        try await CalendarScene.with(call(inMinutes: 10)) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.pass(toMinute: 8)
                let shown = try await recorder.request(1)
                #expect(shown.summary == "Join “Weekly”" && shown.body.contains("at 10:10"), "\(shown)")
                // The occurrence keeps its identifier, gets another, or has none.
                try scene.write(call(inMinutes: 10 + move.minutes).replacing("UID:Weekly", with: identifier))
                let moved = try await recorder.request(2)
                #expect(moved.replaces == shown.number && moved.body.contains("at \(move.time)"), "\(moved)")
                let offered = try await scene.rig.agent.suggestions()
                #expect(offered.map(\.subtitle) == ["meet.google.com · at \(move.time)"])
            }
        }
    }

    @Test("A suggestion shown before a revoked permission is not shown again")
    func revocation() async throws {
        let call = CalendarScene.event("Weekly", inMinutes: 55, "LOCATION:https://meet.jit.si/Weekly")
        try await CalendarScene.with(Self.dentist, Self.lunch, call) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(3)
                try await scene.pass(toMinute: 54)
                for number in 1...3 { _ = try await recorder.request(number) }
                let offers = try await scene.rig.waitForSuggestions("all shown") { suggestions in
                    suggestions.count == 3 && suggestions.allSatisfy { $0.state == "shown" } ? suggestions : nil
                }
                let weekly = try #require(offers.first { $0.title == "Join “Weekly”" })
                try await scene.rig.agent.dismiss(weekly.id)
                for other in ["calls", "messages"] {
                    _ = try await scene.rig.hunch("allow", "calendar", "--revoke").output()
                    try await scene.waitForNoOffer()
                    // The agent looks again when another setting changes.
                    _ = try await scene.rig.hunch("allow", other).output()
                    _ = try await scene.rig.hunch("allow", "calendar").output()
                    let again = try await scene.rig.waitForSuggestions("the departures") { suggestions in
                        suggestions.count == 2 && suggestions.allSatisfy { $0.state == "shown" } ? suggestions : nil
                    }
                    #expect(Set(again.map(\.id)) == Set(offers.map(\.id)).subtracting([weekly.id]))
                    let requests = recorder.record.state.requests.map(\.summary)
                    #expect(requests.count == 3, "\(requests)")
                }
                // But a suggestion says when it is time to leave.
                try await scene.pass(toMinute: 60)
                let now = try await recorder.request(4)
                #expect(now.replaces == 0 && now.summary == "Leave now by car for “Dentist”", "\(now)")
            }
        }
    }

    @Test("A busy calendar hides no departure")
    func busyCalendar() async throws {
        let rooms = (1...40).map { CalendarScene.event("Talk \($0)", inMinutes: 60, "LOCATION:Room \($0)") }
        let calls = (1...40).map {
            CalendarScene.event("Call \($0)", inMinutes: 61, "LOCATION:https://meet.jit.si/Call\($0)")
        }
        try await CalendarScene.with(Self.dentist) { scene in
            try await scene.waitForAppointments(1)
            try await scene.pass(toMinute: 50)
            let dentist = try await scene.waitForOffer("Leave by 10:59 by car for “Dentist”")
            try scene.write((rooms + calls + [Self.dentist]).joined(separator: "\r\n"))
            try await scene.waitForAppointments(81)
            try await scene.pass(toMinute: 51)
            #expect(try await scene.waitForOffer(dentist.title).id == dentist.id)
        }
    }

    @Test("A departure stays while the location is not allowed, and regains its time afterwards")
    func location() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await scene.waitForAppointments(1)
            try await scene.pass(toMinute: 50)
            let timed = try await scene.rig.waitForSuggestions("the departure") { $0.count == 1 ? $0[0].title : nil }
            #expect(timed.hasPrefix("Leave "), "\(timed)")
            _ = try await scene.rig.hunch("allow", "location", "--revoke").output()
            let untimed = try await scene.rig.waitForSuggestions("the start") { suggestions in
                suggestions.first { !$0.title.hasPrefix("Leave ") }?.title
            }
            #expect(untimed.contains("begins at"), "\(untimed)")
            _ = try await scene.rig.hunch("allow", "location").output()
            try await scene.rig.waitForSuggestions("the departure again") { suggestions in
                suggestions.count == 1 && suggestions[0].title == timed ? () : nil
            }
        }
    }

    @Test("A movement changes a departure in place")
    func movement() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(1)
                try await scene.pass(toMinute: 50)
                let shown = try await recorder.request(1)
                // 1 km from the clinic. It would not be due yet.
                try await scene.geoclue.move(48.838, 2.255)
                let nearer = try await recorder.request(2)
                #expect(nearer.replaces == shown.number && nearer.summary.contains("on foot"), "\(nearer.summary)")
            }
        }
    }

    @Test("A departure keeps its mode if the user moves a little")
    func smallMovement() async throws {
        // 1.5 km, more than 2 km on roads.
        let market = CalendarScene.event("Market", inMinutes: 60, "GEO:48.8532;2.3333")
        try await CalendarScene.with(market) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(1)
                try await scene.pass(toMinute: 40)
                let shown = try await recorder.request(1)
                #expect(shown.summary == "Leave by 10:43 by car for “Market”", "\(shown.summary)")
                #expect(shown.body.contains("about 2.1 km"), "\(shown.body)")
                try await scene.geoclue.move(48.8640, 2.3333)
                let nearer = try await recorder.request(2)
                #expect(nearer.replaces == shown.number && nearer.summary.contains(" by car "), "\(nearer.summary)")
            }
        }
    }

    @Test("Forgetting or excluding a departure's app repeats no suggestion, and the next app takes over")
    func forgottenApp() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(1)
                try await scene.pass(toMinute: 50)
                let shown = try await recorder.request(1)
                let offer = try await scene.rig.waitForSuggestions("it being shown") {
                    $0.first?.state == "shown" ? $0.first : nil
                }
                for scope in [ForgetScope.application(CalendarScene.maps), .device("AA:BB"), .everything] {
                    _ = try await scene.rig.agent.forget(scope)
                    try await scene.pass(toMinute: 50)
                    #expect(try await scene.rig.agent.suggestions().map(\.id) == [offer.id], "\(scope)")
                }
                #expect(recorder.record.state.requests.count == 1 && recorder.record.state.closed.isEmpty)
                try scene.rig.installMapApp("org.example.Zed")
                _ = try await scene.rig.agent.exclude(CalendarScene.maps)
                let other = try await recorder.request(2)
                #expect(other.replaces == shown.number && other.hints["suppress-sound"] == .boolean(true), "\(other)")
                let now = try await scene.rig.agent.suggestions()
                #expect(now.map(\.id) == [offer.id] && now.map(\.application) == ["org.example.Zed"], "\(now)")
                #expect(recorder.record.state.closed.isEmpty)
            }
        }
    }

    @Test("A calendar that is cut off for a moment withdraws nothing")
    func cutOff() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(1)
                try await scene.pass(toMinute: 50)
                _ = try await recorder.request(1)
                for (text, state) in [("BEGIN:VCALENDAR\r\nBEGIN:VEV", "partly"), (nil, "watching")] {
                    if let text {
                        try scene.rig.home.directory.write(text, to: CalendarScene.file)
                    } else {
                        try scene.write(Self.dentist)
                    }
                    try await eventually("the calendar, read again", because: "the status has no signal") {
                        try await scene.rig.agent.status().part("calendar")?.state == state ? () : nil
                    }
                    #expect(try await scene.rig.agent.suggestions().count == 1)
                }
                #expect(recorder.record.state.requests.count == 1 && recorder.record.state.closed.isEmpty)
            }
        }
    }

    /// The home of an agent in its own process, with a call that begins in a minute.
    private func prepare(_ home: TemporaryHome) throws {
        let start = Date(timeIntervalSinceNow: 60).ISO8601Format().filter { $0 != "-" && $0 != ":" }
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "SUMMARY:Weekly", "DTSTART:\(start)",
            "LOCATION:https://meet.jit.si/Weekly", "END:VEVENT", "END:VCALENDAR", "",
        ]
        try home.directory.write(lines.joined(separator: "\r\n"), to: CalendarScene.file)
        try home.directory.write(
            "[D-BUS Service]\nName=org.hunch.CalendarReader1\nExec=\(builtProduct("hunch-calendar"))\n",
            to: "services/org.hunch.CalendarReader1.service")
        let browser = CalendarScene.browser
        try home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Browser\nExec=true %u\nMimeType=x-scheme-handler/https;\n",
            to: "data/applications/\(browser).desktop")
        try home.directory.write(
            "[Default Applications]\nx-scheme-handler/https=\(browser).desktop\n", to: "config/mimeapps.list")
    }

    @Test("A departure returns without a sound after Hunch was off")
    func off() async throws {
        try await CalendarScene.with(Self.dentist) { scene in
            try await withRecorder(on: scene.rig.bus) { recorder in
                try await scene.waitForAppointments(1)
                try await scene.pass(toMinute: 50)
                #expect(try await recorder.request(1).hints["suppress-sound"] == nil)
                for number in 1...2 {
                    try await scene.rig.agent.disable()
                    try await recorder.waitForClosing(of: UInt32(number))
                    try await scene.rig.agent.enable()
                    let again = try await recorder.request(number + 1)
                    #expect(again.hints["suppress-sound"] == .boolean(true), "\(again)")
                }
            }
        }
    }

    @Test(
        "A stopped or killed agent leaves no notification, and shows unanswered suggestions again after a restart",
        arguments: [(SIGTERM, false), (SIGKILL, false), (SIGTERM, true)], [false, true])
    func restart(end: (signal: Int32, isForgotten: Bool), isClosed: Bool) async throws {
        try await withTemporaryHome { home in
            try prepare(home)
            try await withPrivateBus(
                serviceDirectories: [home.directory.file("services")], environment: home.environment
            ) { bus in
                try await withRecorder(on: bus) { recorder in
                    let record = home.directory.file("state/hunch/notifications")
                    try await withAgent(on: bus, in: home) { rig, daemon in
                        try await rig.agent.enable()
                        try await rig.agent.setCategory("calendar", isRecorded: true)
                        let shown = try await recorder.request(1)
                        #expect(shown.summary == "Join “Weekly”")
                        try await rig.waitForSuggestions("it being shown") { $0.first?.state == "shown" ? () : nil }
                        try await eventually("the record", because: "files have no signal here") {
                            FileManager.default.fileExists(atPath: record) ? () : nil
                        }
                        if isClosed {
                            try await recorder.tellClosed(1, reason: 2)
                            try await rig.waitForSuggestions("its end") { $0.isEmpty ? () : nil }
                        }
                        try await eventually("the recorded outcome", because: "the store tells nobody") {
                            try await rig.hunch("history", "--suggestions").standardOutput
                                .contains(isClosed ? "Closed" : "Shown") ? () : nil
                        }
                        if end.isForgotten {
                            _ = try await rig.agent.forget(.application(CalendarScene.browser))
                            _ = try await rig.agent.forget(.since(Date(timeIntervalSinceNow: -60)))
                            #expect(
                                try await rig.hunch("history", "--suggestions").standardOutput.contains("Join") == false
                            )
                        }
                        daemon.signal(end.signal)
                        try await daemon.waitForExit()
                    }
                    try await withAgent(on: bus, in: home) { rig, _ in
                        guard isClosed else {
                            try await recorder.waitForClosing(of: 1)
                            let again = try await recorder.request(2)
                            #expect(again.summary == "Join “Weekly”" && again.hints["suppress-sound"] == .boolean(true))
                            let offers = try await rig.waitForSuggestions("the call") {
                                $0.first?.state == "shown" ? $0 : nil
                            }
                            return #expect(offers.map(\.title) == ["Join “Weekly”"])
                        }
                        try await eventually("the calendar", because: "the status has no signal") {
                            try await rig.agent.status().part("calendar")?.state == "watching" ? () : nil
                        }
                        #expect(try await rig.agent.suggestions().isEmpty)
                        #expect(recorder.record.state.requests.count == 1)
                        #expect(!FileManager.default.fileExists(atPath: record))
                    }
                }
            }
        }
    }

    @Test("A damaged calendar is named by “hunch calendar”, and by the status for “hunch doctor”")
    func damaged() async throws {
        try await CalendarScene.with { scene in
            let file = scene.rig.home.directory.file(".calendars/broken.ics")
            try scene.rig.home.directory.write("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n", to: ".calendars/broken.ics")
            try await eventually("the problem", because: "the status has no signal") {
                try await scene.rig.agent.status().part("calendar")?.state == "partly" ? () : nil
            }
            let list = try await scene.rig.hunch("calendar")
            let problems = try await scene.rig.agent.status().problems ?? []
            for text in [list.standardError, problems.joined(separator: "\n")] {
                #expect(text.contains("\(file) is damaged: “END:VEVENT” is missing at its end"), "\(text)")
                #expect(text.contains("export it again"), "\(text)")
            }
            #expect(problems.filter { $0.contains(file) || $0.contains("cannot be read") }.count == 1, "\(problems)")
            try FileManager.default.removeItem(atPath: file)
            try await eventually("the end of the problem", because: "the status has no signal") {
                try await scene.rig.agent.status().part("calendar")?.state == "watching" ? () : nil
            }
            #expect(try await scene.rig.agent.status().problems == [])
        }
    }
}
