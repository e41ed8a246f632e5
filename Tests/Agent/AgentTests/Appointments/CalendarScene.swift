import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import EventLoops
import TestSupport

@testable import Agent
@testable import Services

/// An enabled agent that may read calendars and the location, with the real calendar reader, a calendar file, a map app
/// and a browser. Its clock stays at ``start`` until the test moves it.
struct CalendarScene: Sendable {
    let rig: AgentRig
    let clock: Watched<Date>
    let geoclue: FakeGeoClue
    /// The identities of connections that are apps. All others are the user.
    let apps: Watched<[BusName: CallerIdentity]>

    /// 2026-11-24 10:00 UTC, a Tuesday.
    static let start = Date(timeIntervalSince1970: 1_795_514_400)
    static let browser: AppID = "org.example.Browser"
    static let maps: AppID = "org.example.Maps"
    /// The user is in Paris.
    static let here = (latitude: 48.8667, longitude: 2.3333)

    /// Returns an event that begins some minutes after ``start``, as lines of iCalendar.
    static func event(_ title: String, inMinutes minutes: Double, _ lines: String...) -> String {
        let text = Date.ISO8601FormatStyle().format(start.addingTimeInterval(minutes * 60)).filter {
            $0 != "-" && $0 != ":"
        }
        return (["BEGIN:VEVENT", "UID:\(title)", "DTSTART:\(text)", "SUMMARY:\(title)"] + lines + ["END:VEVENT"])
            .joined(separator: "\r\n")
    }

    /// Writes the calendar file, or another one. The calendar reader notices the change.
    func write(_ events: String..., to path: String = CalendarScene.file) throws {
        try Self.write(events, to: path, in: rig.home)
    }

    /// The calendar file that every scene has.
    static let file = ".calendars/mine/all.ics"

    private static func write(_ events: [String], to path: String = file, in home: TemporaryHome) throws {
        let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + events + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        try home.directory.write(text, to: path)
    }

    /// Moves the clock to some minutes after ``start``, and lets the agent look at it.
    func pass(toMinute minutes: Double) async throws {
        clock.update { $0 = Self.start.addingTimeInterval(minutes * 60) }
        try await rig.agent.setCategory("calendar", isRecorded: true)
    }

    /// Waits until the agent knows some appointments.
    func waitForAppointments(_ count: UInt32) async throws {
        try await eventually("the appointments", because: "the status has no signal") {
            try await rig.agent.status().part("calendar")?.count == count ? () : nil
        }
    }

    /// Waits until the only suggestion has a title.
    func waitForOffer(_ title: String) async throws -> OfferedSuggestion {
        try await rig.waitForSuggestions("the offer “\(title)”") { suggestions in
            suggestions.count == 1 && suggestions[0].title == title ? suggestions[0] : nil
        }
    }

    /// Connects as an app.
    nonisolated(nonsending) func withApp<Value>(
        _ application: AppID, _ confinement: CallerIdentity.Confinement,
        _ body: nonisolated(nonsending) (HunchAgent) async throws -> Value
    ) async throws -> Value {
        try await withClient(of: rig.bus) { agent in
            guard let name = await agent.connection.uniqueName else { throw BenchError("the app has no name") }
            apps.update {
                $0[name] = CallerIdentity(name: name, application: application.rawValue, confinement: confinement)
            }
            return try await body(agent)
        }
    }

    /// Waits until there is no suggestion.
    func waitForNoOffer() async throws {
        try await rig.waitForSuggestions("no offer") { $0.isEmpty ? () : nil }
    }

    /// - Parameter isAllowed: whether the user allowed to read calendars.
    nonisolated(nonsending) static func with(
        _ events: String..., isAllowed: Bool = true, hasPosition: Bool = true,
        _ body: nonisolated(nonsending) (CalendarScene) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "geoclue")
        defer { loop.stop() }
        let clock = Watched(start)
        let apps = Watched<[BusName: CallerIdentity]>([:])
        try await withTemporaryHome { home in
            try write(events, in: home)
            try home.directory.write(
                "[D-BUS Service]\nName=org.hunch.CalendarReader1\nExec=\(builtProduct("hunch-calendar"))\n",
                to: "services/org.hunch.CalendarReader1.service")
            try await withPrivateBus(.system) { system in
                let geoclue = try await FakeGeoClue.start(on: system, loop: loop)
                if hasPosition { try await geoclue.move(here.latitude, here.longitude) }
                try await withPrivateBus(
                    serviceDirectories: [home.directory.file("services")], environment: home.environment
                ) { bus in
                    try await withAgentInside(
                        on: bus, in: home, also: system.environment,
                        configure: {
                            $0.now = { clock.state }
                            $0.identify = { call in
                                if let known = apps.state[call.sender] { known } else { try await call.caller() }
                            }
                        }
                    ) { rig in
                        try rig.installMapApp(maps)
                        try rig.installApp(browser, "MimeType=x-scheme-handler/https;")
                        try home.directory.write(
                            "[Default Applications]\nx-scheme-handler/https=\(browser).desktop\n",
                            to: "config/mimeapps.list")
                        try await rig.agent.enable()
                        try await rig.agent.setCategory("location", isRecorded: true)
                        if hasPosition { try await waitForPosition(rig) }
                        if isAllowed { try await rig.agent.setCategory("calendar", isRecorded: true) }
                        try await body(CalendarScene(rig: rig, clock: clock, geoclue: geoclue, apps: apps))
                    }
                }
                await geoclue.stop()
            }
        }
    }

    private static func waitForPosition(_ rig: AgentRig) async throws {
        try await eventually("the position", because: "Status has no signal") {
            try await rig.agent.status().part("location")?.state == "watching" ? () : nil
        }
    }
}
