import FoundationEssentials
import HunchKit
import TestSupport
import Testing

/// `hunch calendar` and `hunch directions --next`, with the real calendar reader. The commands use the wall clock, so the
/// reservation is far in the future.
@Suite("Calendar commands", .timeLimit(.minutes(15))) struct CalendarCommandTests {
    private static func mail(_ reservations: String) -> String {
        """
        From: trains@example.org
        Subject: Your ticket
        Content-Type: text/html

        <script type="application/ld+json">[\(reservations)]</script>
        """
    }

    private static func train(_ number: String, _ day: String, at time: String = "08:00") -> String {
        """
        {"@context": "http://schema.org", "@type": "TrainReservation", "reservationNumber": "X1", "reservationFor":
        {"@type": "TrainTrip", "trainNumber": "\(number)", "departureTime": "\(day)T\(time):00+01:00",
        "departureStation": {"@type": "TrainStation", "name": "Gare de Lyon", "geo": {"latitude": 48.8443, "longitude": 2.3744}},
        "arrivalStation": {"@type": "TrainStation", "name": "Lyon Part-Dieu"}}}
        """
    }

    @Test("A mail that cancels a reservation removes it")
    func cancelled() async throws {
        try await CalendarScene.with { scene in
            let rig = scene.rig
            scene.clock.update { $0 = Date() }
            let soon = String(Date(timeIntervalSinceNow: 3 * 86_400).ISO8601Format().prefix(10))
            let train = Self.train("TGV 1", soon)
            let file = try rig.home.directory.write(Self.mail(train), to: "ticket.eml")
            let status = "\"reservationStatus\": \"http://schema.org/ReservationCancelled\", \"reservationFor\""
            let cancelled = try rig.home.directory.write(
                Self.mail(train.replacing("\"reservationFor\"", with: status)), to: "cancelled.eml")
            let never = try await rig.hunch("calendar", "add", cancelled).output()
            #expect(never == "“TGV 1: Gare de Lyon → Lyon Part-Dieu” is cancelled, and was not kept\n")
            _ = try await rig.hunch("calendar", "add", file).output()
            let removed = try await rig.hunch("calendar", "add", cancelled).output()
            #expect(removed == "removed “TGV 1: Gare de Lyon → Lyon Part-Dieu”, which is cancelled\n")
            #expect(try await rig.hunch("calendar").status == .exited(1))
            let json = try await rig.hunch("calendar", "add", "--json", cancelled).output()
            #expect(json.contains(#""cancelled":true"#), "\(json)")
        }
    }

    @Test("Reservations of a mail are kept, listed and removed")
    func ticket() async throws {
        try await CalendarScene.with { scene in
            let rig = scene.rig
            scene.clock.update { $0 = Date() }
            let soon = Date(timeIntervalSinceNow: 3 * 86_400).ISO8601Format().prefix(10)
            let later = Date(timeIntervalSinceNow: 5 * 86_400).ISO8601Format().prefix(10)
            let file = try rig.home.directory.write(
                Self.mail(Self.train("TGV 1", String(soon)) + "," + Self.train("TGV 2", String(later))),
                to: "ticket.eml")
            let kept = try await rig.hunch("calendar", "add", file).output()
            #expect(kept.split(separator: "\n").count == 2, "\(kept)")
            #expect(kept.contains("kept “TGV 1: Gare de Lyon → Lyon Part-Dieu”"), "\(kept)")

            // A later mail has another time.
            let before = try await rig.hunch("calendar").output().split(separator: "\t").first
            let changed = try rig.home.directory.write(
                Self.mail(Self.train("TGV 1", String(soon), at: "09:30")), to: "changed.eml")
            _ = try await rig.hunch("calendar", "add", changed).output()

            let list = try await rig.hunch("calendar").output().split(separator: "\n").map { $0.split(separator: "\t") }
            #expect(list.count == 2 && list[0][0] != before, "\(list)")
            #expect(list[0][2] == "TGV 1: Gare de Lyon → Lyon Part-Dieu", "\(list)")
            #expect(list[0][3] == "Gare de Lyon; 48.8443,2.3744", "\(list)")
            let json = try await rig.hunch("calendar", "--json", "--limit", "1").output()
            #expect(json.contains(#""reservation":"TrainReservation""#) && json.contains(#""leave":""#), "\(json)")
            let first = try await rig.hunch("calendar", "--limit", "1")
            #expect(first.standardOutput.split(separator: "\n").count == 1, "\(first)")
            #expect(first.standardError.contains("hunch: 1 later appointment is not shown; “--limit” sets"), "\(first)")
            let route = try await rig.hunch("directions", "--next", "--json")
            #expect(route.standardOutput.contains("geo:48.8443,2.3744"), "\(route)")
            #expect(route.standardError.contains("“TGV 1: Gare de Lyon → Lyon Part-Dieu”, "), "\(route)")
            let said = try await rig.hunch("directions", "--next").standardError
            #expect(said.contains(", arriving "), "\(said)")

            let id = try #require(list[0].last.map(String.init))
            let removed = try await rig.hunch("calendar", "remove", String(id.prefix(6))).output()
            #expect(removed == "removed “TGV 1: Gare de Lyon → Lyon Part-Dieu”\n")
            let again = try await rig.hunch("calendar", "remove", id)
            #expect(again.status == .exited(1) && again.standardError.contains("hunch calendar"), "\(again)")
            #expect(try await rig.hunch("calendar").output().split(separator: "\n").count == 1)
        }
    }

    @Test("A missing time to leave has its reason")
    func missingTimes() async throws {
        let now = Date().timeIntervalSince(CalendarScene.start) / 60
        let here = CalendarScene.event("Here", inMinutes: now + 90, "GEO:48.8667;2.3333", "LOCATION:Office")
        let far = CalendarScene.event("Far", inMinutes: now + 900, "GEO:40.71;-74.0", "LOCATION:Hall")
        try await CalendarScene.with(here, far) { scene in
            scene.clock.update { $0 = Date() }
            let list = try await scene.rig.hunch("calendar")
            for reason in ["“Here”: you are at “Office”", "“Far”: the route to “Hall” takes more than six hours"] {
                #expect(list.standardError.contains("no time to leave for \(reason)"), "\(list)")
            }
        }
    }

    @Test("Each error is one line that says what to do")
    func errors() async throws {
        try await CalendarScene.with(isAllowed: false) { scene in
            let rig = scene.rig
            scene.clock.update { $0 = Date() }
            let page = try rig.home.directory.write("<title>Nothing</title>", to: "page.html")
            let old = try rig.home.directory.write(Self.mail(Self.train("TGV 1", "2020-01-01")), to: "old.eml")
            let new = try rig.home.directory.write(Self.mail(Self.train("TGV 1", "2100-01-01")), to: "new.eml")
            for (arguments, status, words) in [
                (["calendar"], 3, "hunch allow calendar"),
                (["calendar", "list", "--days", "0"], 2, "1 to 365"),
                (["calendar", "list", "--limit", "201"], 2, "1 to 200"),
                (["calendar", "add", page], 1, "hunch markup"), (["calendar", "add", old], 1, "have begun already"),
                (["calendar", "add", new], 3, "hunch allow calendar"),
                (["calendar", "add", "/nonexistent"], 2, "/nonexistent"),
                (["directions", "--next"], 3, "hunch allow calendar"),
                (["directions", "--next", "Paris"], 2, "not several"),
            ] as [([String], Int32, String)] {
                let result = try await run(builtProduct("hunch"), arguments, environment: rig.environment)
                #expect(result.status == .exited(status), "\(arguments): \(result)")
                #expect(result.standardError.contains(words), "\(arguments): \(result)")
                #expect(result.standardError.split(separator: "\n").count == 1 && result.standardOutput.isEmpty)
            }
        }
        try await CalendarScene.with { scene in
            scene.clock.update { $0 = Date() }
            let none = try await scene.rig.hunch("directions", "--next")
            #expect(none.status == .exited(1) && none.standardError.contains("hunch calendar"), "\(none)")
        }
    }
}
