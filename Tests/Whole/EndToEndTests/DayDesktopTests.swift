import EventLoops
import Foundation
import HunchDBus
import TestSupport
import Testing

/// A day in real programs: Firefox with the extension, Evolution Data Server, GeoClue, mpv, GTK and a map app.
@Suite("A day", .timeLimit(.minutes(15)))
struct DayDesktopTests {
    private static let restaurant = """
        <title>Zur Letzten Instanz</title><script type="application/ld+json">{"@context": "https://schema.org",
        "@type": "Restaurant", "name": "Zur Letzten Instanz", "geo": {"latitude": 52.5178, "longitude": 13.4135}}</script>
        """

    /// The page of a ticket from a station 8 km away that departs in 45 minutes.
    private static var ticket: String {
        let departure = Date(timeIntervalSinceNow: 45 * 60).ISO8601Format()
        return """
            <title>Your ticket</title><script type="application/ld+json">{"@context": "https://schema.org",
            "@type": "TrainReservation", "reservationNumber": "X1", "reservationFor": {"@type": "TrainTrip",
            "trainNumber": "ICE 1", "departureTime": "\(departure)", "departureStation": {"@type": "TrainStation",
            "name": "Charlottenburg", "geo": {"latitude": 52.5219, "longitude": 13.2952}},
            "arrivalStation": {"@type": "TrainStation", "name": "Hamburg"}}}</script>
            """
    }

    @Test("Pages, appointments, documents and music lead to the next step, and nothing leaves the machine")
    func day() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let pages = ["letzte.html": Self.restaurant, "ticket.html": Self.ticket, "other.html": "<p>Other"]
        try await BrowserWorld.with(.firefox, pages: pages) { world in
            let desktop = world.desktop
            try CalendarWorld.install(in: desktop.home)
            try desktop.home.directory.write(
                "[Default Applications]\nx-scheme-handler/geo=\(CalendarWorld.maps).desktop\n",
                to: "config/mimeapps.list")
            try await withGeoClue(on: desktop.system, loop: loop) { geoclue in
                let permission = try await geoclue.startAgent()
                geoclue.move(CalendarWorld.here.latitude, CalendarWorld.here.longitude)
                for category in ["location", "calendar", "files"] {
                    try await desktop.hunch("keep", "--record", category)
                }
                try await lookAtRestaurant(world)
                try await lookAtTicket(world)
                try await appointment(desktop, on: loop)
                try await document(desktop)
                try await music(desktop)
                #expect(try Self.internetSockets(on: desktop.session.address) == [])
                try await forgetting(desktop)
                await permission.close()
            }
        }
    }

    private func lookAtRestaurant(_ world: BrowserWorld) async throws {
        _ = try await world.open("letzte.html")
        _ = try await world.waitForActivity(titled: "Zur Letzten Instanz")
        _ = try await world.open("other.html")
        try await world.desktop.dunst.waitForWords("Get directions to Zur Letzten Instanz")
        try await world.desktop.dunst.press("Open")
        #expect(try await CalendarWorld.openedLink(in: world.desktop.home) == "geo:52.5178,13.4135")
    }

    private func lookAtTicket(_ world: BrowserWorld) async throws {
        let tab = try await world.open("ticket.html")
        try await world.desktop.dunst.waitForWords("for “ICE 1: Charlottenburg → Hamburg”")
        #expect(try await world.desktop.hunch("calendar", "--json").contains(#""reservation":"TrainReservation""#))
        try await world.browser.close(tab)
    }

    private func appointment(_ desktop: DesktopWorld, on loop: EventLoop) async throws {
        let connection = try await Connection.open(BusAddress(desktop.session.address), on: loop)
        let calendar = try await EvolutionCalendar(connection)
        // More urgent than the train, so that it need not wait for the user's answer.
        try await calendar.add(CalendarWorld.event("Dentist", inMinutes: 20, "GEO:52.4922;13.2952"))
        try await desktop.dunst.waitForWords("Leave now by car for “Dentist”")
        try await desktop.dunst.press("Open")
        #expect(try await CalendarWorld.openedLink(in: desktop.home) == "geo:52.4922,13.2952")
        await connection.close()
    }

    /// The user opened a report a week ago, and opens it today in an app that uses GTK.
    private func document(_ desktop: DesktopWorld) async throws {
        let home = desktop.home.directory
        let report = try home.write("x", to: "Documents/report.txt")
        try home.write(
            "[Desktop Entry]\nType=Application\nName=Editor\nExec=/bin/true %u\nMimeType=text/plain;\n",
            to: "share/applications/org.example.Editor.desktop")
        let lastWeek = Date(timeIntervalSinceNow: -7 * 86_400).ISO8601Format()
        let donations = try home.write(
            """
            {"type":"donation","application":"org.example.Editor","kind":"openItem","date":"\(lastWeek)",\
            "parameters":{"uri":"file://\(report)","title":"report.txt"},"combination":["uri"]}
            """, to: "donations.jsonl")
        try await desktop.hunch("donate", donations)
        let script = try home.write(
            """
            import gi
            gi.require_version("Gtk", "3.0")
            from gi.repository import Gtk, GLib
            data = Gtk.RecentData()
            data.mime_type, data.app_name, data.app_exec = "text/plain", "Editor", "org.example.Editor %u"
            Gtk.RecentManager.get_default().add_full("file://\(report)", data)
            GLib.timeout_add(1000, Gtk.main_quit)
            Gtk.main()
            """, to: "open.py")
        try await eventually("the document being likely", because: "rows tell nobody") {
            _ = try await run("/usr/bin/python3", [script], environment: desktop.environment).output()
            let likely = try await run(
                builtProduct("hunch"), ["suggestions", "--likely"], environment: desktop.environment)
            return likely.standardOutput.contains("Open report.txt") ? () : nil
        }
    }

    private func music(_ desktop: DesktopWorld) async throws {
        let headset = MockBluetoothDevice.headset()
        // The departure of the train still waits for an answer, and holds what is less urgent.
        try await desktop.hunch("dismiss")
        try await desktop.withPausedEpisode(on: headset) {
            try await desktop.putOn(headset)
            try await desktop.dunst.waitForWords("Resume “Episode 41”")
        }
    }

    private func forgetting(_ desktop: DesktopWorld) async throws {
        try await desktop.hunch("forget", "--all", "--yes")
        let file = desktop.home.directory.file("export.jsonl")
        try await desktop.hunch("export", file)
        let lines = try String(contentsOfFile: file, encoding: .utf8)
        for word in ["Instanz", "ICE 1", "Dentist", "report.txt", "Episode", "52.5"] {
            #expect(!lines.contains(word), "\(word) is still in \(lines)")
        }
    }

    /// Returns the programs of Hunch on a session bus that have sockets of IPv4 or IPv6, and those sockets.
    private static func internetSockets(on bus: String) throws -> [String] {
        let files = FileManager.default
        var inodes: Set<String> = []
        for table in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"] {
            let text = (try? String(contentsOfFile: "/proc/net/\(table)", encoding: .utf8)) ?? ""
            inodes.formUnion(
                text.split(separator: "\n").dropFirst().compactMap {
                    $0.split(separator: " ").dropFirst(9).first.map(String.init)
                })
        }
        var found: [String] = []
        var count = 0
        for process in try files.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
            guard let program = try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"),
                program.contains("/hunch"), let variables = files.contents(atPath: "/proc/\(process)/environ"),
                variables.split(separator: 0).contains(where: {
                    $0.starts(with: "DBUS_SESSION_BUS_ADDRESS=\(bus)".utf8)
                })
            else { continue }
            count += 1
            for descriptor in (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? [] {
                let target = (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")) ?? ""
                guard target.hasPrefix("socket:["), inodes.contains(String(target.dropFirst(8).dropLast())) else {
                    continue
                }
                found.append("\(program) \(target)")
            }
        }
        // The agent, the calendar reader and the browser's native host.
        guard count >= 3 else { throw BenchError("only \(count) programs of Hunch were found") }
        return found
    }
}
