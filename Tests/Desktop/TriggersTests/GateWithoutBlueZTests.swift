import HunchModel
import Testing

@testable import Triggers

@Suite("Route-ready gate: jack, USB, software")
struct GateWithoutBlueZTests {
    private let jack = "alsa_output.pci-0000_00_1f.3#analog-output-headphones"

    @Test("Headphones are ready after plugging, lost after unplugging")
    func plug() {
        var trace = Trace.settled(known: [])
        trace.audio([.card(headphones: .yes, active: "analog-output-speaker")])
        trace.wait(5)
        #expect(trace.log.isEmpty)
        #expect(trace.status(of: jack)?.hold == .notDefault(current: "Built-in Audio"))
        trace.audio([.card(headphones: .yes)])
        trace.wait(5)
        trace.audio([.speakers])
        trace.wait(5)
        #expect(trace.log == ["11.0 ready Headphones", "15.0 lost Headphones"])
        #expect(trace.gate.devices.isEmpty)
    }

    @Test("Several changes of one plug make the device ready once")
    func onePlugManyEvents() {
        var trace = Trace.settled(known: [])
        trace.audio([.card(headphones: .yes, active: "analog-output-speaker")])
        for _ in 0..<4 { trace.audio([.card(headphones: .yes)]) }
        trace.wait(0.02)
        for _ in 0..<2 { trace.audio([.card(headphones: .yes)]) }
        trace.wait(20)
        #expect(trace.log == ["6.0 ready Headphones"])
    }

    @Test("Headphones plugged at start, or found late, are not ready")
    func pluggedFromStart() {
        var trace = Trace()
        trace.audio([.nothing])
        trace.wait(2)
        trace.audio([.card(headphones: .yes)])
        trace.wait(20)
        #expect(trace.log.isEmpty)
        #expect(trace.status(of: jack)?.hold == .alreadyThere)
    }

    @Test("Only devices that a long-running server has at the start count as already present")
    func plugJustAfterStart() {
        var trace = Trace()
        trace.audio([.usb, .speakers], age: 600)
        trace.wait(2)
        trace.audio([.card(headphones: .yes), .usb], age: 602)
        trace.wait(20)
        #expect(trace.log == ["3.0 ready Headphones"])
        #expect(trace.gate.devices.first { $0.device.name == "USB Headset" }?.isConnected == true)
        // One that started two seconds before has a second left to find its devices.
        var starting = Trace()
        starting.audio([.nothing], age: 2)
        starting.wait(0.9)
        starting.audio([.card(headphones: .yes)], age: 2.9)
        starting.wait(0.2)
        starting.audio([.usb, .card(headphones: .yes)], age: 3.1)
        starting.wait(20)
        #expect(
            starting.log.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == ["ready USB Headset"])
    }

    @Test("A card without plug detection is not a device")
    func unknownAvailability() {
        var trace = Trace.settled(known: [])
        trace.audio([.card(headphones: .unknown, active: "analog-output-headphones")])
        trace.wait(20)
        #expect(trace.log.isEmpty)
        #expect(trace.gate.devices.isEmpty)
    }

    @Test("A USB headset is ready by its sink alone")
    func usb() {
        var trace = Trace.settled(known: [])
        trace.audio([.usb, .speakers])
        trace.wait(20)
        trace.audio([.speakers])
        #expect(trace.log == ["6.0 ready USB Headset", "25.0 lost USB Headset"])
    }

    @Test("An audio server restart loses only devices that are missing")
    func restart() {
        var trace = Trace.settled(known: [])
        trace.audio([.usb, .card(headphones: .yes)])
        trace.wait(5)
        trace.audio([.card(headphones: .yes), .usb])
        trace.wait(5)
        trace.audioGone()
        trace.wait(60)
        trace.audio([.nothing])
        trace.wait(2)
        trace.audio([.card(headphones: .yes)])
        trace.wait(60)
        #expect(trace.log == ["6.0 ready USB Headset", "11.0 ready Headphones", "78.0 lost USB Headset"])
    }

    @Test("Virtual sinks are ignored")
    func virtualSinks() {
        var trace = Trace.settled(known: [])
        for output in [AudioOutput.nothing, .filter, .filter(before: .speakers)] {
            trace.audio([output, .speakers])
            trace.wait(20)
            trace.audio([.speakers])
            trace.wait(20)
        }
        #expect(trace.log.isEmpty)
        #expect(trace.holds.isEmpty)
    }

    @Test("A filter chain passes on the default, and a loop ends")
    func filterChains() {
        let chained = [AudioOutput.filter(before: .usb), .usb]
        #expect(AudioOutput.mark(default: "echo-cancel", in: chained).allSatisfy { $0.isDefault })
        var ring = AudioOutput.filter(before: .filter)
        ring.properties["device.master_device"] = ring.name
        #expect(AudioOutput.mark(default: ring.name, in: [ring, .usb]).map(\.isDefault) == [true, false])
    }

    @Test("A monitor on HDMI is a display named by its product")
    func display() {
        let hdmi = AudioOutput(
            name: "alsa_output.pci-0000_01_00.1.hdmi-stereo", description: "HDMI",
            properties: ["device.bus": "pci"],
            ports: [
                AudioPort(
                    name: "hdmi-output-0", description: "ACME 27", type: 10, availability: .yes, isActive: true)
            ])
        var trace = Trace.settled(known: [])
        trace.audio([hdmi])
        trace.wait(2)
        #expect(trace.log == ["6.0 ready ACME 27"])
        #expect(
            trace.gate.devices.map(\.device) == [
                AudioDevice(
                    id: "alsa_output.pci-0000_01_00.1#hdmi-output-0", name: "ACME 27", kind: .display, transport: .hdmi)
            ])
    }

    @Test(
        "Only a display may return after sleep within an hour")
    func displaySleep() {
        let hdmi = AudioOutput(
            name: "hdmi", description: "HDMI", properties: ["device.bus": "pci"],
            ports: [AudioPort(name: "hdmi-output-0", description: "TV", type: 10, availability: .yes, isActive: true)])
        var trace = Trace.settled(known: [])
        for outputs in [[hdmi], [AudioOutput.usb]] {
            for absence in [3_590.0, 3_600.0] {
                trace.audio(outputs)
                trace.wait(10)
                trace.audio([.speakers])
                trace.wait(absence)
            }
            trace.audio(outputs)
            trace.wait(10)
            trace.audio([.speakers])
            trace.wait(10)
        }
        let words = trace.log.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(
            words == [
                "ready TV", "lost TV", "returned TV 3590.0 seconds", "lost TV", "ready TV", "lost TV",
                "ready USB Headset", "lost USB Headset", "ready USB Headset", "lost USB Headset", "ready USB Headset",
                "lost USB Headset",
            ], "\(words)")
    }

    @Test("A USB device with many sinks and profiles is one device")
    func usbNames() {
        func identifiers(_ names: String...) -> Set<AudioDevice.ID> {
            var trace = Trace.settled(known: [])
            trace.audio(
                names.map { AudioOutput(name: $0, description: "A", properties: ["device.bus": "usb"]) })
            return Set(trace.gate.devices.map(\.device.id))
        }
        let card = "alsa_output.usb-Maker_v1.0-00"
        #expect(identifiers(card + ".stereo-game", card + ".stereo-chat") == [AudioDevice.ID(card)])
        #expect(identifiers(card + ".pro-output-0", card + ".iec958-stereo") == [AudioDevice.ID(card)])
        #expect(identifiers("alsa_output.usb-A.x", "alsa_output.usb-B.x").count == 2)
        #expect(identifiers("usb_speaker.mine", "alsa_output.card") == ["usb_speaker.mine", "alsa_output.card"])
    }

    @Test("At rest there is no deadline")
    func noDeadline() {
        var trace = Trace.settled(known: [])
        #expect(trace.gate.nextDeadline == nil)
        trace.audio([.usb])
        #expect(trace.gate.nextDeadline == trace.now + .seconds(1))
        trace.wait(1)
        #expect(trace.gate.nextDeadline == nil)
    }
}
