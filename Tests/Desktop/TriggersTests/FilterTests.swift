import HunchModel
import Testing

@testable import Triggers

/// Which device sound goes to while the default output is a filter.
@Suite("Filters before devices")
struct FilterTests {
    private static let headset = output(
        "bluez_output.00_1B_66_A1_B2_C3.1", ["api.bluez5.address": "00:1B:66:A1:B2:C3", "object.id": "61"])
    private static let dac = output("alsa_output.usb-Maker_DAC-00.analog-stereo", ["device.bus": "usb"])
    private static let card = output(
        "alsa_output.pci-0000_00_1f.3.analog-stereo", ["device.bus": "pci", "object.id": "44"])
    private static let television: AudioOutput = {
        var output = Self.output("alsa_output.pci-0000_01_00.1.hdmi-stereo", ["device.bus": "pci"])
        output.ports = [AudioPort(name: "hdmi-output-0", description: "HDMI", type: 10, availability: .no)]
        return output
    }()

    private static func output(
        _ name: String, _ properties: [String: String] = [:], _ groups: Set<String> = []
    ) -> AudioOutput {
        AudioOutput(name: name, description: name, properties: properties, groups: groups)
    }

    private static func stream(_ sink: AudioOutput?, _ groups: Set<String>) -> AudioStream {
        AudioStream(sink: sink?.name ?? "", groups: groups)
    }

    /// PipeWire's filter-chain, as PipeWire 0.3.65 describes it.
    private static let equalizer = output(
        "effect_input.eq", ["node.virtual": "true", "node.link-group": "filter-chain-27004-6"])
    private static let surround = output(
        "effect_input.virtual-surround-7.1-hesuvi",
        ["node.virtual": "true", "node.link-group": "filter-chain-27004-7"])
    /// `module-remap-sink` of PipeWire, and of PulseAudio.
    private static let remap = output(
        "remap", ["device.class": "filter", "node.virtual": "true", "node.link-group": "loopback-26908-12"],
        ["module 536870915"])
    private static let ladspa = output(
        "ladspa", ["device.class": "filter", "device.master_device": headset.name], ["module 7"])
    private static let combined = output("combined", ["device.class": "filter"], ["module 9"])
    private static let arctis = output(
        "Arctis_Game", ["node.virtual": "true", "node.link-group": "loopback-812-4"])
    private static let easyEffects = output(
        "easyeffects_sink",
        [
            "node.virtual": "true", "factory.name": "support.null-audio-sink",
            "application.id": "com.github.wwmm.easyeffects",
        ]
    )
    private static let recorder = output("obs", ["factory.name": "support.null-audio-sink"], ["module 11"])

    private static let devices = [headset, card]

    /// The real outputs that are marked, by the filter that is the default.
    private func marked(_ outputs: [AudioOutput], _ streams: [AudioStream]?) -> Set<String> {
        let all = AudioOutput.mark(default: outputs.first?.name ?? "", in: outputs, streams: streams)
        return Set(all.filter { $0.isDefault && !$0.isVirtual }.map(\.name)).subtracting([Self.recorder.name])
    }

    @Test("A filter's own stream names the device behind it")
    func streams() {
        let chain: Set = ["filter-chain-27004-6"]
        let cases: [(String, [AudioOutput], [AudioStream], Set<String>)] = [
            ("an equalizer", [Self.equalizer], [Self.stream(Self.headset, chain)], [Self.headset.name]),
            ("onto speakers", [Self.equalizer], [Self.stream(Self.card, chain)], [Self.card.name]),
            ("another filter's stream", [Self.equalizer], [Self.stream(Self.headset, ["filter-chain-1-1"])], []),
            ("linked nowhere", [Self.equalizer], [Self.stream(nil, chain)], []),
            (
                "remap of PipeWire", [Self.remap], [Self.stream(Self.headset, ["loopback-26908-12"])],
                [Self.headset.name]
            ),
            ("LADSPA of PulseAudio", [Self.ladspa], [Self.stream(Self.headset, ["module 7"])], [Self.headset.name]),
            ("moved to speakers", [Self.ladspa], [Self.stream(Self.card, ["module 7"])], [Self.card.name]),
            ("LADSPA without streams", [Self.ladspa], [], [Self.headset.name]),
            (
                "both outputs at once", [Self.combined],
                [Self.stream(Self.headset, ["module 9"]), Self.stream(Self.card, ["module 9"])],
                [Self.headset.name, Self.card.name]
            ),
            ("Arctis ChatMix", [Self.arctis], [Self.stream(Self.headset, ["loopback-812-4"])], [Self.headset.name]),
            (
                "surround into an equalizer", [Self.surround, Self.equalizer],
                [Self.stream(Self.equalizer, ["filter-chain-27004-7"]), Self.stream(Self.headset, chain)],
                [Self.headset.name]
            ),
            (
                "two filters in a circle", [Self.surround, Self.equalizer],
                [Self.stream(Self.equalizer, ["filter-chain-27004-7"]), Self.stream(Self.surround, chain)], []
            ),
            ("a filter into itself", [Self.equalizer], [Self.stream(Self.equalizer, chain)], []),
            ("a null sink", [Self.recorder], [Self.stream(Self.headset, chain)], []),
            (
                "a loopback from a null sink", [Self.recorder], [Self.stream(Self.headset, ["module 11"])],
                [Self.headset.name]
            ),
            ("a program plays", [Self.equalizer], [Self.stream(Self.headset, [])], []),
        ]
        for (name, filters, streams, expected) in cases {
            #expect(marked(filters + Self.devices, streams) == expected, "\(name)")
        }
    }

    @Test("A filter that plays is found by its driver")
    func driver() {
        for (driver, expected) in [("61", [Self.headset.name]), ("44", [Self.card.name]), ("99", [])] {
            var filter = Self.arctis
            filter.properties["node.driver-id"] = driver
            #expect(marked([filter] + Self.devices, []) == Set(expected), "\(driver)")
        }
        // Hardware is driven by other hardware at times, and is not a filter.
        var card = Self.card
        card.properties["node.driver-id"] = "61"
        #expect(marked([card, Self.headset], []) == [Self.card.name])
    }

    @Test("An unlisted filter plays into the only connected device")
    func unlisted() {
        #expect(marked([Self.easyEffects] + Self.devices, []) == [Self.headset.name])
        #expect(marked([Self.easyEffects, Self.card, Self.television], []) == [Self.card.name])
        #expect(marked([Self.easyEffects, Self.dac] + Self.devices, []).isEmpty, "two devices may be meant")
        #expect(marked([Self.equalizer] + Self.devices, []).isEmpty, "it would be listed")
        // Nothing is known about streams in traces of older versions.
        #expect(marked([Self.equalizer] + Self.devices, nil) == [Self.headset.name])
        #expect(marked([Self.recorder] + Self.devices, nil).isEmpty)
    }

    @Test("A filter that is moved to the headset makes it ready")
    func moved() {
        var trace = Trace.settled()
        let phones = BluetoothDevice.phones
        trace.blueZ(phones.connected)
        func state(_ target: AudioOutput) -> [AudioOutput] {
            AudioOutput.mark(
                default: Self.remap.name, in: [Self.remap, phones.sink, .speakers],
                streams: [Self.stream(target, ["module 536870915"])])
        }
        trace.audio(marked: state(.speakers))
        trace.wait(60)
        #expect(trace.log.isEmpty)
        trace.audio(marked: state(phones.sink))
        trace.wait(2)
        #expect(trace.log == ["66.0 ready Phones"])
    }

    @Test("The sinks are read again if the default is a filter or none of them")
    func secondLook() {
        func mayChange(default name: String, _ outputs: AudioOutput...) -> Bool {
            AudioOutput.mayChangeUnreported(AudioOutput.mark(default: name, in: outputs, streams: []))
        }
        #expect(!mayChange(default: Self.headset.name, Self.headset, Self.card))
        #expect(mayChange(default: Self.equalizer.name, Self.headset, Self.equalizer))
        // The headset has come back, and PipeWire chooses it only now.
        #expect(mayChange(default: "", Self.headset, Self.card) && mayChange(default: "gone", Self.headset))
        #expect(!mayChange(default: ""))
    }
}
