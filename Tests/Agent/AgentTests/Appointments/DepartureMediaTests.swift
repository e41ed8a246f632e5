import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent

/// Headphones that connect while a call or a departure stands.
@Suite("Media and appointments", .timeLimit(.minutes(15))) struct DepartureMediaTests {
    /// Writes a calendar with a call that begins in a minute, and the default browser that joins it.
    private static func prepare(_ home: TemporaryHome, _ now: Date) throws {
        let start = now.addingTimeInterval(60).ISO8601Format().filter { $0 != "-" && $0 != ":" }
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "SUMMARY:Weekly", "DTSTART:\(start)",
            "LOCATION:https://meet.jit.si/Weekly", "END:VEVENT", "END:VCALENDAR", "",
        ]
        try home.directory.write(lines.joined(separator: "\r\n"), to: CalendarScene.file)
        let browser = CalendarScene.browser
        try home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Browser\nExec=true %u\nMimeType=x-scheme-handler/https;\n",
            to: "data/applications/\(browser).desktop")
        try home.directory.write(
            "[Default Applications]\nx-scheme-handler/https=\(browser).desktop\n", to: "config/mimeapps.list")
    }

    @Test("An appointment holds media for two minutes, as why-not reports, and then both are shown")
    func turn() async throws {
        let clock = Watched(Date())
        try await withMediaScene(
            prepare: { try Self.prepare($0, clock.state) }, configure: { $0.now = { clock.state } }
        ) { scene in
            let reader = Command(
                try builtProduct("hunch-calendar"), environment: scene.rig.environment,
                ready: .busName("org.hunch.CalendarReader1", on: scene.rig.bus))
            try await withDaemon(reader) { _ in
                try await scene.rig.agent.setCategory("calendar", isRecorded: true)
                #expect(try await scene.notifications.request(1).summary == "Join “Weekly”")
                try await scene.withApp { _ in
                    try await scene.putOn()
                    try await scene.waitForDevice("the headset") { try $0.value("ready") == true }
                    try await eventually("the outcome", because: "Status has no signal") {
                        try await scene.rig.hunch("why-not").standardOutput.contains(scene.headset.name) ? () : nil
                    }
                    let held = try await scene.rig.hunch("why-not").output()
                    #expect(
                        held.contains("after connecting \(scene.headset.name): nothing was suggested, because"),
                        "\(held)"
                    )
                    #expect(scene.notifications.record.state.requests.count == 1)

                    try await scene.takeOff()
                    clock.update { $0 += 125 }
                    try await scene.putOn()
                    let media = try await scene.notifications.request(2)
                    #expect(media.replaces == 0, "\(media)")
                    let both = try await scene.rig.waitForSuggestions("both") { $0.count == 2 ? $0 : nil }
                    #expect(both.map(\.kind).sorted() == ["media", "meeting"], "\(both)")
                }
            }
        }
    }
}
