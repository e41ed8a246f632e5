/// A real notification server with buttons on a virtual display. The accessibility bus locates the texts, and a virtual
/// mouse clicks there. See ``withDrawnNotifications(by:on:display:_:)``.
public struct DrawnNotifications: Sendable {
    /// The program that draws them.
    public enum Program: Sendable {
        /// MATE's `mate-notification-daemon`.
        case mate
        /// Xfce's `xfce4-notifyd`, with the settings service that it asks.
        case xfce
    }

    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// Lists what is on the display: role, centre and name of each widget, a line each.
    private static let look = """
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi

        def walk(node, depth=0):
            for index in range(node.get_child_count()):
                child = node.get_child_at_index(index)
                if child is None or depth > 12:
                    continue
                if child.get_role_name() in ("label", "push button"):
                    box = child.get_extents(Atspi.CoordType.SCREEN)
                    name = child.get_name().replace("\\n", " ")
                    print(child.get_role_name(), box.x + box.width // 2, box.y + box.height // 2, name, sep="\\t")
                walk(child, depth + 1)

        walk(Atspi.get_desktop(0))
        """

    private struct Part {
        let role, x, y, name: String
    }

    private func parts() async throws -> [Part] {
        let answer = try await run("/usr/bin/python3", ["-c", Self.look], environment: environment)
        // An element that disappears while it is inspected causes an error.
        return answer.standardOutput.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return cells.count == 4 ? Part(role: cells[0], x: cells[1], y: cells[2], name: cells[3]) : nil
        }
    }

    /// Waits until a text is written on the display.
    ///
    /// - Throws: `BenchError` if it does not appear.
    public func waitForText(_ text: String) async throws {
        try await eventually("“\(text)” on the display", because: "what is drawn is told nobody") {
            try await parts().contains { $0.role == "label" && $0.name == text } ? () : nil
        }
    }

    /// Waits until nothing is on the display.
    ///
    /// - Throws: `BenchError` when something stays.
    public func waitUntilEmpty() async throws {
        try await eventually("an empty display", because: "what is drawn is told nobody") {
            try await parts().isEmpty ? () : nil
        }
    }

    /// The buttons on the display, from left to right.
    ///
    /// - Throws: `BenchError` if the display cannot be inspected.
    public func buttons() async throws -> [String] {
        try await parts().filter { $0.role == "push button" }.sorted { (Int($0.x) ?? 0) < (Int($1.x) ?? 0) }.map(\.name)
    }

    /// Clicks with the mouse on a button.
    ///
    /// - Throws: `BenchError` if there is none.
    public func click(button name: String) async throws { try await click("push button", name) }

    /// Clicks with the mouse on a text, outside all buttons.
    ///
    /// - Throws: `BenchError` if it is not there.
    public func click(text: String) async throws { try await click("label", text) }

    private func click(_ role: String, _ name: String) async throws {
        let part = try await eventually("the \(role) “\(name)”", because: "what is drawn is told nobody") {
            try await parts().first { $0.role == role && $0.name == name }
        }
        let arguments = ["mousemove", part.x, part.y, "click", "1"]
        _ = try await run("xdotool", arguments, environment: environment).output()
    }
}

/// Runs a notification server, and the accessibility bus through which it is looked at, while `body` runs.
///
/// - Throws: what `body` throws; `BenchError` if it does not start.
public nonisolated(nonsending) func withDrawnNotifications<Value>(
    by program: DrawnNotifications.Program, on bus: PrivateBus, display: Display,
    _ body: nonisolated(nonsending) (DrawnNotifications) async throws -> Value
) async throws -> Value {
    try await withTemporaryHome { home in
        var environment = home.environment.merging(bus.environment) { $1 }.merging(display.environment) { $1 }
        environment["GSETTINGS_BACKEND"] = "memory"
        // The folder of their settings' schemas, which they need to start.
        environment["XDG_DATA_DIRS"] = "/usr/local/share:/usr/share"
        let accessibility = Command(
            "/usr/libexec/at-spi-bus-launcher", ["--launch-immediately"], environment: environment,
            ready: .busName("org.a11y.Bus", on: bus))
        return try await withDaemon(accessibility) { _ in
            let server = Command(
                program.path, environment: environment, ready: .busName("org.freedesktop.Notifications", on: bus))
            guard program == .xfce else {
                return try await withDaemon(server) { _ in try await body(DrawnNotifications(environment: environment))
                }
            }
            let settings = Command(
                "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd", environment: environment,
                ready: .busName("org.xfce.Xfconf", on: bus))
            return try await withDaemon(settings) { _ in
                try await withDaemon(server) { _ in try await body(DrawnNotifications(environment: environment)) }
            }
        }
    }
}

extension DrawnNotifications.Program {
    fileprivate var path: String {
        switch self {
        case .mate: "/usr/lib/mate-notification-daemon/mate-notification-daemon"
        case .xfce: "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd"
        }
    }
}
