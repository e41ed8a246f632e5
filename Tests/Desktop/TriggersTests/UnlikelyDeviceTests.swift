import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Triggers

/// Sound cards of USB devices that are not headphones.
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

    @Test("A gamepad is not a device, unless something is plugged into it")
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

    @Test("A USB headset is recognised with and without ports")
    func headset() {
        let output = AudioPort(name: "analog-output", description: "Analog Output", type: 22, isActive: true)
        for name in [
            "Jabra EVOLVE 20", "G533 Gaming Headset", "Plantronics Blackwire 3220", "Razer Kraken",
            "Razer BlackShark V2", "Turtle Beach Stealth 700",
        ] {
            #expect(found(card(name, formFactor: "headset", ports: [output])).map(\.kind) == [.headset], "\(name)")
        }
    }

    @Test("A USB headset that is replugged continues its connection")
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

    private static let device = "devices/pci0000:00/0000:00:14.0/usb1/1-2"

    /// Returns a sound card that has a path in the kernel's tree of devices.
    private func card(_ product: String, at path: String) -> AudioOutput {
        var output = card(product, formFactor: "headset")
        output.properties["sysfs.path"] = path
        return output
    }

    @Test(
        "A joystick on the same USB device makes it a gamepad",
        arguments: [
            ("1-2:1.3/0003:054C:0CE6.0005/input/input30/js0", true), ("1-2:1.0/input/input9/js1", true),
            ("1-2:1.0/gip0/gip0.0/input/input9/js12", true), ("1-2:1.3/input/input30/json", false),
            ("1-2:1.3/0003:1532:0527.0005/input/input30/event5", false), ("1-2:1.3/hidraw/js0", false),
            ("../1-3/1-3:1.0/input/input7/js0", false), ("1-2:1.0/a/b/c/d/e/input/input7/js0", false),
        ])
    func joysticks(path: String, isGamepad: Bool) async throws {
        try await withTemporaryDirectory { directory in
            try directory.write("1", to: "\(Self.device)/1-2:1.0/sound/card1/number")
            try directory.write("13:0", to: "\(Self.device)/\(path)/dev")
            for prefix in ["/", "/sys/"] {
                var finder = JoystickFinder(root: directory.path)
                let card = "\(prefix)\(Self.device)/1-2:1.0/sound/card1"
                for name in ["Mystery Pad", "Razer BlackShark V2", "Razer Kraken", "Turtle Beach Stealth 700"] {
                    let marked = finder.mark([self.card(name, at: card)])
                    #expect(marked.flatMap(found).isEmpty == isGamepad, "\(name)")
                }
            }
        }
    }

    @Test("Links and paths outside the devices find no joystick")
    func strangePaths() async throws {
        try await withTemporaryDirectory { directory in
            try directory.write("13:0", to: "\(Self.device)/1-2:1.0/input/input7/js0/dev")
            try directory.write("13:0", to: "etc/1-2/1-2:1.0/input/input7/js0/dev")
            try directory.write("1", to: "devices/1-3/1-3:1.0/sound/card1/number")
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("devices/1-3/port"),
                withDestinationPath: directory.file("\(Self.device)/1-2:1.0/input"))
            var finder = JoystickFinder(root: directory.path)
            for path in [
                "/devices/1-3/1-3:1.0/sound/card1", "/etc/1-2/1-2:1.0/sound/card1", "/devices/sound/card1", "/sound",
                "", "/devices/../etc/1-2/1-2:1.0/sound/card1", "/devices/pci0000:00/0000:00:14.0/sound/card0",
                "/sys/sys", "/devices/1-2:1.0/sound/card1", "/\(Self.device)/1-2:1.0/card1",
                "/devices/gone/gone:1.0/sound/card1",
            ] { #expect(finder.mark([card("Razer Kraken", at: path)]).map(\.isJoystick) == [false], "\(path)") }
            #expect(finder.mark([card("X", at: "/\(Self.device)/1-2:1.0/sound/card1")]).map(\.isJoystick) == [true])
        }
    }

    @Test("A sound card is looked up once, and again after it was away")
    func lookups() async throws {
        try await withTemporaryDirectory { directory in
            try directory.write("13:0", to: "\(Self.device)/1-2:1.0/input/input7/js0/dev")
            let pad = card("Mystery Pad", at: "/\(Self.device)/1-2:1.0/sound/card1")
            var finder = JoystickFinder(root: directory.path)
            #expect(finder.mark([.speakers, pad]).map(\.isJoystick) == [false, true])
            try FileManager.default.removeItem(atPath: directory.file("devices"))
            #expect(finder.mark([pad, .speakers]).map(\.isJoystick) == [true, false])
            // Another device in the same socket.
            let headset = card("Mystery Headset", at: "/\(Self.device)/1-2:1.0/sound/card1")
            #expect(finder.mark([headset]).map(\.isJoystick) == [false])
            #expect(finder.mark([pad]).map(\.isJoystick) == [false])
        }
    }
}
