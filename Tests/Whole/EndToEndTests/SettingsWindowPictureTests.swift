import Foundation
import TestSupport
import Testing

/// Pictures of the window. `make screenshot` keeps them in the documentation.
@Suite("Settings window, drawn", .serialized, .timeLimit(.minutes(15)))
struct SettingsWindowPictureTests {
    private let headset = MockBluetoothDevice.headset()

    /// A way to draw the window.
    enum Style: String, CaseIterable {
        case light = ""
        case dark = "-dark"
        /// 360 pixels wide, with text of one and a half times the usual size.
        case narrow = "-narrow"
    }

    /// Plays of the last weeks and routes, as a user would have.
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

    /// A mail about a table at seven in the evening of the day after tomorrow.
    private static let ticket: String = {
        let day = Date(timeIntervalSinceNow: 2 * 86_400).ISO8601Format().prefix(10)
        return """
            <script type="application/ld+json">{"@context": "http://schema.org", "@type": "FoodEstablishmentReservation",
            "startTime": "\(day)T19:00:00", "reservationFor": {"@type": "Restaurant", "name": "Yank Sing",
            "address": {"streetAddress": "101 Spear Street", "addressLocality": "San Francisco"}}}</script>
            """
    }()

    @Test("The pages are drawn", arguments: Style.allCases)
    func pages(style: Style) async throws {
        try await DesktopWorld.with(seesInstalledApps: true) { world in
            try await world.hunch("gazetteer", "import")
            if style == .narrow {
                // Without a settings daemon GTK takes the size of text from the resources of the display.
                let home = try #require(world.environment["HOME"])
                try "Xft.dpi: \(96 * 3 / 2)\n".write(toFile: home + "/.Xdefaults", atomically: true, encoding: .utf8)
            }
            try await world.withPausedEpisode(on: headset) {
                try install(in: world)
                let lines = try world.home.directory.write(Self.history, to: "history.jsonl")
                try await world.hunch("donate", lines)
                try await world.hunch("keep", "--record", "calendar")
                try await world.hunch("calendar", "add", world.home.directory.write(Self.ticket, to: "ticket.html"))
                let scheme = style == .dark ? "prefer-dark" : "default"
                try await world.withWindow(["ADW_DEBUG_COLOR_SCHEME": scheme]) { window in
                    try await window.waitForText("Nothing is suggested now")
                    try await world.putOn(headset)
                    try await window.waitForText("Resume “Episode 41”")
                    try await picture("overview", style, world)
                    for (tab, text) in [
                        ("Devices", headset.name), ("Apps", "Hunch learns from what these apps do, and suggests it."),
                        ("Places", "You Usually Choose"),
                        ("Privacy", "Kept on this computer, in a folder that only you can read."),
                    ] {
                        try await window.press("page tab", tab)
                        try await window.waitForText(text)
                        if tab == "Devices" { try await window.expand(headset.name) }
                        try await picture(tab.lowercased(), style, world)
                    }
                }
            }
        }
    }

    /// Installs Hunch's icon and its desktop entry.
    private func install(in world: DesktopWorld) throws {
        func read(_ file: String) throws -> String {
            try String(contentsOfFile: "\(Surroundings.packageRoot)/Systemd/org.hunch.\(file)", encoding: .utf8)
        }
        for (file, folder) in [("Hunch.svg", "scalable"), ("Hunch-symbolic.svg", "symbolic")] {
            try world.home.directory.write(read(file), to: "share/icons/hicolor/\(folder)/apps/org.hunch.\(file)")
        }
        try world.home.directory.write(
            read("Hunch.desktop.in").replacing("@BINDIR@/", with: ""), to: "share/applications/org.hunch.Hunch.desktop")
    }

    @Test("The introduction is drawn in English and German", arguments: [false, true])
    func introduction(isGerman: Bool) async throws {
        try await DesktopWorld.with(seesInstalledApps: true) { world in
            try install(in: world)
            let language = isGerman ? try await Translations.german(in: world.home.directory).environment : [:]
            try await world.withWindow(language) { window in
                try await window.waitForText(isGerman ? "Hunch schlägt vor" : "Hunch suggests what comes next")
                try await picture("introduction\(isGerman ? "-de" : "")", .light, world)
                for _ in 1...2 { try await window.type("Return") }
                try await window.waitForText(isGerman ? "Was darf Hunch verwenden?" : "What may it use?")
                try await picture("introduction-uses\(isGerman ? "-de" : "")", .light, world)
            }
        }
    }

    /// Takes a picture, and checks its brightness.
    private func picture(_ name: String, _ style: Style, _ world: DesktopWorld) async throws {
        let name = "window-\(name)\(style.rawValue).png"
        let file = Pictures.folder.map { "\($0)/\(name)" } ?? world.home.directory.file(name)
        let identifier = try #require(
            await run("xdotool", ["search", "--name", "^Hunch$"], environment: world.environment)
                .output().split(separator: "\n").last.map(String.init))
        if style == .narrow {
            _ = try await run("xdotool", ["windowsize", identifier, "360", "780"], environment: world.environment)
        }
        // Transitions end within half a second.
        _ = try await run("sleep", ["0.7"])
        _ = try await run("import", ["-window", identifier, file], environment: world.environment).output()
        let mean = try await run("convert", [file, "-colorspace", "Gray", "-format", "%[fx:mean]", "info:"]).output()
        let brightness = try #require(Double(mean))
        #expect(style == .dark ? brightness < 0.35 : brightness > 0.75, "\(name) has brightness \(brightness)")
    }
}
