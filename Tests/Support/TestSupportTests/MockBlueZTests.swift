import TestSupport
import Testing

@Suite("Mock BlueZ", .timeLimit(.minutes(15)))
struct MockBlueZTests {
    private func tree(on bus: PrivateBus) async throws -> String {
        try await run(
            "gdbus",
            [
                "call", "--address", bus.address, "--dest", "org.bluez", "--object-path", "/", "--method",
                "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
            ]
        ).output()
    }

    @Test("A connected headset has the properties of the real BlueZ")
    func headset() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockBlueZ(on: bus) { bluez in
                try await bluez.connect(.headset())
                let connected = try await tree(on: bus)
                for part in [
                    "/org/bluez/hci0/dev_00_11_22_33_44_55", "'Connected': <true>", "'ServicesResolved': <true>",
                    "'Icon': <'audio-headset'>", "'Class': <uint32 2360324>", "'Alias': <'WH-1000'>",
                    "0000110b-0000-1000-8000-00805f9b34fb",
                ] { #expect(connected.contains(part), "\(part) is missing in \(connected)") }
                try await bluez.rename("00:11:22:33:44:55", to: "Mine")
                try await bluez.disconnect("00:11:22:33:44:55")
                let disconnected = try await tree(on: bus)
                #expect(disconnected.contains("'Connected': <false>"))
                #expect(disconnected.contains("'Alias': <'Mine'>"))
                try await bluez.remove("00:11:22:33:44:55")
                let emptied = try await tree(on: bus)
                #expect(!emptied.contains("dev_00_11_22_33_44_55"))
            }
        }
    }

    @Test("A restarted mock BlueZ knows none of the earlier devices")
    func restart() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockBlueZ(on: bus) { try await $0.connect(.headset()) }
            try await withMockBlueZ(on: bus) { _ in
                let fresh = try await tree(on: bus)
                #expect(!fresh.contains("dev_00_11_22_33_44_55"))
            }
        }
    }
}
