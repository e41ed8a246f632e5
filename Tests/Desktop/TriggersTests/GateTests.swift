import HunchModel
import Testing

@testable import Triggers

@Suite("Route-ready gate: Bluetooth")
struct GateTests {
    private let phones = BluetoothDevice.phones

    @Test("A connected default sink is ready after the settle time")
    func usualOrder() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.wait(1)
        trace.audio([.speakers, phones.sink])
        trace.wait(2)
        trace.audio([phones.sink, .speakers])
        trace.wait(60)
        #expect(trace.log == ["9.0 ready Phones"])
        #expect(
            trace.holds == [
                "Phones: Sound cannot go to it yet.", "Phones: Sound goes to Built-in Audio.",
                "Phones: Sound has only just gone to it.",
            ])
        #expect(trace.status(of: phones.address)?.isReady == true)
        #expect(trace.status(of: phones.address)?.hold == nil)
    }

    @Test("A connection without a sink is never ready")
    func noSink() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.wait(3_600)
        #expect(trace.log.isEmpty)
        #expect(trace.status(of: phones.address)?.hold == .noOutput)
    }

    @Test("A sink before the connection is ready after the settle time")
    func sinkFirst() {
        var trace = Trace.settled()
        trace.audio([phones.sink, .speakers])
        trace.wait(20)
        #expect(trace.log.isEmpty)
        #expect(trace.status(of: phones.address)?.hold == .notConnected)
        trace.blueZ(phones.connected)
        trace.wait(20)
        #expect(trace.log == ["26.0 ready Phones"])
    }

    @Test("A disconnect while settling restarts the settle time")
    func tooShort() {
        var trace = Trace.settled()
        trace.audio([phones.sink])
        for _ in 0..<5 {
            trace.blueZ(phones.connected)
            trace.wait(0.9)
            trace.blueZ(phones)
            trace.wait(0.1)
        }
        #expect(trace.log.isEmpty)
        trace.blueZ(phones.connected)
        trace.wait(1)
        #expect(trace.log == ["11.0 ready Phones"])
    }

    @Test("A flapping default restarts the settle time")
    func defaultFlaps() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        for _ in 0..<4 {
            trace.audio([phones.sink, .speakers])
            trace.wait(0.5)
            trace.audio([.speakers, phones.sink])
            trace.wait(0.5)
        }
        #expect(trace.log.isEmpty)
        trace.audio([phones.sink, .speakers])
        trace.wait(5)
        #expect(trace.log == ["10.0 ready Phones"])
    }

    @Test(
        "A link that breaks every few seconds is ready once or twice, and once more when it is stable",
        arguments: [(12.0, 2), (45, 2), (70, 3), (90, 3)])
    func unstable(absence: Double, count: Int) {
        var trace = Trace.settled()
        for _ in 0..<10 {
            trace.blueZ(phones.connected)
            trace.audio([phones.sink])
            trace.wait(8)
            trace.blueZ(phones)
            trace.audio([.speakers])
            trace.wait(absence)
        }
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(60)
        #expect(trace.log.count { $0.contains(" ready ") } == count, "\(trace.log)")
    }

    @Test("A flapping link returns after ready and is not ready again")
    func flapping() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        for _ in 0..<10 {
            trace.blueZ(phones)
            trace.audio([.speakers])
            trace.wait(3)
            trace.blueZ(phones.connected)
            trace.audio([phones.sink])
            trace.wait(2)
        }
        #expect(trace.log.filter { $0.contains("ready") } == ["6.0 ready Phones"])
        #expect(trace.log.count { $0.contains("lost") } == 10)
        #expect(trace.log.count { $0.contains("returned") } == 10)
    }

    @Test("A link that flaps fast is not a new connection")
    func fastFlapping() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        for _ in 0..<40 {
            trace.blueZ(phones)
            trace.wait(0.5)
            trace.blueZ(phones.connected)
            trace.wait(0.5)
        }
        trace.wait(5)
        #expect(
            trace.log == ["6.0 ready Phones", "7.0 lost Phones", "47.5 returned Phones 0.5 seconds"])
    }

    @Test("A connection after a longer absence is ready again")
    func secondVisit() {
        var trace = Trace.settled()
        for _ in 0..<2 { trace.visit(phones, on: 2, off: 60) }
        #expect(
            trace.log == ["6.0 ready Phones", "7.0 lost Phones", "68.0 ready Phones", "69.0 lost Phones"])
    }

    @Test(
        "An unstable link is ready once, and again when it is stable",
        arguments: [
            [(8, 12)], [(2, 10)], [(10, 10)], [(20, 20)], [(5, 29)], [(29, 5)], [(29, 29)], [(3, 20), (12, 12)],
            [(8, 12), (4, 25), (6, 6)], [(1.5, 6)], [(15, 5.5), (9, 14)], [(8, 12), (8, 2)],
        ] as [[(on: Double, off: Double)]])
    func unstable(pattern: [(on: Double, off: Double)]) {
        var trace = Trace.settled(timing: GateTiming())
        trace.visit(phones, on: pattern.map(\.on).max() ?? 0, off: pattern[0].off)
        for _ in 0..<20 { for (on, off) in pattern { trace.visit(phones, on: on, off: off) } }
        #expect(trace.log.count { $0.contains("ready") } == 1, "\(trace.log)")
        trace.visit(phones, on: 300, off: 300)
        #expect(trace.log.count { $0.contains("ready") } == 2, "\(trace.log)")
        trace.visit(phones, on: 2, off: 0)
        #expect(trace.log.count { $0.contains("ready") } == 3, "it is stable: \(trace.log)")
    }

    @Test("Each connection on an unstable link is a return, and its end a loss")
    func unstableInUse() {
        var trace = Trace.settled(timing: GateTiming())
        for _ in 0..<3 { trace.visit(phones, on: 8, off: 12) }
        trace.visit(phones, on: 60, off: 0)
        #expect(
            trace.log == [
                "6.0 ready Phones", "13.0 lost Phones", "26.0 returned Phones 12.0 seconds", "33.0 lost Phones",
                "46.0 returned Phones 12.0 seconds", "53.0 lost Phones", "66.0 returned Phones 12.0 seconds",
                "81.0 ready Phones", "125.0 lost Phones",
            ])
    }

    @Test("A device on an unstable link has a hold of its own until the link holds")
    func unstableHold() {
        var trace = Trace.settled(timing: GateTiming())
        for _ in 0..<2 { trace.visit(phones, on: 8, off: 12) }
        trace.blueZ(phones.connected)
        trace.audio([phones.sink, .speakers])
        trace.wait(3)
        #expect(trace.status(of: phones.address)?.hold == .unstable)
        trace.wait(60)
        #expect(trace.status(of: phones.address)?.hold == nil)
    }

    @Test("A link that breaks for moments only continues its connection")
    func unstableBriefly() {
        var trace = Trace.settled(timing: GateTiming())
        for off in [1, 4, 4.9, 2, 3, 4, 1, 4, 0.5, 3] { trace.visit(phones, on: 6, off: off) }
        trace.visit(phones, on: 60, off: 0)
        #expect(trace.log.filter { $0.contains("ready") } == ["6.0 ready Phones"])
        #expect(trace.log.count { $0.contains("returned") } == 10)
    }

    @Test("Attempts to connect that never became ready delay nothing")
    func attempts() {
        var trace = Trace.settled(timing: GateTiming())
        for _ in 0..<5 { trace.visit(phones, on: 0.9, off: 8) }
        trace.visit(phones, on: 2, off: 0)
        #expect(trace.log.count { $0.contains("ready") } == 1)
    }

    @Test("Switching the output away and back changes nothing")
    func deliberateSwitch() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink, .speakers])
        trace.wait(2)
        trace.audio([.speakers, phones.sink])
        trace.wait(60)
        #expect(trace.status(of: phones.address)?.hold == .notDefault(current: "Built-in Audio"))
        #expect(trace.status(of: phones.address)?.isReady == false)
        trace.audio([phones.sink, .speakers])
        trace.wait(60)
        #expect(trace.log == ["6.0 ready Phones"])
        #expect(trace.status(of: phones.address)?.isReady == true)
    }

    @Test("Switching the output after an hour makes the device ready")
    func lateSwitch() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([.speakers, phones.sink])
        trace.wait(3_600)
        trace.audio([phones.sink, .speakers])
        trace.wait(2)
        #expect(trace.log == ["3606.0 ready Phones"])
    }

    @Test("A profile change is neither a loss nor a new connection")
    func profileChange() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        trace.audio([.speakers])
        trace.wait(30)
        trace.audio([phones.sink])
        trace.wait(30)
        #expect(trace.log == ["6.0 ready Phones"])
    }

    @Test("A device connected at start is ready only after a reconnect")
    func alreadyThere() {
        var trace = Trace()
        trace.blueZ(phones.connected)
        trace.wait(4)
        trace.audio([phones.sink])
        trace.wait(20)
        #expect(trace.log.isEmpty)
        #expect(trace.status(of: phones.address)?.hold == .alreadyThere)
        #expect(trace.status(of: phones.address)?.isReady == true)
        trace.blueZ(phones)
        trace.wait(20)
        trace.blueZ(phones.connected)
        trace.wait(2)
        #expect(trace.log == ["24.0 lost Phones", "45.0 ready Phones"])
    }

    @Test("A BlueZ restart is a return, not a new connection")
    func blueZRestart() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        trace.blueZ(.absent)
        trace.audio([.speakers])
        trace.wait(1)
        trace.blueZ()
        trace.blueZ(phones)
        trace.wait(3)
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(20)
        #expect(trace.log == ["6.0 ready Phones", "7.0 lost Phones", "12.0 returned Phones 4.0 seconds"])
    }

    @Test("A system bus restart while the sink stays changes nothing")
    func busDrops() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        trace.blueZ(.unreachable("the bus closed the connection"))
        trace.wait(60)
        trace.blueZ(phones.connected)
        trace.wait(60)
        #expect(trace.log == ["6.0 ready Phones"])
    }

    @Test("Without BlueZ the sink is enough")
    func withoutBlueZ() {
        for state in [BlueZState.absent, .unreachable("no bus")] {
            var trace = Trace()
            trace.blueZ(state)
            trace.audio([.speakers])
            trace.wait(5)
            trace.audio([phones.sink])
            trace.wait(5)
            trace.audio([.speakers])
            trace.wait(5)
            #expect(trace.log == ["6.0 ready Phones", "10.0 lost Phones"])
        }
    }

    @Test("An audio server restart is neither loss nor new connection")
    func audioRestart() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        trace.audioGone()
        #expect(trace.status(of: phones.address)?.hold == .audioServerUnreachable)
        trace.wait(30)
        trace.audio([.nothing])
        trace.wait(1)
        trace.audio([phones.sink])
        trace.wait(30)
        #expect(trace.log == ["6.0 ready Phones"])
    }

    @Test("A disconnect without an audio server is lost at once")
    func goesDuringRestart() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        trace.audioGone()
        trace.blueZ(phones)
        #expect(trace.log == ["6.0 ready Phones", "7.0 lost Phones"])
    }

    @Test("Removal from BlueZ without an audio server is a loss")
    func removed() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(2)
        trace.audioGone()
        trace.blueZ()
        #expect(trace.log == ["6.0 ready Phones", "7.0 lost Phones"])
        trace.wait(60)
        #expect(trace.status(of: phones.address) == nil)
    }

    @Test("A second device becomes ready without losing the first")
    func twoDevices() {
        let car = BluetoothDevice.car
        var trace = Trace.settled(known: [phones, car])
        trace.blueZ(phones.connected, car.connected)
        trace.audio([phones.sink, car.sink])
        trace.wait(5)
        trace.audio([car.sink, phones.sink])
        trace.wait(5)
        trace.blueZ(phones.connected, car)
        trace.audio([phones.sink])
        trace.wait(5)
        #expect(trace.log == ["6.0 ready Phones", "11.0 ready Car", "15.0 lost Car"])
    }

    @Test("A device renamed while settling is one device")
    func renamed() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.sink])
        trace.wait(0.5)
        trace.blueZ(phones.named("Mine").connected)
        trace.wait(5)
        trace.blueZ(phones.named("Yours").connected)
        trace.wait(5)
        #expect(trace.log == ["6.0 ready Mine"])
        #expect(trace.status(of: phones.address)?.device.name == "Yours")
    }

    @Test("A device in BlueZ and audio takes name and kind from BlueZ")
    func oneDevice() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([phones.named("bluez sink").sink])
        #expect(
            trace.gate.devices.map(\.device) == [
                AudioDevice(id: AudioDevice.ID(phones.address), name: "Phones", kind: .headset, transport: .bluetooth)
            ])
    }

    @Test("A filter passes on the default only if it names its target")
    func filters() {
        var trace = Trace.settled()
        trace.blueZ(phones.connected)
        trace.audio([.filter, phones.sink])
        trace.wait(5)
        #expect(trace.log.isEmpty)
        #expect(trace.status(of: phones.address)?.hold == .notDefault(current: "Echo Cancel"))
        trace.audio([.filter(before: phones.sink), phones.sink])
        trace.wait(5)
        #expect(trace.log == ["11.0 ready Phones"])
        #expect(trace.gate.devices.count == 1)
    }
}
