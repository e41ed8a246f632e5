import Foundation
import HunchDBus
import Localization
import TestSupport
import Testing

/// The window on a virtual display with a real agent, driven as a screen reader drives it.
@Suite("Settings window", .serialized, .timeLimit(.minutes(15)))
struct SettingsWindowTests {
    private let headset = MockBluetoothDevice.headset()

    /// Runs `body` with the window open.
    private nonisolated(nonsending) func withWindow(
        _ prepare: nonisolated(nonsending) (DesktopWorld) async throws -> Void = { _ in },
        _ body: nonisolated(nonsending) (DesktopWorld, AccessibleApp) async throws -> Void
    ) async throws {
        try await DesktopWorld.with { world in
            try await prepare(world)
            try await world.withWindow { try await body(world, $0) }
        }
    }

    private func status(_ world: DesktopWorld) async throws -> String { try await world.hunch("status", "--json") }

    private func waitForStatus(_ part: String, _ world: DesktopWorld) async throws {
        try await eventually("a status with \(part)", because: "the status has no signal") {
            try await status(world).contains(part) ? () : nil
        }
    }

    private static let plays = (1...12).map { number in
        """
        {"type":"donation","application":"script:radio","kind":"playMedia",\
        "parameters":{"item":"episode-\(number)","title":"Episode \(number)"}}
        """
    }.joined(separator: "\n")

    private func donate(_ lines: String, _ world: DesktopWorld) async throws {
        let file = try world.home.directory.write(lines, to: "lines.jsonl")
        try await world.hunch("donate", file)
    }

    /// Runs `body` with the window open, and twelve recorded plays.
    private nonisolated(nonsending) func withPlays(
        _ body: nonisolated(nonsending) (DesktopWorld, AccessibleApp) async throws -> Void
    ) async throws {
        try await withWindow { world in
            try await world.hunch("enable")
            try await world.hunch("allow", "radio")
            try await donate(Self.plays, world)
        } _: {
            try await body($0, $1)
        }
    }

    @Test("Arguments are answered without a display")
    func arguments() async throws {
        func window(_ arguments: String...) async throws -> CommandResult {
            try await run(builtProduct("hunch-settings"), arguments, environment: [:])
        }
        let version = try await run(builtProduct("hunch"), ["--version"]).output()
        #expect(try await window("--version").output() == version)
        #expect(try await window("--help").output().hasPrefix("usage: hunch-settings\n"))
        let unknown = try await window("places")
        #expect(unknown.status == .exited(2))
        #expect(unknown.standardError == "hunch-settings: unknown argument “places”; see hunch-settings --help\n")
    }

    @Test("The introduction switches Hunch on")
    func introduction() async throws {
        try await withWindow { world, window in
            try await window.waitForText("Hunch suggests what comes next")
            #expect(try await status(world).contains("\"enabled\":false"))
            try await window.press("push button", "Next")
            try await window.waitForText("What it keeps stays here")
            try await window.press("push button", "Switch On")
            try await window.wait(for: "check box", "Suggestions") { $0.states.contains("checked") }
            try await waitForStatus("\"enabled\":true", world)

            try await window.press("check box", "Suggestions")
            try await waitForStatus("\"enabled\":false", world)
        }
    }

    @Test("The keyboard alone switches Hunch on and pauses it")
    func keyboard() async throws {
        try await withWindow { world, window in
            try await window.wait(for: "push button", "Next") { $0.states.contains("focused") }
            for title in ["What it keeps stays here", "What may it use?", "You decide"] {
                try await window.type("Return")
                try await window.waitForText(title)
            }
            try await window.wait(for: "push button", "Switch On") { $0.states.contains("focused") }
            try await window.type("Return")
            try await waitForStatus("\"enabled\":true", world)
            try await window.type("alt+5")
            try await window.waitForText("Kept on this computer, in a folder that only you can read.")
            try await window.wait(for: "list item", "Media and routes") { $0.states.contains("focused") }
            try await window.type("alt+1")
            try await window.waitForText("Suggested Now")
        }
    }

    @Test("A suggestion is shown with its reasons, and Play plays it")
    func suggestion() async throws {
        try await DesktopWorld.with { world in
            try await world.withPausedEpisode(on: headset) {
                try await world.withWindow { window in
                    try await window.waitForText("Nothing is suggested now")
                    try await world.putOn(headset)
                    try await window.waitForText("Resume “Episode 41”")
                    try await window.press("push button", "Play", description: "Resume “Episode 41”")
                    try await world.waitForPlayer("mpv", toBe: "Playing")
                    try await window.waitForText("Accepted")
                }
            }
        }
    }

    @Test("The notification's Settings opens the window, and plays nothing")
    func notification() async throws {
        try await DesktopWorld.with { world in
            let program = try builtProduct("hunch-settings")
            try world.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Hunch\nExec=\(program)\n",
                to: "data/applications/org.hunch.Settings.desktop")
            try await world.withPausedEpisode(on: headset) {
                try await world.putOn(headset)
                _ = try await world.waitForSuggestion()
                try await world.dunst.waitForDisplayed(1)
                try await world.dunst.press("Settings")
                try await world.session.waitForOwner(of: "org.hunch.Settings")
                try await world.waitForPlayer("mpv", toBe: "Paused")
                #expect(try await world.waitForSuggestion().contains("Episode 41"))
            }
        }
    }

    @Test("A muted app is listed at its device, and Undo unmutes it")
    func undoMute() async throws {
        try await withWindow { world in
            try await world.bluez.add(headset)
            try await world.hunch("enable")
            let export = try await world.hunch("export").split(separator: "\n").dropLast()
            let pair = """
                {"type":"mutedPair","trigger":"device:\(headset.address)","application":"org.example.Radio",\
                "date":"\(Date.now.formatted(.iso8601))"}
                """
            let lines = export + [Substring(pair), "{\"type\":\"end\",\"lines\":\(export.count + 1)}"]
            try await donate(lines.joined(separator: "\n"), world)
            #expect(try await world.hunch("muted").contains("org.example.Radio"))
        } _: { world, window in
            try await window.press("page tab", "Devices")
            try await window.expand(headset.name)
            try await window.wait(for: "list item", "org.example.Radio is muted here")
            try await window.press("push button", "Undo", description: "org.example.Radio")
            try await eventually("no muted app", because: "mutes have no signal") {
                let result = try await run(builtProduct("hunch"), ["muted"], environment: world.environment)
                return result.status == .exited(1) ? () : nil
            }
        }
    }

    @Test("A question that is cancelled leaves its switch off")
    func cancelled() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
            try world.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Diary\nExec=true\nImplements=org.hunch.ContinueActivity1;\n",
                to: "data/applications/org.example.Diary.desktop")
        } _: { world, window in
            try await window.press("page tab", "Apps")
            try await window.expand("Diary")
            try await window.press("check box", "Share the history with it", description: "Diary")
            try await window.press("push button", "Cancel")
            try await window.wait(for: "check box", "Share the history with it") {
                $0.description.contains("Diary") && !$0.states.contains("checked")
            }
        }
    }

    @Test("The switch of Hunch is right after switching it off and on again")
    func offAndOn() async throws {
        try await withPlays { world, window in
            for _ in 1...2 {
                try await window.press("page tab", "Overview")
                try await window.press("check box", "Suggestions")
                try await window.press("page tab", "Devices")
                try await window.press("push button", "Switch On")
                try await window.press("page tab", "Overview")
                try await window.wait(for: "check box", "Suggestions") { $0.states.contains("checked") }
            }
        }
    }

    @Test("A section that appears above keeps the focus where it is")
    func focus() async throws {
        let other = MockBluetoothDevice.speaker()
        try await withWindow { world in
            for device in [headset, other] { try await world.bluez.add(device) }
            try await world.hunch("enable")
        } _: { world, window in
            try await window.press("page tab", "Devices")
            try await window.expand(headset.name)
            try await window.wait(for: "list item", "Continue playback")
            try await world.putOn(other)
            try await window.waitForText("Connected")
            try await window.wait(for: "list item", headset.name) { $0.states.contains("focused") }
        }
    }

    @Test("A device's switches are those of hunch device")
    func deviceSwitches() async throws {
        try await withWindow { world in
            try await world.bluez.add(headset)
            try await world.hunch("enable")
        } _: { world, window in
            try await window.press("page tab", "Devices")
            try await window.expand(headset.name)
            try await window.press("check box", "Continue playback", description: headset.name)
            try await eventually("the switch being on", because: "devices have no signal of their own") {
                let device = try await world.hunch("device", headset.address, "--json")
                return device.contains("\"resume\":true") ? () : nil
            }
        }
    }

    @Test("The desktop opens the window with a search")
    func search() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
            let items = try world.home.directory.write(
                #"{"id":"1","title":"Dim sum","description":"at Yank Sing","url":"https://example.org"}"# + "\n"
                    + #"{"id":"2","title":"Jazz"}"#,
                to: "items.jsonl")
            try await world.hunch("index", "import", items, "--index", "notes")
        } _: { world, window in
            try await window.waitForText("Nothing is suggested now")
            try await withConnection(to: world.session) { connection in
                let () = try await connection.call(
                    "org.hunch.Settings", "/org/hunch/Settings", "org.freedesktop.Application", "ActivateAction",
                    "find",
                    [Value.string("dim su")], VariantMap())
            }
            try await window.wait(for: "list item", "Dim sum")
            try await window.waitForText("notes · \(LocalDay(Date()).words) · at Yank Sing")
            let texts = try await window.elements().map(\.name)
            #expect(!texts.contains("Jazz") && !texts.contains("Nothing is suggested now"))
            try await window.wait(for: "push button", "Open Dim sum")
        }
    }

    @Test("Forgetting everything asks first, and leaves nothing")
    func forget() async throws {
        try await withPlays { world, window in
            try await window.press("page tab", "Privacy")
            try await window.wait(for: "list item", "Play Episode 12")
            try await window.press("push button", "Forget…", description: "Everything")
            try await window.waitForText("Forget everything?")
            #expect(try await status(world).contains("\"donations\":12"))
            try await window.press("push button", "Forget Everything")
            try await window.waitForText("Forgotten: 12 actions, and what was learned from them")
            #expect(try await status(world).contains("\"donations\":0"))
            try await window.wait(for: "list item", "Nothing is recorded yet")
        }
    }

    @Test("Home is shown as it was understood, and removed")
    func home() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
            try await world.hunch("places", "set", "home", "52.5,13.4")
        } _: { world, window in
            try await window.press("page tab", "Places")
            try await window.waitForText("52.5, 13.4")
            try await window.press("push button", "Remove", description: "Home")
            try await window.wait(for: "text", "Home: address, name or coordinates")
        }
    }

    @Test("The towns of the distribution are imported with progress")
    func importPlaces() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
        } _: { world, window in
            try await window.press("page tab", "Places")
            try await window.press("push button", "Import")
            try await window.wait(for: "progress bar", "Importing places…") { $0.width > 0 }
            try await window.waitForText("The places are imported.")
            let gazetteer = try await run(
                builtProduct("hunch"), ["gazetteer", "status", "--json"], environment: world.windowEnvironment)
            #expect(gazetteer.status == .exited(0), "\(gazetteer)")
        }
    }

    @Test("A stopped import changes nothing")
    func stopImport() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
        } _: { world, window in
            try await window.press("page tab", "Places")
            try await window.press("push button", "Import")
            try await window.press("push button", "Stop", description: "Importing places…")
            try await window.waitForText("Stopped. Nothing was changed.")
            let gazetteer = try await run(
                builtProduct("hunch"), ["gazetteer", "status", "--json"], environment: world.windowEnvironment)
            #expect(gazetteer.status == .exited(1), "\(gazetteer)")
        }
    }

    @Test("A reservation is among the next appointments until it is removed")
    func reservation() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
            try await world.hunch("keep", "--record", "calendar")
            let departure = Date(timeIntervalSinceNow: 86_400).ISO8601Format()
            let ticket = try world.home.directory.write(
                """
                <script type="application/ld+json">{"@context": "http://schema.org", "@type": "TrainReservation",
                "reservationFor": {"@type": "TrainTrip", "trainNumber": "ICE 1", "departureTime": "\(departure)",
                "departureStation": {"@type": "TrainStation", "name": "Berlin"},
                "arrivalStation": {"@type": "TrainStation", "name": "Hamburg"}}}</script>
                """, to: "ticket.html")
            try await world.hunch("calendar", "add", ticket)
        } _: { world, window in
            try await window.waitForText("Next Appointments")
            try await window.press("push button", "Remove…", description: "ICE 1")
            try await window.press("push button", "Remove")
            try await eventually("no reservation", because: "reservations have no signal") {
                let list = try await run(builtProduct("hunch"), ["calendar"], environment: world.environment)
                return list.status == .exited(1) ? () : nil
            }
        }
    }

    @Test("A crashed agent is shown as not running, and Start starts it")
    func crash() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
        } _: { world, window in
            try await window.waitForText("Suggested Now")
            world.agent.signal(SIGKILL)
            _ = try await world.agent.waitForExit()
            try await window.waitForText("Hunch is not running")
            try world.installAgent()
            try await window.press("push button", "Start")
            try await window.waitForText("Suggested Now")
        }
    }

    @Test("A hanging agent is shown as such, and Restart helps")
    func hang() async throws {
        try await withWindow { world in
            try await world.hunch("enable")
            try world.installAgent()
        } _: { world, window in
            try await window.waitForText("Suggested Now")
            world.agent.signal(SIGSTOP)
            try await window.waitForText("Hunch does not answer")
            try await window.press("push button", "Restart")
            try await window.waitForText("Suggested Now")
        }
    }

    @Test("The window fits 360 pixels")
    func narrow() async throws {
        try await withPlays { world, window in
            try await window.waitForText("Suggested Now")
            for page in ["Overview", "Devices", "Apps", "Places", "Privacy"] {
                try await window.press("page tab", page)
                let environment = world.environment
                _ = try await run(
                    "xdotool", ["search", "--sync", "--name", "^Hunch$", "windowsize", "360", "600"],
                    environment: environment)
                try await window.wait(for: "frame", "Hunch") { $0.width <= 360 }
            }
        }
    }
}
