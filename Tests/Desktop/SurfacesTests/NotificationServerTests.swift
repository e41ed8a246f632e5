import EventLoops
import FoundationEssentials
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

/// Tests of suggestions on notification servers with faults.
@Suite("Notification servers", .timeLimit(.minutes(15)))
struct NotificationServerTests {
    @Test("Without a server the result says so")
    func noServer() async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus) { running in
                let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                #expect(result == .noServer)
                #expect(try await running.surface.server() == nil)
            }
        }
    }

    @Test(
        "A server is started only when systemd knows the display",
        arguments: [
            (nil, false), ([], false), (["PATH=/bin", "DISPLAY=", "MY_DISPLAY=:0"], false), (["DISPLAY=:0"], true),
            (["WAYLAND_DISPLAY=wayland-1"], true),
        ] as [([String]?, Bool)])
    func starting(environment: [String]?, isStarted: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let marker = directory.file("started")
            try directory.write(
                "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/sh -c \"touch \(marker); exit 1\"\n",
                to: "services/org.freedesktop.Notifications.service")
            try await withPrivateBus(serviceDirectories: [directory.file("services")]) { bus in
                try await withSurface(on: bus) { running in
                    let manager = try await Connection.open(BusAddress(bus.address), on: running.loop)
                    let server = await ObjectServer(on: manager)
                    if let environment {
                        try await server.export(
                            "/org/freedesktop/systemd1",
                            [
                                ExportedInterface(
                                    "org.freedesktop.systemd1.Manager",
                                    [.property("Environment") { environment }])
                            ])
                        #expect(try await manager.requestName("org.freedesktop.systemd1") == .owner)
                    }
                    // The program fails, so there is no server in either case.
                    let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                    #expect(result == .noServer)
                    #expect(FileManager.default.fileExists(atPath: marker) == isStarted)
                    withExtendedLifetime(server) {}
                    await manager.close()
                }
            }
        }
    }

    @Test("A server's error is returned; the old one is withdrawn")
    func refused() async throws {
        try await withRecorder { running, recorder in
            #expect(try await running.surface.present(playSuggestion("a"), for: .seconds(600)) == .shown(1))
            let error = DBusError(DBusError.Name(rawValue: "org.example.TooMany"), "too many")
            recorder.setManner(.refusing(error))
            #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .refused(error))
            try await recorder.waitForClosing(of: 1)
            #expect(await running.surface.shownSuggestions.isEmpty)
        }
    }

    @Test("A reply with the number 0 is refused")
    func numberless() async throws {
        try await withRecorder { running, recorder in
            recorder.setManner(.numberless)
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            guard case .refused = result else {
                Issue.record("\(result)")
                return
            }
            #expect(await running.surface.shownSuggestions.isEmpty)
        }
    }

    @Test("A server that does not reply is given up at the deadline")
    func silent() async throws {
        try await withRecorder(deadline: .seconds(3)) { running, recorder in
            recorder.setManner(.silent)
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            guard case .refused(let error) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.name == .noReply)
            recorder.setManner(.prompt)
            #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .shown(2))
        }
    }

    @Test("A closed bus throws an error")
    func busGone() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await withPrivateBus { bus in
            let connection = try await Connection.open(BusAddress(bus.address), on: loop)
            let surface = NotificationSurface(on: connection, desktopEntry: "x")
            try await bus.kill()
            _ = await connection.closed()
            let error = await #expect(throws: DBusError.self) {
                try await surface.present(playSuggestion(), for: .seconds(600))
            }
            #expect(error?.name == .disconnected)
            await #expect(throws: DBusError.self) { try await surface.run() }
        }
    }

    @Test("A new server is queried again and gets a fresh notification")
    func serverRestart() async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus) { running in
                let first = try await NotificationRecorder.start(
                    on: bus, loop: running.loop, capabilities: ["body"], firstNumber: 7)
                #expect(try await running.surface.present(playSuggestion("a"), for: .seconds(600)) == .shown(7))
                await first.stop()
                #expect(try await running.events(1) == [.closed(suggestion: "a", reason: .serverGone)])
                let second = try await NotificationRecorder.start(
                    on: bus, loop: running.loop, capabilities: ["actions"], firstNumber: 7)
                #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .shown(7))
                let request = try await second.request(1)
                #expect(request.replaces == 0)
                #expect(request.actions.count == 8)
                #expect(request.body == "")
            }
        }
    }

    @Test("Nothing is sent while Do Not Disturb is on in KDE", arguments: [true, false])
    func inhibited(_ inhibited: Bool) async throws {
        try await withRecorder(name: "Plasma", inhibited: inhibited) { running, recorder in
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            #expect(result == (inhibited ? .inhibited : .shown(1)))
            #expect(recorder.record.state.requests.count == (inhibited ? 0 : 1))
        }
    }

    @Test(
        "Nothing is sent while Do Not Disturb is on in Xfce",
        arguments: [true, false, nil])
    func inhibitedByXfce(_ setting: Bool?) async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus) { running in
                let recorder = try await NotificationRecorder.start(
                    on: bus, loop: running.loop, name: "Xfce Notify Daemon")
                let settings = try await Connection.open(BusAddress(bus.address), on: running.loop)
                let server = await ObjectServer(on: settings)
                try await server.export(
                    "/org/xfce/Xfconf",
                    [
                        ExportedInterface(
                            "org.xfce.Xfconf",
                            [
                                .method("GetProperty", arguments: ["channel", "property"], results: ["value"]) {
                                    (_, channel: String, property: String) throws -> Value in
                                    guard channel == "xfce4-notifyd", property == "/do-not-disturb", let setting else {
                                        throw DBusError(.failed, "there is no such property")
                                    }
                                    return .boolean(setting)
                                }
                            ])
                    ])
                #expect(try await settings.requestName("org.xfce.Xfconf") == .owner)
                let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                #expect(result == (setting == true ? .inhibited : .shown(1)))
                #expect(recorder.record.state.requests.count == (setting == true ? 0 : 1))
                await settings.close()
            }
        }
    }

    @Test(
        "Nothing is sent while Do Not Disturb is on in GNOME, MATE or Cinnamon",
        arguments: [
            ("gnome-shell", "/org/gnome/desktop/notifications/show-banners", false),
            ("Notification Daemon", "/org/mate/notification-daemon/do-not-disturb", true),
            ("cinnamon", "/org/cinnamon/desktop/notifications/display-notifications", false),
        ], [true, false, nil])
    func inhibitedByDconf(server: (name: String, key: String, isInhibited: Bool), value: Bool?) async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus, dconf: { $0 == server.key ? value : nil }) { running in
                let recorder = try await NotificationRecorder.start(on: bus, loop: running.loop, name: server.name)
                let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                #expect(result == (value == server.isInhibited ? .inhibited : .shown(1)))
                #expect(recorder.record.state.requests.count == (value == server.isInhibited ? 0 : 1))
            }
        }
    }

    @Test("A server without an inhibition property is sent everything")
    func unknownInhibition() async throws {
        try await withRecorder(name: "Plasma") { running, _ in
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            #expect(result == .shown(1))
        }
        try await withRecorder(inhibited: true) { running, _ in
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            #expect(result == .shown(1))
        }
    }
}
