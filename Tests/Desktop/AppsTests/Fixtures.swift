import FoundationEssentials
import EventLoops
import HunchDBus
import TestSupport

@testable import Apps

/// The text of a desktop entry.
func desktopEntry(exec: String, _ further: String...) -> String {
    (["[Desktop Entry]", "Type=Application", "Name=Example App", "Exec=\(exec)"] + further).joined(separator: "\n")
}

/// Runs `body` in a home with the desktop entries of apps.
func withApps(
    _ apps: [String: String], _ body: (TemporaryHome, [String: String]) async throws -> Void
) async throws {
    try await withTemporaryHome { home in
        for (identifier, text) in apps {
            try home.directory.write(text, to: "data/applications/\(identifier).desktop")
        }
        var environment = home.environment
        environment["PATH"] = "/usr/bin:/bin"
        try await body(home, environment)
    }
}

/// A home with apps, a private bus, and a launcher that looks for apps in that home.
struct LaunchingDesk: Sendable {
    let home: TemporaryHome
    let bus: PrivateBus
    let connection: Connection
    let loop: EventLoop
    let launcher: DesktopLauncher

    /// Installs a desktop entry.
    func install(_ identifier: String, _ text: String) throws {
        try home.directory.write(text, to: "data/applications/\(identifier).desktop")
    }

    /// Writes an executable script and returns its path.
    func script(_ name: String, _ text: String) async throws -> String {
        let path = try home.directory.write("#!/bin/sh\n\(text)\n", to: "bin/\(name)")
        _ = try await run("chmod", ["755", path]).output()
        return path
    }
}

func withLaunchingDesk(
    deadline: Duration = .seconds(20), _ body: @escaping @Sendable (LaunchingDesk) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start()
    let worker = try WorkerThread()
    defer {
        worker.stop()
        loop.stop()
    }
    try await withTemporaryHome { home in
        try await withPrivateBus { bus in
            let connection = try await Connection.open(BusAddress(bus.address), on: loop)
            var environment = home.environment
            environment["PATH"] = "\(home.directory.file("bin")):/usr/bin:/bin"
            let launcher = DesktopLauncher(
                environment: environment, bus: connection,
                installed: InstalledAppsCache(environment: environment, worker: worker), now: { .distantPast },
                deadline: deadline)
            try await body(
                LaunchingDesk(home: home, bus: bus, connection: connection, loop: loop, launcher: launcher))
            await connection.close()
        }
    }
}
