import HunchModel
import Testing

@testable import Triggers

@Suite("Sink properties")
struct AudioOutputTests {
    @Test("The Bluetooth address is read from either audio server")
    func addresses() {
        let cases: [(String, [String: String], String?)] = [
            ("x", ["api.bluez5.address": "aa:bb:cc:dd:ee:ff"], "AA:BB:CC:DD:EE:FF"),
            ("x", ["device.bus": "bluetooth", "device.string": "AA:BB:CC:DD:EE:FF"], "AA:BB:CC:DD:EE:FF"),
            ("x", ["device.api": "bluez", "device.string": "AA:BB:CC:DD:EE:FF"], "AA:BB:CC:DD:EE:FF"),
            ("bluez_output.AA_BB_CC_DD_EE_FF.1", [:], "AA:BB:CC:DD:EE:FF"),
            ("bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink", [:], "AA:BB:CC:DD:EE:FF"),
            ("bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink.monitor", [:], "AA:BB:CC:DD:EE:FF"),
            // A sound card's device.string is not an address, whatever it looks like.
            ("x", ["device.string": "AA:BB:CC:DD:EE:FF", "device.bus": "pci"], nil),
            ("bluez_output.AA_BB_CC_DD_EE.1", [:], nil), ("bluez_output", [:], nil), ("", [:], nil),
            ("bluez_output.AA_BB_CC_DD_EE_GG.1", [:], nil), ("x", ["api.bluez5.address": ""], nil),
            ("x", ["api.bluez5.address": "AA:BB:CC:DD:EE:FF:00"], nil),
            ("my.AA_BB_CC_DD_EE_FF.1", [:], nil), ("x", ["api.bluez5.address": "ＡＡ:BB:CC:DD:EE:FF"], nil),
        ]
        for (name, properties, address) in cases {
            let output = AudioOutput(name: name, description: "", properties: properties)
            #expect(output.bluetoothAddress == address, "\(name) \(properties)")
        }
    }

    @Test("All profiles and sinks of a sound card share one name")
    func deviceNames() {
        let cases = [
            ("alsa_output.pci-0000_01_00.1.hdmi-stereo", "alsa_output.pci-0000_01_00.1"),
            ("alsa_output.pci-0000_01_00.1.hdmi-surround71", "alsa_output.pci-0000_01_00.1"),
            ("alsa_card.pci-0000_01_00.1", "alsa_output.pci-0000_01_00.1"),
            (
                "alsa_output.pci-0000_00_1f.3-platform-sof.HiFi__Headphones__sink",
                "alsa_output.pci-0000_00_1f.3-platform-sof"
            ),
            ("alsa_output.usb-Maker_Headset-00.analog-stereo", "alsa_output.usb-Maker_Headset-00"),
            ("alsa_output.usb-Maker_Headset-00.analog-stereo.2", "alsa_output.usb-Maker_Headset-00"),
            // PipeWire numbers a card that is plugged in while the old one is still being removed.
            ("alsa_output.usb-Maker_Headset-00.2.analog-stereo", "alsa_output.usb-Maker_Headset-00"),
            ("alsa_output.usb-Maker_Headset-00.12.analog-stereo.3", "alsa_output.usb-Maker_Headset-00"),
            ("alsa_card.usb-Maker_Headset-00.2", "alsa_output.usb-Maker_Headset-00"),
            (
                "alsa_output.usb-Apple__Inc._EarPods_ABC-00.2.analog-stereo",
                "alsa_output.usb-Apple__Inc._EarPods_ABC-00"
            ),
            (
                "alsa_output.usb-Logitech_G533_Gaming_Headset-00.3.iec958-stereo",
                "alsa_output.usb-Logitech_G533_Gaming_Headset-00"
            ),
            ("alsa_output.usb-SteelSeries_Arctis_7-00.2.stereo-game", "alsa_output.usb-SteelSeries_Arctis_7-00"),
            ("alsa_output.usb-Jabra_Link_370_50C2ED-00.2.mono-fallback", "alsa_output.usb-Jabra_Link_370_50C2ED-00"),
            ("alsa_output.usb-Corsair_VOID_v1.5-00.2.pro-output-0", "alsa_output.usb-Corsair_VOID_v1.5-00"),
            ("alsa_output.usb-Sony_PULSE_3D-01.4.HiFi__Headset__sink", "alsa_output.usb-Sony_PULSE_3D-01"),
            ("alsa_output.usb-0d8c_USB_Audio-00.2.analog-surround-51", "alsa_output.usb-0d8c_USB_Audio-00"),
            // The numbers in the addresses of PCI and platform cards stay.
            ("alsa_output.pci-0000_00_1f.3.analog-stereo.2", "alsa_output.pci-0000_00_1f.3"),
            ("alsa_output.platform-snd.2.analog-stereo", "alsa_output.platform-snd.2"),
            ("alsa_output.hw_0", "alsa_output.hw_0"), ("jack.analog-stereo", "jack.analog-stereo"),
            ("alsa_card", "alsa_card"),
            ("alsa_output..", "alsa_output."), ("", ""),
        ]
        for (name, device) in cases {
            #expect(AudioOutput(name: name, description: "").deviceName == device, "\(name)")
        }
    }

    @Test("The server's socket is searched in libpulse's order")
    func sockets() {
        let cases: [(String?, [String: String], String?)] = [
            (nil, ["XDG_RUNTIME_DIR": "/run/user/1"], "/run/user/1/pulse/native"),
            (nil, ["XDG_RUNTIME_DIR": "/run/user/1", "PULSE_RUNTIME_PATH": "/p"], "/p/native"),
            (nil, ["XDG_RUNTIME_DIR": "/run/user/1", "PULSE_SERVER": "unix:/s"], "/s"),
            (nil, ["PULSE_SERVER": "{0123}unix:/a tcp:host"], "/a"), (nil, ["PULSE_SERVER": "tcp:host /b"], "/b"),
            (nil, ["PULSE_SERVER": "tcp:host", "XDG_RUNTIME_DIR": "/run/user/1"], nil),
            (nil, ["PULSE_SERVER": "", "XDG_RUNTIME_DIR": ""], nil), ("unix:/x", ["PULSE_SERVER": "/s"], "/x"),
            ("{", [:], nil), ("", [:], nil), (nil, [:], nil),
        ]
        for (server, environment, path) in cases {
            #expect(
                AudioServerAddress.socket(of: server) { environment[$0] } == path, "\(server ?? "-") \(environment)")
        }
    }
}
