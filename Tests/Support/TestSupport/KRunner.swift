import FoundationEssentials
import HunchDBus

/// A real KRunner on a display without a screen; see ``withKRunner(on:display:environment:_:)``.
public struct KRunner: Sendable {
    private let connection: Connection
    private let environment: [String: String]
    private let display: Display

    init(connection: Connection, environment: [String: String], display: Display) {
        self.connection = connection
        self.environment = environment
        self.display = display
    }

    /// Opens KRunner with a text.
    public func query(_ text: String) async throws {
        let () = try await connection.call(
            "org.kde.krunner", "/App", "org.kde.krunner.App", "query", text, timeout: .seconds(60))
    }

    /// Presses a key with the focus in KRunner, such as `Return` or `shift+Return`.
    ///
    /// - Throws: `BenchError` if it has no window.
    public func press(_ key: String) async throws {
        let window = try await eventually("the window of KRunner", because: "the display tells it nobody") {
            try await shownWindow()
        }
        // There is no window manager that would do it.
        _ = try await run("xdotool", ["windowfocus", "--sync", window], environment: environment).output()
        _ = try await run("xdotool", ["key", "--delay", "50", key], environment: environment).output()
    }

    /// Closes KRunner if it is open, so that the next query begins a new session.
    public func close() async throws {
        if try await shownWindow() != nil { try await press("Escape") }
    }

    private func shownWindow() async throws -> String? {
        let result = try await run(
            "xdotool", ["search", "--onlyvisible", "--class", "krunner"], environment: environment)
        return result.standardOutput.split(separator: "\n").last.map(String.init)
    }

    /// Writes what is on the display to a file, as PNG.
    public func screenshot(to file: String) async throws { try await display.screenshot(to: file) }
}

/// Runs KRunner while `body` runs.
///
/// - Parameters:
///   - bus: the session bus.
///   - environment: its environment; `XDG_DATA_DIRS` contains the folder with the runners. Of KRunner's own runners, none is
///     asked, so that the results are those of a test.
/// - Throws: what `body` throws; `BenchError` if it does not start.
public nonisolated(nonsending) func withKRunner<Value>(
    on bus: PrivateBus, environment: [String: String],
    _ body: nonisolated(nonsending) (KRunner) async throws -> Value
) async throws -> Value {
    let own = [
        "calculator", "helprunner", "krunner_appstream", "krunner_bookmarksrunner", "krunner_kill",
        "krunner_placesrunner",
        "krunner_powerdevil", "krunner_recentdocuments", "krunner_services", "krunner_sessions", "krunner_shell",
        "krunner_webshortcuts", "krunner_windowedwidgets", "locations", "org.kde.activities", "baloosearch",
    ]
    // Some runners are called by their file, others without its prefix.
    let keys = (own + own.map { $0.replacing("krunner_", with: "") }).map { "\($0)Enabled=false\n" }
    let file = URL(filePath: "\(environment["XDG_CONFIG_HOME"] ?? "")/krunnerrc")
    try Data("[Plugins]\n\(Set(keys).sorted().joined())".utf8).write(to: file)
    return try await withDisplay { display in
        let desktop = ["XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true", "NO_AT_BRIDGE": "1"]
        let all = environment.merging(bus.environment) { $1 }.merging(display.environment) { $1 }.merging(desktop) {
            $1
        }
        let command = Command(
            "krunner", ["--daemon"], environment: all, ready: .busName("org.kde.krunner", on: bus))
        return try await withDaemon(command) { _ in
            try await withConnection(to: bus) {
                try await body(KRunner(connection: $0, environment: all, display: display))
            }
        }
    }
}
