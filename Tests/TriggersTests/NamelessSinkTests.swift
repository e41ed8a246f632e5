import HunchModel
import Testing

@testable import Triggers

@Suite("Route-ready gate: a Bluetooth sink that names no address")
struct NamelessSinkTests {
    private let phones = BluetoothDevice.phones
    private let sink = AudioOutput(
        name: "phones", description: "phones",
        properties: ["device.bus": "bluetooth", "device.form_factor": "headphone"])

    @Test("belongs to the only connected device: one device, ready once")
    func belongsToConnectedDevice() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([sink, .speakers])
        trace.wait(10)
        #expect(trace.log == ["6.0 ready Phones"])
        #expect(trace.status(of: phones.address)?.isReady == true)
        #expect(trace.status(of: "phones") == nil)
    }

    @Test("is nobody's while nothing is connected: held, and ready after the connection")
    func waitsForConnection() {
        var trace = Trace.settled()
        trace.audio([sink, .speakers])
        trace.wait(10)
        #expect(trace.log.isEmpty)
        trace.blueZ(phones.connected)
        trace.wait(10)
        #expect(trace.log == ["16.0 ready Phones"])
    }

    @Test("goes with its device, and comes again with it")
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
