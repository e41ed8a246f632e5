import Foundation
import TestSupport

extension DesktopWorld {
    /// The environment of the window. Unlike other programs, it needs the icons and schemas of the system.
    var windowEnvironment: [String: String] {
        environment.merging([
            "XDG_DATA_DIRS": "\(home.systemData):/usr/local/share:/usr/share", "GSETTINGS_BACKEND": "memory",
            "GSK_RENDERER": "cairo",
        ]) { $1 }
    }

    /// Lets the bus start the agent. It ends when the bus ends.
    func installAgent() throws {
        let words = environment.map { "'\($0.key)=\($0.value)'" }.joined(separator: " ")
        try """
        [D-BUS Service]
        Name=org.hunch.Agent1
        Exec=/usr/bin/env \(words) \(builtProduct("hunchd"))
        """.write(
            toFile: "\(home.systemData)/dbus-1/services/org.hunch.Agent1.service", atomically: true, encoding: .utf8)
    }

    /// Runs the window while `body` runs.
    ///
    /// - Parameter further: variables of its environment.
    nonisolated(nonsending) func withWindow(
        _ further: [String: String] = [:], _ body: nonisolated(nonsending) (AccessibleApp) async throws -> Void
    ) async throws {
        let environment = windowEnvironment.merging(further) { $1 }
        try await withAccessibility(on: session, environment: environment) { accessible in
            let window = try Command(
                builtProduct("hunch-settings"), environment: environment,
                ready: .busName("org.hunch.Settings", on: session))
            try await withDaemon(window) { _ in try await body(accessible) }
        }
    }
}
