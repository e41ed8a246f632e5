import FoundationEssentials
import HunchModel
import EventLoops
import HunchDBus
import TestSupport
import Testing

@testable import Triggers

@Suite("Launched apps", .timeLimit(.minutes(15)))
struct LaunchTests {
    @Test("Only units of apps that the user launched count")
    func units() {
        let cases: [(String, AppID?)] = [
            ("app-gnome-org.gnome.Maps-4711.scope", "org.gnome.Maps"),
            ("app-org.kde.konsole-1b2c.scope", "org.kde.konsole"),
            ("app-org.kde.konsole@1b2c.service", "org.kde.konsole"),
            ("app-gnome-firefox\\x2desr-4711.scope", "firefox-esr"),
            ("app-flatpak-org.mozilla.Thunderbird-99.scope", "org.mozilla.Thunderbird"),
            ("app-org.gnome.SettingsDaemon@autostart.service", nil), ("app-hunch-org.gnome.Maps@ab12.service", nil),
            ("app-org.gnome.Terminal.slice", nil), ("app.slice", nil), ("session-2.scope", nil),
            ("dbus-:1.2-org.gnome.Maps@0.service", nil), ("app-.scope", nil), ("app-\\xff-1.scope", nil),
            ("app-" + String(repeating: "a", count: 300) + "-1.scope", nil), ("", nil),
        ]
        for (unit, application) in cases { #expect(LaunchTable.application(of: unit) == application, "\(unit)") }
    }

    @Test("An app counts as launched once while a unit of it exists")
    func table() {
        var table = LaunchTable()
        #expect(table.begin("app-gnome-a-1.scope") == "a")
        #expect(table.begin("app-gnome-a-1.scope") == nil)
        #expect(table.begin("app-gnome-a-2.scope") == nil)
        table.end("app-gnome-a-1.scope")
        #expect(table.begin("app-gnome-a-3.scope") == nil)
        table.end("app-gnome-a-2.scope")
        table.end("app-gnome-a-3.scope")
        table.end("app-gnome-a-3.scope")
        #expect(table.begin("app-gnome-a-4.scope") == "a")
    }

    @Test("The number of tracked units is limited")
    func bounded() {
        var table = LaunchTable()
        for number in 0..<LaunchTable.limit { #expect(table.begin("app-x-a\(number)-1.scope") != nil) }
        #expect(table.begin("app-x-more-1.scope") == nil)
        table.end("app-x-a0-1.scope")
        #expect(table.begin("app-x-more-1.scope") == "more")
    }

    @Test("Only units that start later count as launches")
    func realManager() async throws {
        try await withUserManager { manager in
            let unit = "[Service]\nExecStart=/bin/sleep 1000\n"
            for name in ["app-org.example.Before@1", "app-org.example.Looked@1", "app-org.example.Started@1"] {
                try manager.write(unit, to: "\(manager.units)/\(name).service")
            }
            try await manager.reload()
            try await manager.systemctl("start", "app-org.example.Before@1.service")
            let loop = try EventLoop()
            try loop.start()
            defer { loop.stop() }
            let bus = try await Connection.open(BusAddress(manager.busAddress), on: loop)
            let launched = Watched<[AppID]>([])
            let seen = Watched<[AppID]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await AppLaunches().follow(bus) { observation in
                            if case .unit(let unit, let began) = observation {
                                seen.update { $0.append("\(began) \(unit)") }
                            }
                        } _: { application in
                            launched.update { $0.append(application) }
                        }
                    } catch is CancellationError {}
                }
                defer { group.cancelAll() }
                _ = try await withDeadline(.seconds(60), "the unit that runs") {
                    try await seen.wait { $0.contains("true app-org.example.Before@1.service") ? true : nil }
                }
                // Loaded but not started.
                try await manager.systemctl("show", "--property=ActiveState", "app-org.example.Looked@1.service")
                try await manager.systemctl("start", "app-org.example.Started@1.service")
                _ = try await withDeadline(.seconds(60), "the app that starts") {
                    try await launched.wait { $0.isEmpty ? nil : true }
                }
                try await manager.systemctl("stop", "app-org.example.Started@1.service")
                _ = try await withDeadline(.seconds(60), "its end") {
                    try await seen.wait { $0.contains("false app-org.example.Started@1.service") ? true : nil }
                }
                #expect(launched.state == ["org.example.Started"])
            }
            await bus.close()
        }
    }
}
