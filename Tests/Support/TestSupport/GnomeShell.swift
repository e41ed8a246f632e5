import FoundationEssentials
import HunchDBus

/// A real GNOME Shell on a virtual display. Tests read the texts on it and click with a virtual mouse. See
/// ``withGnomeShell(_:)``.
public struct GnomeShell: Sendable {
    /// The session bus that it is on.
    public let bus: PrivateBus
    private let connection: Connection
    /// The environment of the parts of GNOME.
    let environment: [String: String]

    init(bus: PrivateBus, connection: Connection, environment: [String: String]) {
        self.bus = bus
        self.connection = connection
        self.environment = environment
    }

    /// Something on the display: a label with its text, or a button with its label or the name of its icon.
    public struct Part: Hashable, Sendable, Decodable {
        /// `label` or `button`.
        public let role: String
        /// Text, label or icon.
        public let name: String
        /// Its centre, in pixels from the upper left corner.
        public let x, y: Double
    }

    private static let look = """
        (function() {
            const St = imports.gi.St, parts = [];
            const walk = actor => {
                if (!actor.mapped)
                    return;
                const [x, y] = actor.get_transformed_position();
                const at = {x: x + actor.width / 2, y: y + actor.height / 2};
                // Actors without a layout have no position yet.
                const isSomewhere = Number.isFinite(at.x) && Number.isFinite(at.y);
                if (isSomewhere && actor instanceof St.Label)
                    parts.push({role: 'label', name: actor.text ?? '', ...at});
                if (isSomewhere && actor instanceof St.Button)
                    parts.push({role: 'button', name: actor.label || actor.get_child()?.icon_name || '', ...at});
                actor.get_children().forEach(walk);
            };
            walk(global.stage);
            return parts;
        })()
        """

    /// Runs a script in the shell. The answer is JSON.
    ///
    /// - Throws: `BenchError` if the script fails.
    @discardableResult
    public func run(_ script: String) async throws -> String {
        let (isDone, result): (Bool, String) = try await connection.call(
            "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval", script,
            timeout: .seconds(60))
        guard isDone else { throw BenchError("GNOME Shell could not run a script: \(result)") }
        return result
    }

    /// Opens the list of messages and players below the clock.
    ///
    /// - Throws: `BenchError` if it does not open.
    public func openMessages() async throws {
        try await waitUntil(
            "the message list being open",
            """
            (function() {
                const menu = Main.panel.statusArea.dateMenu.menu;
                if (!menu.isOpen)
                    menu.open(false);
                return menu.isOpen;
            })()
            """)
    }

    /// Waits until a script returns `true`.
    func waitUntil(_ what: String, _ script: String) async throws {
        try await eventually(what, because: "GNOME Shell tells it nobody") {
            try await run(script) == "true" ? () : nil
        }
    }

    /// Closes the list.
    public func closeMessages() async throws { try await run("Main.panel.statusArea.dateMenu.menu.close(false)") }

    /// Presses and releases a key of a virtual keyboard.
    ///
    /// - Parameter key: its name in Clutter, as `AudioPlay`.
    /// - Throws: `BenchError` if there is no such key.
    public func press(key: String) async throws {
        try await run(
            """
            (function() {
                const Clutter = imports.gi.Clutter, time = imports.gi.GLib.get_monotonic_time();
                const seat = Clutter.get_default_backend().get_default_seat();
                globalThis.hunchKeyboard ??= seat.create_virtual_device(Clutter.InputDeviceType.KEYBOARD_DEVICE);
                for (const state of [Clutter.KeyState.PRESSED, Clutter.KeyState.RELEASED])
                    globalThis.hunchKeyboard.notify_keyval(time, Clutter.KEY_\(key), state);
                return true;
            })()
            """)
    }

    /// Runs GNOME's settings daemon, which passes media keys to players, while `body` runs.
    ///
    /// - Throws: what `body` throws; `BenchError` if it does not start.
    public nonisolated(nonsending) func withMediaKeys<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        let command = Command(
            "/usr/libexec/gsd-media-keys", [], environment: environment,
            ready: .busName("org.gnome.SettingsDaemon.MediaKeys", on: bus))
        return try await withDaemon(command) { _ in try await body() }
    }

    /// Returns the content of the display.
    public func parts() async throws -> [Part] {
        try JSONDecoder().decode([Part].self, from: Data(try await run(Self.look).utf8))
    }

    /// Waits until an element is on the display and no longer moves.
    ///
    /// - Throws: `BenchError` if it does not appear.
    @discardableResult
    public func part(_ role: String, _ name: String) async throws -> Part {
        var last: Part?
        do {
            return try await eventually("the \(role) “\(name)” in GNOME Shell", because: "what is drawn is told nobody")
            {
                let found = try await parts().first { $0.role == role && $0.name == name }
                defer { last = found }
                return found != nil && found == last ? found : nil
            }
        } catch let error as BenchError {
            throw BenchError("\(error); there are \(try await parts().map(\.name))")
        }
    }

    /// Waits until an element is not on the display.
    ///
    /// - Throws: `BenchError` if it stays.
    public func waitUntilGone(_ role: String, _ name: String) async throws {
        try await eventually("the \(role) “\(name)” leaving GNOME Shell", because: "what is drawn is told nobody") {
            try await parts().contains { $0.role == role && $0.name == name } ? nil : ()
        }
    }

    /// Clicks with the mouse on the centre of an element.
    ///
    /// - Throws: `BenchError` if it is not there.
    public func click(_ role: String, _ name: String) async throws {
        let part = try await part(role, name)
        try await run(
            """
            (function() {
                const Clutter = imports.gi.Clutter, time = imports.gi.GLib.get_monotonic_time();
                const seat = Clutter.get_default_backend().get_default_seat();
                globalThis.hunchMouse ??= seat.create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE);
                globalThis.hunchMouse.notify_absolute_motion(time, \(part.x), \(part.y));
                for (const state of [Clutter.ButtonState.PRESSED, Clutter.ButtonState.RELEASED])
                    globalThis.hunchMouse.notify_button(time, Clutter.BUTTON_PRIMARY, state);
                return true;
            })()
            """)
    }
}

/// Runs GNOME Shell with a mock of logind and its own settings while `body` runs.
///
/// - Parameters:
///   - dataFolder: a folder with desktop entries and search providers, before those of the system.
///   - serviceDirectories: folders with D-Bus activation files.
///   - serviceEnvironment: further variables of the programs that the bus starts.
/// - Throws: what `body` throws; `BenchError` if it does not start.
public nonisolated(nonsending) func withGnomeShell<Value>(
    dataFolder: String? = nil, serviceDirectories: [String] = [], serviceEnvironment: [String: String] = [:],
    _ body: nonisolated(nonsending) (GnomeShell) async throws -> Value
) async throws -> Value {
    try await withTemporaryHome { home in
        // Its notification service is a separate program.
        let service = "org.gnome.Shell.Notifications.service"
        let description = try String(
            contentsOf: URL(filePath: "/usr/share/dbus-1/services/\(service)"), encoding: .utf8)
        try home.directory.write(Array(description.utf8), to: "services/\(service)")
        var settings = home.environment
        settings["GSETTINGS_BACKEND"] = "memory"
        settings["XDG_DATA_DIRS"] = [dataFolder, "/usr/local/share:/usr/share"].compactMap(\.self).joined(
            separator: ":")
        settings["NO_AT_BRIDGE"] = "1"
        return try await withPrivateBus(.system) { system in
            try await withMockLogind(on: system) { _ in
                settings.merge(system.environment) { $1 }
                return try await withPrivateBus(
                    serviceDirectories: [home.directory.file("services")] + serviceDirectories,
                    environment: settings.merging(serviceEnvironment) { $1 }
                ) { bus in
                    let environment = settings.merging(bus.environment) { $1 }
                    let command = Command(
                        "gnome-shell",
                        [
                            "--headless", "--wayland", "--no-x11", "--unsafe-mode", "--virtual-monitor", "1024x768",
                        ], environment: environment,
                        ready: .busName("org.freedesktop.Notifications", on: bus))
                    var hang: ShellHang?
                    for _ in 1...3 {
                        do {
                            return try await withDaemon(command) { _ in
                                try await withConnection(to: bus) {
                                    let shell = GnomeShell(bus: bus, connection: $0, environment: environment)
                                    try await shell.waitUntilUp()
                                    return try await body(shell)
                                }
                            }
                        } catch let error as ShellHang {
                            hang = error
                        }
                    }
                    throw hang?.reason ?? BenchError("GNOME Shell was not started")
                }
            }
        }
    }
}

/// GNOME Shell 43 itself hangs in about one of forty starts.
private struct ShellHang: Error {
    let reason: any Error
}

extension GnomeShell {
    fileprivate func waitUntilUp() async throws {
        do {
            // It owns its names before it has finished starting.
            try await waitUntil("GNOME Shell being up", "!Main.layoutManager._startingUp")
        } catch {
            throw ShellHang(reason: error)
        }
    }
}
