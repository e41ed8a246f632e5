import HunchModel
import Testing

@testable import Triggers

/// Sound cards of USB devices that are no headphones.
@Suite("Gamepads and DACs") struct UnlikelyDeviceTests {
    private func card(_ product: String, formFactor: String? = nil, ports: [AudioPort] = []) -> AudioOutput {
        let name = product.split(separator: " ").joined(separator: "_")
        var properties = ["device.bus": "usb", "device.product.name": product]
        properties["device.form_factor"] = formFactor
        return AudioOutput(
            name: "alsa_output.usb-Maker_\(name)-00.analog-stereo", description: product + " Analog Stereo",
            properties: properties, ports: ports)
    }

    private func found(_ output: AudioOutput) -> [AudioDevice] {
        let outputs = AudioOutput.mark(default: output.name, in: [output])
        return DeviceSighting.all(.absent, .present(outputs)).values.map(\.device)
    }

    @Test("A gamepad is no device, unless something is plugged into it")
    func gamepad() {
        let quad = AudioPort(name: "analog-output", description: "Analog Output", type: 22, isActive: true)
        for name in ["DualSense Wireless Controller", "Wireless Controller", "Xbox Wireless Controller"] {
            #expect(found(card(name)).isEmpty && found(card(name, ports: [quad])).isEmpty, "\(name)")
            #expect(found(card(name, formFactor: "headset")).isEmpty, "\(name)")
        }
        // The UCM profile of alsa-ucm-conf 1.2.15 with Linux 6.18, which watches the socket.
        func withSocket(_ availability: AudioPort.Availability) -> AudioOutput {
            card(
                "DualSense Wireless Controller",
                ports: [
                    AudioPort(name: "[Out] Headphones", description: "Headphones", type: 3, availability: availability),
                    AudioPort(name: "[Out] Speaker", description: "Speaker", type: 2, isActive: availability == .no),
                ])
        }
        #expect(found(withSocket(.no)).isEmpty)
        #expect(found(withSocket(.yes)).map(\.kind) == [.headphones])
    }

    @Test(
        "A DAC is a device of no special kind",
        arguments: [
            ("FiiO K5 Pro", nil), ("FiiO Headphone Amp", "headphone"), ("Schiit Modi 3+", nil), ("SMSL USB DAC", nil),
            ("Scarlett 2i2 USB", nil), ("Sound BlasterX G6", nil), ("USB Audio Controller", nil), ("Topping D10s", nil),
            ("USB-C Headphone DAC", "headphone"), ("UMC202HD 192k", nil), ("AudioQuest DragonFly Black", nil),
        ] as [(String, String?)])
    func dac(name: String, formFactor: String?) {
        let headphones = AudioPort(
            name: "analog-output-headphones", description: "Headphones", type: 3, isActive: true)
        for ports in [[], [headphones]] {
            #expect(found(card(name, formFactor: formFactor, ports: ports)).map(\.kind) == [.other], "\(ports)")
        }
    }

    @Test("A USB headset is one, with and without ports")
    func headset() {
        let output = AudioPort(name: "analog-output", description: "Analog Output", type: 22, isActive: true)
        for name in ["Jabra EVOLVE 20", "G533 Gaming Headset", "Plantronics Blackwire 3220"] {
            #expect(found(card(name, formFactor: "headset", ports: [output])).map(\.kind) == [.headset], "\(name)")
        }
    }

    @Test("A USB headset that is plugged in anew continues its connection")
    func replugged() {
        var trace = Trace()
        trace.blueZ(.absent)
        trace.audio([.speakers])
        trace.wait(5)
        var again = AudioOutput.usb
        again.name = "alsa_output.usb-Maker_Headset_01-00.2.analog-stereo"
        trace.audio([.usb, .speakers])
        trace.wait(20)
        trace.audio([.speakers])
        trace.wait(3)
        trace.audio([again, .speakers])
        trace.wait(20)
        #expect(
            trace.log == ["6.0 ready USB Headset", "25.0 lost USB Headset", "29.0 returned USB Headset 3.0 seconds"])
    }
}
