import HunchDBus
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Media

@Suite("Playable content on the wire")
struct PlayableContentWireTests {
    @Test("items and now-playing info come back as they went")
    func roundTrip() throws {
        var random = SplitMix64(seed: 11)
        func text() -> String {
            String((0..<Int.random(in: 1...20, using: &random)).map { _ in "aé 🎧\"<".randomElement() ?? "x" })
        }
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        for _ in 0..<500 {
            let item = ContentItem(
                id: text(), title: text(), subtitle: maybe(text()), artworkURL: maybe(text()),
                isContainer: .random(using: &random), isPlayable: .random(using: &random),
                progress: maybe(.random(in: 0...1, using: &random)))
            #expect(try PlayableContentWire.item(item.id, PlayableContentWire.map(item)) == item)
            let info = NowPlayingInfo(
                title: text(), artists: maybe([text(), text()]) ?? [], album: maybe(text()), artworkURL: maybe(text()),
                contentURL: maybe(text()), trackIdentifier: maybe("/track/1"),
                length: maybe(.random(in: 1 ... .max, using: &random)),
                position: maybe(.random(in: 0 ... .max, using: &random)))
            #expect(try PlayableContentWire.info(PlayableContentWire.map(info)) == info)
        }
    }

    @Test("unknown keys are left out, absent ones have their defaults")
    func defaults() throws {
        let item = try PlayableContentWire.item("a", ["xesam:title": .string("T"), "vendor:x": .int32(1)])
        #expect(item == ContentItem(id: "a", title: "T"))
        #expect(try PlayableContentWire.info(["xesam:title": .string("T")]) == NowPlayingInfo(title: "T"))
    }

    @Test("a key of a wrong type, a missing title, and what exceeds a limit are errors")
    func refused() {
        let title: VariantMap = ["xesam:title": .string("T")]
        func with(_ key: String, _ value: Value) -> VariantMap { title.merging([key: value]) { $1 } }
        let long = Value.string(String(repeating: "x", count: 4_097))
        for map in [
            [:], ["xesam:title": .int32(1)], ["xesam:title": .string("")], with("xesam:title", long),
            with("subtitle", .boolean(true)), with("container", .string("yes")), with("playable", .int32(1)),
            with("progress", .double(1.5)), with("progress", .double(.nan)), with("progress", .string("half")),
            with("mpris:artUrl", long),
        ] {
            #expect(throws: DBusError.self) { try PlayableContentWire.item("a", map) }
        }
        for map in [
            [:], with("xesam:artist", .string("A")), with("mpris:length", .uint64(1)), with("position", .double(1)),
            with("mpris:trackid", .string("/a")), with("xesam:url", long),
            with("xesam:artist", [String](repeating: "A", count: 65).dbusValue),
        ] {
            #expect(throws: DBusError.self) { try PlayableContentWire.info(map) }
        }
        for identifier in ["", String(repeating: "x", count: 4_097)] {
            #expect(throws: DBusError.self) { try PlayableContentWire.item(identifier, title) }
        }
        #expect(throws: DBusError.self) {
            try PlayableContentWire.check(identifiers: [String](repeating: "a", count: 1_001))
        }
    }

    @Test("an app learns the kind of device, and neither its name nor its address")
    func context() throws {
        let device = AudioDevice(
            id: "AA:BB:CC:DD:EE:FF", name: "Ann's Phones", kind: .headphones, transport: .bluetooth)
        let map = PlayableContentWire.map(PlaybackContext(device: device))
        #expect(map == ["device-kind": .string("headphones"), "device-transport": .string("bluetooth")])
        let read = try PlayableContentWire.context(map)
        #expect(read.device?.kind == .headphones && read.device?.transport == .bluetooth)
        #expect(PlayableContentWire.map(PlaybackContext()).isEmpty)
        #expect(try PlayableContentWire.context(["device-kind": .string("submarine")]).device?.kind == .other)
        #expect(throws: DBusError.self) { try PlayableContentWire.context(["device-kind": .int32(1)]) }
    }
}
