import HunchModel
import Testing

@testable import Triggers

@Suite("Route-ready gate: a Bluetooth sink without an address")
struct NamelessSinkTests {
    private let phones = BluetoothDevice.phones
    private let sink = AudioOutput(
        name: "phones", description: "phones",
        properties: ["device.bus": "bluetooth", "device.form_factor": "headphone"])

    @Test("The sink belongs to the only connected device")
    func belongsToConnectedDevice() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([sink, .speakers])
        trace.wait(10)
        #expect(trace.log == ["6.0 ready Phones"])
        #expect(trace.status(of: phones.address)?.isReady == true)
        #expect(trace.status(of: "phones") == nil)
    }

    @Test("Without a connected device the sink waits for one")
    func waitsForConnection() {
        var trace = Trace.settled()
        trace.audio([sink, .speakers])
        trace.wait(10)
        #expect(trace.log.isEmpty)
        trace.blueZ(phones.connected)
        trace.wait(10)
        #expect(trace.log == ["16.0 ready Phones"])
    }

    @Test("The sink is lost and ready again with its device")
    func comesAgain() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([sink, .speakers])
        trace.wait(10)
        trace.blueZ(phones)
        trace.audio([.speakers])
        trace.wait(60)
        trace.blueZ(phones.connected)
        trace.audio([sink, .speakers])
        trace.wait(10)
        #expect(trace.log == ["6.0 ready Phones", "15.0 lost Phones", "76.0 ready Phones"])
    }
}
