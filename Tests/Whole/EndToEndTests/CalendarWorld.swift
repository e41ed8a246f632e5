import EventLoops
import Foundation
import HunchDBus
import TestSupport

/// A desktop with the real Evolution Data Server and the real GeoClue, where Hunch may read calendars and the location.
struct CalendarWorld {
    let desktop: DesktopWorld
    let calendar: EvolutionCalendar
    let geoclue: GeoClue

    /// The position of the user: Alexanderplatz in Berlin.
    static let here = (latitude: 52.5219, longitude: 13.4132)
    static let maps = "org.example.Maps"

    /// Returns an event that begins some minutes from now.
    static func event(_ title: String, inMinutes minutes: Double, _ lines: String...) -> String {
        let start = Date(timeIntervalSinceNow: minutes * 60).ISO8601Format().filter { $0 != "-" && $0 != ":" }
        return (["BEGIN:VEVENT", "UID:\(title)", "DTSTART:\(start)", "SUMMARY:\(title)"] + lines + ["END:VEVENT", ""])
            .joined(separator: "\r\n")
    }

    /// Waits until the map app was started, and returns the link that it got.
    static func openedLink(in home: TemporaryHome) async throws -> String {
        try await waitForFile(at: home.directory.file("opened"))
        defer { try? FileManager.default.removeItem(atPath: home.directory.file("opened")) }
        return try home.directory.read("opened").filter { !$0.isNewline }
    }

    nonisolated(nonsending) static func with(
        _ body: nonisolated(nonsending) (CalendarWorld) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await DesktopWorld.with { desktop in
            try install(in: desktop.home)
            try await withGeoClue(on: desktop.system, loop: loop) { geoclue in
                let permission = try await geoclue.startAgent()
                geoclue.move(here.latitude, here.longitude)
                let connection = try await Connection.open(BusAddress(desktop.session.address), on: loop)
                let calendar = try await EvolutionCalendar(connection)
                try await desktop.hunch("enable")
                try await desktop.hunch("keep", "--record", "location", "--record", "calendar")
                try await eventually("the position", because: "Status has no signal") {
                    try await desktop.hunch("status", "--json").contains(#""part":"location","state":"watching""#)
                        ? () : nil
                }
                try await body(CalendarWorld(desktop: desktop, calendar: calendar, geoclue: geoclue))
                await connection.close()
                await permission.close()
            }
        }
    }

    /// Installs the calendar reader, the services of Evolution Data Server, and a map app that writes down its link.
    static func install(in home: TemporaryHome) throws {
        try home.directory.write(
            "[D-BUS Service]\nName=org.hunch.CalendarReader1\nExec=\(builtProduct("hunch-calendar"))\n",
            to: "share/dbus-1/services/org.hunch.CalendarReader1.service")
        let system = "/usr/share/dbus-1/services"
        for name in try FileManager.default.contentsOfDirectory(atPath: system)
        where name.hasPrefix("org.gnome.evolution.dataserver.") || name == "ca.desrt.dconf.service" {
            try home.directory.write(
                String(contentsOfFile: "\(system)/\(name)", encoding: .utf8)
                    // The desktop's user manager is not this desktop's.
                    .split(separator: "\n").filter { !$0.hasPrefix("SystemdService") }.joined(separator: "\n") + "\n",
                to: "share/dbus-1/services/\(name)")
        }
        let opened = home.directory.file("opened")
        let program = try home.directory.write(
            "#!/bin/sh\necho \"$1\" >'\(opened).part' && mv '\(opened).part' '\(opened)'\n", to: "maps")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try home.directory.write(
            """
            [Desktop Entry]
            Type=Application
            Name=Maps
            Exec=\(program) %u
            Implements=org.hunch.RoutingApp1;

            [org.hunch.RoutingApp1]
            Modes=car;pedestrian;
            Uri=geo:{lat},{lon}

            """, to: "share/applications/\(maps).desktop")
    }
}

/// A calendar of Evolution Data Server, as calendar apps change it.
struct EvolutionCalendar {
    private static let interface: InterfaceName = "org.gnome.evolution.dataserver.Calendar"
    private let connection: Connection
    private let calendar: Proxy

    /// Opens the user's own calendar. It stays open as long as the connection.
    init(_ connection: Connection) async throws {
        self.connection = connection
        calendar = try await Self.open("OpenCalendar", "system-calendar", connection)
    }

    private static func open(_ method: MemberName, _ source: String, _ connection: Connection) async throws -> Proxy {
        let names = try await connection.activatableNames()
        let prefix = "org.gnome.evolution.dataserver.Calendar"
        guard let factory = names.first(where: { $0.text.hasPrefix(prefix) }) else {
            throw BenchError("Evolution Data Server is not installed")
        }
        let (path, service): (String, String) = try await connection.call(
            factory, "/org/gnome/evolution/dataserver/CalendarFactory",
            "org.gnome.evolution.dataserver.CalendarFactory", method, source, timeout: .seconds(60))
        let calendar = Proxy(connection, try BusName(service), try ObjectPath(path))
        let _: [String] = try await calendar.call(interface, "Open", timeout: .seconds(60))
        return calendar
    }

    func add(_ event: String) async throws {
        let _: [String] = try await calendar.call(Self.interface, "CreateObjects", [event], UInt32(0))
    }

    func modify(_ event: String) async throws {
        let () = try await calendar.call(Self.interface, "ModifyObjects", [event], "all", UInt32(0))
    }

    /// Creates a task list with this name and identifier.
    func addTaskList(_ name: String) async throws {
        let names = try await connection.activatableNames()
        guard let registry = names.first(where: { $0.text.hasPrefix("org.gnome.evolution.dataserver.Sources") }) else {
            throw BenchError("Evolution Data Server is not installed")
        }
        let file = """
            [Data Source]
            DisplayName=\(name)
            Enabled=true
            Parent=local-stub
            [Task List]
            BackendName=local
            """
        let () = try await connection.call(
            registry, "/org/gnome/evolution/dataserver/SourceManager",
            "org.gnome.evolution.dataserver.SourceManager", "CreateSources", [name: file])
    }

    /// Returns the tasks of a list.
    func tasks(in list: String) async throws -> [String] {
        let tasks = try await Self.open("OpenTaskList", list, connection)
        return try await tasks.call(Self.interface, "GetObjectList", "#t")
    }
}
