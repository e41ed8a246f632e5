import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

/// Tests of suggestions on notification servers with faults.
@Suite("Notification servers", .timeLimit(.minutes(2)))
struct NotificationServerTests {
    @Test("where there is no server, that is the answer")
    func noServer() async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus) { running in
                let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                #expect(result == .noServer)
                #expect(try await running.surface.server() == nil)
            }
        }
    }

    @Test("where a server cannot be started, there is none")
    func unstartableServer() async throws {
        try await withTemporaryDirectory { directory in
            try directory.write(
                "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/false\n",
                to: "org.freedesktop.Notifications.service")
            try await withPrivateBus(serviceDirectories: [directory.path]) { bus in
                try await withSurface(on: bus) { running in
                    let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                    #expect(result == .noServer)
                }
            }
        }
    }

    @Test("a server's error is the answer, and what stood there before is withdrawn")
    func refused() async throws {
        try await withRecorder { running, recorder in
            #expect(try await running.surface.present(playSuggestion("a"), for: .seconds(600)) == .shown(1))
            let error = DBusError(DBusError.Name(rawValue: "org.example.TooMany"), "too many")
            recorder.setManner(.refusing(error))
            #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .refused(error))
            try await recorder.waitForClosing(of: 1)
            #expect(await running.surface.shownSuggestion == nil)
        }
    }

    @Test("the number 0 is no number")
    func numberless() async throws {
        try await withRecorder { running, recorder in
            recorder.setManner(.numberless)
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            guard case .refused = result else {
                Issue.record("\(result)")
                return
            }
            #expect(await running.surface.shownSuggestion == nil)
        }
    }

    @Test("a server that does not answer is given up at the deadline")
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

    @Test("a bus that is gone is an error, not an answer")
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

    @Test("a new server is asked for what it can do, and gets the next suggestion as its first")
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
                #expect(request.actions.count == 6)
                #expect(request.body == "")
            }
        }
    }

    @Test("while the person is not to be disturbed, as KDE tells, nothing is sent", arguments: [true, false])
    func inhibited(_ inhibited: Bool) async throws {
        try await withRecorder(name: "Plasma", inhibited: inhibited) { running, recorder in
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            #expect(result == (inhibited ? .inhibited : .shown(1)))
            #expect(recorder.record.state.requests.count == (inhibited ? 0 : 1))
        }
    }

    @Test(
        "while the person is not to be disturbed, as Xfce's settings tell, nothing is sent",
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
        "while the person is not to be disturbed, as GNOME's and MATE's databases have it, nothing is sent",
        arguments: [
            ("gnome-shell", "/org/gnome/desktop/notifications/show-banners", false),
            ("Notification Daemon", "/org/mate/notification-daemon/do-not-disturb", true),
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

    @Test("a server that does not say whether it holds notifications back does not")
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
