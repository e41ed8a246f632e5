import FoundationEssentials
import Glibc

/// A real notification server on a display of the bench; see ``withDunst(on:display:_:)``.
public struct Dunst: Sendable {
    /// The process.
    public let daemon: Daemon
    private let bus: PrivateBus
    private let directory: TemporaryDirectory

    init(daemon: Daemon, bus: PrivateBus, directory: TemporaryDirectory) {
        self.daemon = daemon
        self.bus = bus
        self.directory = directory
    }

    /// Presses the button `label` of a notification that is shown, as a user would in dunst's menu.
    public func press(_ label: String) async throws {
        try directory.write(label, to: "choice")
        try await call("ContextMenuCall")
    }

    /// Presses the newest notification itself, which invokes its default action.
    public func pressBody() async throws { try await call("NotificationAction", "u", "0") }

    /// Closes the newest notification, as a user would.
    public func closeLast() async throws { try await call("NotificationCloseLast") }

    /// Waits until a notification with these words was displayed.
    public func waitForWords(_ words: String) async throws {
        var shown = ""
        do {
            try await eventually("a notification with “\(words)”", because: "dunst tells a script what it displays") {
                shown = String(
                    decoding: FileManager.default.contents(atPath: directory.file("shown")) ?? Data(), as: UTF8.self)
                return shown.contains(words) ? () : nil
            }
        } catch let error as BenchError {
            throw BenchError("\(error); dunst displayed:\n\(shown)")
        }
    }

    /// Holds notifications back, or shows them again.
    public func setPaused(_ paused: Bool) async throws {
        _ = try await busctl(["set-property"] + Self.object + ["paused", "b", "\(paused)"])
    }

    /// The number of notifications on the display.
    public func displayedCount() async throws -> Int {
        let answer = try await busctl(["get-property"] + Self.object + ["displayedLength"])
        guard let count = answer.split(whereSeparator: \.isWhitespace).last.flatMap({ Int($0) }) else {
            throw BenchError("dunst's count makes no sense: \(answer)")
        }
        return count
    }

    /// Waits until a number of notifications are on the display.
    public func waitForDisplayed(_ count: Int) async throws {
        try await eventually("\(count) notifications on the display", because: "dunst tells of changes unreliably") {
            try await displayedCount() == count ? () : nil
        }
    }

    private static let object = [
        "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.dunstproject.cmd0",
    ]

    private func call(_ member: String, _ arguments: String...) async throws {
        _ = try await busctl(["call"] + Self.object + [member] + arguments)
    }

    private func busctl(_ arguments: [String]) async throws -> String {
        try await run("busctl", ["--address=\(bus.address)"] + arguments).output()
    }
}

/// Runs dunst with a configuration of its own while `body` runs.
///
/// It understands markup, shows pictures, and keeps notifications on the display until they are closed or their own
/// timeout ends.
///
/// - Throws: what `body` throws; `BenchError` when dunst does not start.
public nonisolated(nonsending) func withDunst<Value>(
    on bus: PrivateBus, display: Display, _ body: nonisolated(nonsending) (Dunst) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        // The menu is given a line for each action, “#Label (Summary) [number,key]”, and answers with the one chosen.
        let menu = try directory.write(
            "choice=$(cat '\(directory.file("choice"))')\ngrep -F -v ',default]' | grep -F -m 1 -e \"#$choice (\"\n",
            to: "menu.sh")
        // The arguments are the program, the two texts, the icon and the urgency.
        let log = try directory.write(
            "#!/bin/sh\nprintf '%s\\n%s\\n' \"$2\" \"$3\" >> '\(directory.file("shown"))'\n", to: "log.sh")
        guard chmod(log, 0o700) == 0 else { throw BenchError("\(log) cannot be made a program") }
        let configuration = try directory.write(
            """
            [global]
                font = DejaVu Sans 11
                width = (280, 420)
                origin = top-right
                offset = 16x16
                markup = full
                format = "<b>%s</b>\\n%b"
                icon_position = left
                min_icon_size = 64
                max_icon_size = 96
                corner_radius = 8
                frame_width = 1
                padding = 12
                horizontal_padding = 14
                idle_threshold = 0
                sticky_history = no
                dmenu = /bin/sh \(menu)

            [urgency_normal]
                background = "#2b2d33"
                foreground = "#f4f4f4"
                frame_color = "#4a4d55"
                timeout = 0

            [log]
                summary = "*"
                script = \(log)
            """, to: "dunstrc")
        var environment = bus.environment.merging(display.environment) { $1 }
        environment["HOME"] = directory.path
        environment["XDG_CACHE_HOME"] = directory.path
        environment["XDG_RUNTIME_DIR"] = directory.path
        let command = Command(
            "dunst", ["-config", configuration], environment: environment,
            ready: .busName("org.freedesktop.Notifications", on: bus))
        return try await withDaemon(command) {
            try await body(Dunst(daemon: $0, bus: bus, directory: directory))
        }
    }
}
