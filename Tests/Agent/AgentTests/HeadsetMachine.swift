import TestSupport

/// A machine without hardware: BlueZ, which knows a headset, and an audio server.
struct HeadsetMachine: Sendable {
    /// A stand-in for the system bus.
    let system: PrivateBus
    let bluez: MockBlueZ
    let audio: AudioServer
    let headset = MockBluetoothDevice.headset()

    private static let sink = "bluez_output.00_11_22_33_44_55.1"

    /// The environment in which an agent sees this machine.
    var environment: [String: String] { system.environment.merging(["PULSE_SERVER": audio.address]) { $1 } }

    /// Connects the headset, and makes it the output.
    func putOn() async throws {
        try await bluez.connect(headset.address)
        try await audio.addSink(
            Self.sink,
            [
                "api.bluez5.address": headset.address, "device.form_factor": "headset", "device.bus": "bluetooth",
                "device.description": "WH",
            ])
    }

    /// Disconnects the headset; the audio server notices as well.
    func takeOff() async throws {
        try await bluez.disconnect(headset.address)
        try await audio.removeSink(Self.sink)
    }

    /// Runs one in a home while `body` runs.
    static nonisolated(nonsending) func with<Value>(
        in home: TemporaryHome, _ body: nonisolated(nonsending) (HeadsetMachine) async throws -> Value
    ) async throws -> Value {
        try await withPrivateBus(.system) { system in
            try await withMockBlueZ(on: system) { bluez in
                try await bluez.add(.headset())
                return try await withPipeWire(in: home.runtime) { audio in
                    try await body(HeadsetMachine(system: system, bluez: bluez, audio: audio))
                }
            }
        }
    }
}
