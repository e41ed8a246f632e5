import HunchModel
import Testing

@testable import Triggers

@Suite("Device kinds")
struct DeviceKindTests {
    @Test("Known devices yield their kind")
    func known() {
        let cases: [(DeviceClues, AudioDevice.Kind)] = [
            (DeviceClues(services: [0x110b, 0x111e], deviceClass: 0x24_0404, icon: "audio-headset"), .headset),
            (DeviceClues(services: [0x110b], deviceClass: 0x24_0418, icon: "audio-headphones"), .headphones),
            (DeviceClues(services: [0x110b], deviceClass: 0x24_0414, icon: "audio-card"), .speaker),
            (DeviceClues(services: [0x110b], deviceClass: 0x24_0420, icon: "audio-card"), .car),
            // Head units declare the hands-free service. Access to the phone book distinguishes them from a headset.
            (DeviceClues(services: [0x110b, 0x111e, 0x112e], deviceClass: 0x34_0408, icon: "audio-headset"), .car),
            (DeviceClues(services: [0x111e], deviceClass: 0x34_0408, icon: "audio-headset"), .headset),
            (DeviceClues(services: [0x184e, 0x1850], appearance: 0x0941), .earbuds),
            (DeviceClues(services: [0x110b, 0x1846], deviceClass: 0x24_0404, icon: "audio-headset"), .earbuds),
            (DeviceClues(services: [0x184e, 0x1854], appearance: 0x0941), .hearingAid),
            (DeviceClues(services: [0xfdf0]), .hearingAid), (DeviceClues(appearance: 0x0a41), .hearingAid),
            (DeviceClues(appearance: 0x0842), .speaker), (DeviceClues(appearance: 0x0943), .headphones),
            (DeviceClues(appearance: 0x08c1), .car), (DeviceClues(appearance: 0x0a01), .display),
            (DeviceClues(icon: "audio-headphones"), .headphones), (DeviceClues(formFactor: "headphone"), .headphones),
            (DeviceClues(formFactor: "car"), .car), (DeviceClues(formFactor: "tv"), .display),
            (DeviceClues(appearance: 0x0088), .dock), (DeviceClues(productName: "ThinkPad USB-C Dock Gen2"), .dock),
            (DeviceClues(productName: "Dell Universal DOCKING station"), .dock),
            (DeviceClues(productName: "Docker Headset"), .other),
            // udev's rule takes “Headphone” in a name for headphones.
            (DeviceClues(formFactor: "headphone", productName: "FiiO Headphone Amp"), .other),
            (DeviceClues(formFactor: "headphone", productName: "Schiit Headphone DAC/Amplifier"), .other),
            (DeviceClues(productName: "USB-C Audio DAC"), .other), (DeviceClues(productName: "Sabre USB DAC"), .other),
            (DeviceClues(formFactor: "headset", productName: "Jabra EVOLVE 20 Headset"), .headset),
            (DeviceClues(formFactor: "headphone", productName: "AKG Headphones"), .headphones),
            // Evidence from Bluetooth precedes that of the audio server.
            (DeviceClues(deviceClass: 0x24_0420, formFactor: "headset"), .car),
            (DeviceClues(portType: 3), .headphones), (DeviceClues(portType: 10), .display),
            (DeviceClues(portName: "[Out] Headphones"), .headphones),
            (DeviceClues(portName: "hdmi-output-1"), .display),
            (DeviceClues(), .other), (DeviceClues(services: [0x110b]), .other),
            (DeviceClues(deviceClass: 0x5a_020c, icon: "phone"), .other), (DeviceClues(formFactor: "internal"), .other),
        ]
        for (clues, kind) in cases { #expect(clues.kind == kind, "\(clues)") }
    }

    @Test("Only audio outputs count as playing sound")
    func playsSound() {
        #expect(DeviceClues(services: [0x110b]).playsSound)
        #expect(DeviceClues(deviceClass: 0x24_0414).playsSound)
        // A phone sends sound but receives none; a keyboard does neither.
        #expect(!DeviceClues(services: [0x110a, 0x111f, 0x1112], deviceClass: 0x5a_020c, icon: "phone").playsSound)
        #expect(!DeviceClues(services: [0x1124], deviceClass: 0x00_2540, icon: "input-keyboard").playsSound)
        #expect(!DeviceClues().playsSound)
    }

    @Test("Gamepads are known by class, icon, appearance or name")
    func gamepads() {
        for name in [
            "DualSense Wireless Controller", "DualSense wireless controller (PS5)", "Wireless Controller",
            "DualSense Edge Wireless Controller", "Xbox One S Controller", "Controller", "Xbox Wireless Controller",
            "PDP Wired Controller for Xbox Series X", "Stadia Controller rev. A", "Turtle Beach Recon Controller",
            "USB Gamepad", "Razer Wolverine V2 Controller", "DUALSHOCK 4 USB Wireless Adaptor", "Razer Wolverine V2",
            "8BitDo Ultimate 2C", "8BitDo SN30 Pro", "NACON Revolution 5 Pro", "PowerA Fusion Pro 3", "GameSir-G7 SE",
            "Backbone One", "Razer Kishi Ultra", "HyperX Clutch Gladiate", "ASUS ROG Raikiri Pro", "Flydigi Vader 4",
            "Victrix Pro BFG", "Mad Catz FightStick TE 2", "Turtle Beach REACT-R", "Thrustmaster eSwap X Pro",
        ] { #expect(DeviceClues(productName: name).isGamepad, "\(name)") }
        for name in [
            "USB Audio Controller", "Realtek USB Sound Controller", "FiiO K5 Pro", "Arctis 7", "Jabra Link 370",
            "G533 Gaming Headset", "ThinkPad USB-C Dock Gen2", "Scarlett 2i2 USB", "Sound BlasterX G6",
            "Corsair VOID PRO Wireless Gaming Headset", "USB Audio Device", "", "Razer Kraken",
            "Razer BlackShark V2 Pro", "Turtle Beach Stealth 700", "Turtle Beach Recon 500", "HyperX Cloud II",
            "Nacon RIG 800 PRO HX", "PowerA Fusion Wired Gaming Headset", "8BitDo Retro Cube Speaker",
            "GuliKit Route Air", "SCUF H1", "Steam Deck", "Steam Deck Docking Station", "Bose Revolution",
            "Harman Backbone", "Joystick Headphones",
        ] { #expect(!DeviceClues(productName: name).isGamepad, "\(name)") }
        // With the kernel's joystick. A headset has one by mistake.
        #expect(DeviceClues(productName: "Mystery Pad", isJoystick: true).isGamepad)
        #expect(!DeviceClues(productName: "Mystery Headset", isJoystick: true).isGamepad)
        // Even if it claims to play sound.
        for gamepad in [
            DeviceClues(services: [0x1124, 0x1108], deviceClass: 0x00_2508, icon: "input-gaming"),
            DeviceClues(services: [0x110b], deviceClass: 0x00_0504),
            DeviceClues(services: [0x110b], appearance: 0x03c4),
        ] { #expect(!gamepad.playsSound, "\(gamepad)") }
        #expect(DeviceClues(services: [0x110b, 0x1124], deviceClass: 0x24_0404, icon: "audio-headset").playsSound)
    }

    @Test("No kind rule is shadowed by an earlier one")
    func noDeadRule() {
        for (index, rule) in KindRule.all.enumerated() {
            var clues = DeviceClues()
            switch rule.evidence {
            case .service(let number): clues.services = [number]
            case .appearance(let range): clues.appearance = range.upperBound
            case .minorClass(let minor, let service):
                clues.deviceClass = 0x0400 | minor << 2
                clues.services = service.map { [$0] } ?? []
            case .icon(let name): clues.icon = name
            case .formFactor(let name): clues.formFactor = name
            case .productName(let word): clues.productName = "Maker USB-C \(word) G2"
            case .portType(let type): clues.portType = type
            case .portName(let part): clues.portName = part
            }
            #expect(KindRule.all.firstIndex { $0.fits(clues) } == index, "\(rule)")
        }
    }
}
