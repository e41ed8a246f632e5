import HunchModel
import Testing

@testable import Triggers

@Suite("Route-ready gate: sound that comes back")
struct RegainedSoundTests {
    private let phones = BluetoothDevice.phones

    @Test("Sound that comes back to a device is reported, and is not a trigger")
    func regained() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink, .speakers])
        trace.wait(5)
        #expect(trace.log.count == 1 && trace.regained.isEmpty)
        for _ in 0..<2 {
            trace.audio([.speakers, phones.sink])
            trace.wait(1)
            trace.audio([phones.sink, .speakers])
        }
        trace.wait(5)
        #expect(trace.log.count == 1 && trace.regained.count == 2, "\(trace.regained)")
        // A reconnect is an event of its own.
        trace.blueZ(phones)
        trace.wait(1)
        trace.blueZ(phones.connected)
        trace.wait(5)
        #expect(trace.log.count == 3 && trace.regained.count == 2, "\(trace.log), \(trace.regained)")
    }
}
