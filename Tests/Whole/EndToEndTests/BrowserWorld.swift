import Foundation
import Glibc
import TestSupport

/// A desktop with a browser that has Hunch's extension, and a web server.
struct BrowserWorld {
    struct Shown: Decodable {
        struct Place: Decodable {
            struct Coordinate: Decodable { let latitude, longitude: Double }
            let name: String?
            let coordinate: Coordinate?
        }
        let app, title: String
        let url, phone: String?
        let place: Place?
    }

    let desktop: DesktopWorld
    let browser: any BrowserUnderTest
    /// The address of the web server.
    let site: String

    /// Returns the address of a page of the web server.
    func address(_ page: String) -> String { "\(site)/\(page)" }

    /// Opens a page of the web server in a new tab in front.
    func open(_ page: String) async throws -> String { try await browser.open(address(page), isPrivate: false) }

    /// Waits longer than a page must be in front to count as looked at.
    func dwell() async throws { _ = try await run("sleep", ["5"]) }

    /// Evaluates an expression in a page of the extension.
    func inExtension(_ expression: String) async throws -> String {
        let tab = try await browser.open(browser.extensionAddress("popup.html"), isPrivate: false)
        let value = try await browser.evaluate(expression, in: tab)
        try await browser.close(tab)
        return value
    }

    /// The JavaScript expression for the tab of a page among `tabs`.
    func tab(_ page: String) -> String { "tabs.find((tab) => (tab.url ?? '').includes('\(page)'))" }

    /// The title of the toolbar button in the tab of a page.
    func toolbarTitle(of page: String) async throws -> String {
        let title = try await inExtension(
            "chrome.tabs.query({}).then((tabs) => chrome.action.getTitle({ tabId: \(tab(page)).id }))")
        return try JSONDecoder().decode(String.self, from: Data(title.utf8))
    }

    /// The state that the popup shows for the tab of a page, in JSON.
    func state(of page: String) async throws -> String {
        try await inExtension(
            """
            chrome.tabs.query({}).then((tabs) =>
            chrome.runtime.sendMessage({ state: \(tab(page)).id, url: \(tab(page)).url }))
            """)
    }

    /// The titles of all known activities.
    func titlesSeen() async throws -> [String] {
        let result = try await run(
            builtProduct("hunch"), ["activity", "list", "--json"], environment: desktop.environment)
        if result.status == .exited(1) { return [] }
        return try result.output().split(separator: "\n").map {
            try JSONDecoder().decode(Shown.self, from: Data($0.utf8)).title
        }
    }

    /// The current activity, if any.
    func activity() async throws -> Shown? {
        let result = try await run(
            builtProduct("hunch"), ["activity", "current", "--json"], environment: desktop.environment)
        if result.status == .exited(1) { return nil }
        return try JSONDecoder().decode(Shown.self, from: Data(result.output().utf8))
    }

    /// Waits until the page with this title is in front.
    func waitForActivity(titled title: String) async throws -> Shown {
        try await eventually("“\(title)” being in front", because: "what apps show is not announced") {
            let shown = try await activity()
            return shown?.title == title ? shown : nil
        }
    }

    /// The titles of the players on the bus, as the agent knows them.
    func titlesPlaying() async throws -> [String] {
        struct Player: Decodable { let title: String? }
        let result = try await run(
            builtProduct("hunch"), ["players", "--json"], environment: desktop.environment)
        if result.status == .exited(1) { return [] }
        return try result.output().split(separator: "\n").compactMap {
            try JSONDecoder().decode(Player.self, from: Data($0.utf8)).title
        }
    }

    /// Waits until a player has this title.
    func waitForPlayer(titled title: String) async throws {
        try await eventually("“\(title)” being played", because: "what players say is not announced") {
            try await titlesPlaying() == [title] ? () : nil
        }
    }

    /// Waits until no page is in front.
    func waitForNoActivity() async throws {
        try await eventually("nothing being in front", because: "what apps show is not announced") {
            try await activity() == nil ? () : nil
        }
    }

    private static let maps = """
        {"type":"Feature","id":"org.example.maps","properties":{"name":"Maps","kind":"web","modes":["car"],
        "uri":{"to":"https://maps.example.org/{lat},{lon}"}},"geometry":null}
        """

    /// A native host that writes the first message to a file instead.
    private static let recorder = """
        #!/usr/bin/python3
        import struct, sys
        length = struct.unpack("=I", sys.stdin.buffer.read(4))[0]
        open(sys.path[0] + "/messages", "wb").write(sys.stdin.buffer.read(length) + b"\\n")

        """

    /// - Parameters:
    ///   - recordsMessages: whether a recorder takes the place of the native host.
    ///   - audio: the audio server of the browser.
    nonisolated(nonsending) static func with(
        _ kind: BrowserKind, pages: [String: String], recordsMessages: Bool = false, audio: AudioServer? = nil,
        _ body: nonisolated(nonsending) (BrowserWorld) async throws -> Void
    ) async throws {
        try await DesktopWorld.with { desktop in
            try desktop.home.directory.write(Self.maps, to: "share/hunch/regions/maps.geojson")
            try desktop.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=\(kind)\nExec=\(kind.program) %U\nMimeType=x-scheme-handler/https;\n",
                to: "share/applications/\(kind.application).desktop")
            try await desktop.hunch("enable")
            let recorder = try desktop.home.directory.write(Self.recorder, to: "recorder")
            guard chmod(recorder, 0o700) == 0 else { throw BenchError("\(recorder) cannot be made a program") }
            let host = recordsMessages ? recorder : try builtProduct("hunch-browser")
            let allowed =
                kind == .chromium
                ? #""allowed_origins": ["chrome-extension://ggidpbhhpokkagkhghcojhmeadphdkai/"]"#
                : #""allowed_extensions": ["browser@hunch.org"]"#
            let manifest = """
                {"name": "org.hunch.browser", "description": "Hunch", "path": "\(host)", "type": "stdio", \(allowed)}
                """
            for (name, page) in pages { try desktop.home.directory.write(page, to: "pages/\(name)") }
            let server = Command(
                "python3",
                [
                    "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory",
                    desktop.home.directory.file("pages"), "0",
                ], ready: .line(containing: "port "))
            try await withDaemon(server) { server in
                let words = try await server.waitForLine(containing: "port ").split(separator: " ")
                let port = words.firstIndex(of: "port").map { words[$0 + 1] } ?? ""
                var environment = desktop.environment
                environment["PULSE_SERVER"] = audio.map { "unix:\($0.runtimeDirectory)/pulse/native" }
                try await withBrowser(
                    kind, extensionFolder: Surroundings.packageRoot + "/Sources/Programs/BrowserExtension",
                    host: "org.hunch.browser", manifest: manifest, environment: environment
                ) { browser in
                    try await body(
                        BrowserWorld(desktop: desktop, browser: browser, site: "http://127.0.0.1:\(port)"))
                }
            }
        }
    }
}
