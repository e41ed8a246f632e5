import Foundation
import TestSupport
import Testing

/// Pictures of the window in both styles. `make screenshot` keeps them in the documentation.
@Suite("Settings window, drawn", .serialized, .timeLimit(.minutes(5)))
struct SettingsWindowPictureTests {
    private let headset = MockBluetoothDevice.headset()

    /// The folder for the pictures; a temporary one in an ordinary test run.
    private static let folder = ProcessInfo.processInfo.environment["HUNCH_SCREENSHOTS"]

    /// Plays of the last weeks and routes, as a person would have.
    private static let history: String = {
        let plays = [("Morning News", "Radio One"), ("Episode 40", "The Show"), ("Kind of Blue", "Miles Davis")]
        let places = [("Yank Sing", 37.7934, -122.3966), ("Ferry Building", 37.7955, -122.3937)]
        let now = Date.now
        return (1...120).map { number in
            let date = now.addingTimeInterval(-Double(number) * 28_000).formatted(.iso8601)
            if number.isMultiple(of: 9) {
                let (name, latitude, longitude) = places[number / 9 % places.count]
                return """
                    {"type":"donation","application":"org.gnome.Maps","kind":"getDirections","date":"\(date)",\
                    "parameters":{"name":"\(name)","latitude":"\(latitude)","longitude":"\(longitude)","mode":"car"}}
                    """
            }
            let (title, artist) = plays[number % 7 == 0 ? 2 : number % 3 == 0 ? 1 : 0]
            return """
                {"type":"donation","application":"mpv","kind":"playMedia","date":"\(date)",\
                "parameters":{"item":"\(title)","title":"\(title)","artist":"\(artist)"}}
                """
        }.joined(separator: "\n")
    }()

    @Test("The pages are drawn in the light and the dark style", arguments: [false, true])
    func pages(isDark: Bool) async throws {
        try await DesktopWorld.with(seesInstalledApps: true) { world in
            try await world.hunch("gazetteer", "import")
            try await world.withPausedEpisode(on: headset) {
                let lines = try world.home.directory.write(Self.history, to: "history.jsonl")
                try await world.hunch("donate", lines)
                try await world.withWindow(["ADW_DEBUG_COLOR_SCHEME": isDark ? "prefer-dark" : "default"]) { window in
                    try await window.waitForText("Nothing is suggested now")
                    try await world.putOn(headset)
                    try await window.waitForText("Resume “Episode 41”")
                    try await window.expand("Resume “Episode 41”")
                    try await picture("overview", isDark, world)
                    for (tab, text) in [
                        ("Devices", headset.name), ("Apps", "Taking Part"), ("Places", "You Usually Choose"),
                        ("Privacy", "Everything stays on this computer."),
                    ] {
                        try await window.press("page tab", tab)
                        try await window.waitForText(text)
                        if tab == "Devices" { try await window.expand(headset.name) }
                        try await picture(tab.lowercased(), isDark, world)
                    }
                }
            }
        }
    }

    /// Takes a picture, and checks its brightness.
    private func picture(_ name: String, _ isDark: Bool, _ world: DesktopWorld) async throws {
        // Transitions end within half a second.
        _ = try await run("sleep", ["0.7"])
        let name = "window-\(name)\(isDark ? "-dark" : "").png"
        let file = Self.folder.map { "\($0)/\(name)" } ?? world.home.directory.file(name)
        let identifier = try await run(
            "xdotool", ["search", "--name", "^Hunch$"], environment: world.environment
        ).output().split(separator: "\n").last
        _ = try await run(
            "import", ["-window", try #require(identifier.map(String.init)), file], environment: world.environment
        ).output()
        let mean = try await run("convert", [file, "-colorspace", "Gray", "-format", "%[fx:mean]", "info:"]).output()
        let brightness = try #require(Double(mean))
        #expect(isDark ? brightness < 0.35 : brightness > 0.75, "\(name) has brightness \(brightness)")
    }
}
