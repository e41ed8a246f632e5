import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

/// The notification servers of Wayland desktops, in a headless session of sway.
@Suite("Do Not Disturb of mako and swaync", .serialized, .timeLimit(.minutes(15)))
struct WaylandServerTests {
    /// A call that switches Do Not Disturb on or off.
    typealias Switch = @Sendable (Connection, _ isOn: Bool) async throws -> Void

    private func expectRespected(_ program: String, _ name: String, _ set: @escaping Switch) async throws {
        try await withPrivateBus { bus in
            try await withSway { sway in
                let environment = sway.environment.merging(bus.environment) { $1 }
                let server = Command(
                    program, environment: environment, ready: .busName("org.freedesktop.Notifications", on: bus))
                try await withDaemon(server) { _ in
                    try await withSurface(on: bus) { running in
                        #expect(try await running.surface.server()?.name == name)
                        // mako 1.7.1 crashes at times if its mode changes while it shows a notification.
                        for isOn in [true, false] {
                            try await withConnection(to: bus) { try await set($0, isOn) }
                            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
                            if case .shown = result {
                                #expect(!isOn)
                            } else {
                                #expect(isOn && result == .inhibited, "\(result)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("Nothing is sent while mako is in the mode do-not-disturb")
    func mako() async throws {
        try await expectRespected("mako", "mako") { bus, isOn in
            let () = try await bus.call(
                "org.freedesktop.Notifications", "/fr/emersion/Mako", "fr.emersion.Mako", "SetModes",
                ["default"] + (isOn ? ["do-not-disturb"] : []))
        }
    }

    @Test("Nothing is sent while Do Not Disturb is on in swaync")
    func swaync() async throws {
        try await expectRespected("swaync", "SwayNotificationCenter") { bus, isOn in
            let () = try await bus.call(
                "org.erikreider.swaync.cc", "/org/erikreider/swaync/cc", "org.erikreider.swaync.cc", "SetDnd", isOn)
        }
    }

    @Test("A program that inhibits swaync is respected, and older versions lack that", arguments: [true, false, nil])
    func inhibitor(isInhibited: Bool?) async throws {
        try await withRecorder(name: "SwayNotificationCenter") { running, recorder in
            let path: ObjectPath = "/org/erikreider/swaync/cc"
            let dnd = ExportedMember.method("GetDnd", results: ["result"]) { _ throws -> Bool in false }
            let inhibited = isInhibited.map { isInhibited in
                ExportedMember.method("IsInhibited", results: ["result"]) { _ throws -> Bool in isInhibited }
            }
            try await recorder.export(
                path, [ExportedInterface("org.erikreider.swaync.cc", [dnd] + [inhibited].compactMap { $0 })])
            let result = try await running.surface.present(playSuggestion(), for: .seconds(600))
            #expect(result == (isInhibited == true ? .inhibited : .shown(1)))
        }
    }

    @Test("Names of modes that mean Do Not Disturb")
    func modes() {
        for mode in ["do-not-disturb", "dnd", "DND", "Do_Not_Disturb", "donotdisturb", "do not disturb"] {
            #expect(NotificationServer.isDoNotDisturb(mode: mode), "\(mode)")
        }
        for mode in ["default", "", "disturb", "away", "do-disturb", "light"] {
            #expect(!NotificationServer.isDoNotDisturb(mode: mode), "\(mode)")
        }
    }
}
