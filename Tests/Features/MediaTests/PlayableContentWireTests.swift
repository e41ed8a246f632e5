import AgentInterface
import HunchDBus
import HunchModel
import SeededRandom
import TestSupport
import Testing

@Suite("Playable content messages")
struct PlayableContentWireTests {
    @Test("Items and now-playing info survive a round trip")
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
            #expect(try ContentItem(id: item.id, transfer: item.transfer) == item)
            let info = NowPlayingInfo(
                title: text(), artists: maybe([text(), text()]) ?? [], album: maybe(text()), artworkURL: maybe(text()),
                contentURL: maybe(text()), trackIdentifier: maybe("/track/1"),
                length: maybe(.random(in: 1 ... .max, using: &random)),
                position: maybe(.random(in: 0 ... .max, using: &random)))
            #expect(try NowPlayingInfo(transfer: info.transfer) == info)
        }
    }

    @Test("Unknown keys are ignored; absent ones have their defaults")
    func defaults() throws {
        let item = try ContentItem(id: "a", transfer: ["xesam:title": .string("T"), "vendor:x": .int32(1)])
        #expect(item == ContentItem(id: "a", title: "T"))
        #expect(try NowPlayingInfo(transfer: ["xesam:title": .string("T")]) == NowPlayingInfo(title: "T"))
    }

    @Test("Wrong types, a missing title and oversized values are errors")
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
            #expect(throws: DBusError.self) { try ContentItem(id: "a", transfer: map) }
        }
        for map in [
            [:], with("xesam:artist", .int32(1)), with("mpris:length", .string("1")), with("position", .double(1.5)),
            with("mpris:trackid", .string("a")), with("xesam:url", long),
            with("xesam:artist", [String](repeating: "A", count: 65).dbusValue),
        ] {
            #expect(throws: DBusError.self) { try NowPlayingInfo(transfer: map) }
        }
        for identifier in ["", String(repeating: "x", count: 4_097)] {
            #expect(throws: DBusError.self) { try ContentItem(id: identifier, transfer: title) }
        }
        #expect(throws: DBusError.self) {
            try ContentItem.check(identifiers: [String](repeating: "a", count: 1_001))
        }
    }

    @Test("An app learns the kind of device but not its name or address")
    func context() throws {
        let device = AudioDevice(
            id: "AA:BB:CC:DD:EE:FF", name: "Ann's Phones", kind: .headphones, transport: .bluetooth)
        let limits: VariantMap = [
            "enforced-item-count": .uint32(12), "enforced-tree-depth": .uint32(5), "limits-enforced": .boolean(false),
            "endpoint-available": .boolean(true),
        ]
        let map = PlaybackContext(device: device).transfer
        #expect(
            map
                == limits.merging(["device-kind": .string("headphones"), "device-transport": .string("bluetooth")]) {
                    $1
                })
        let read = try PlaybackContext(transfer: map)
        #expect(read.device?.kind == .headphones && read.device?.transport == .bluetooth)
        #expect(read.content == PlayableContentContext(isEndpointAvailable: true))
        #expect(PlaybackContext().transfer == limits.merging(["endpoint-available": .boolean(false)]) { $1 })
        #expect(try PlaybackContext(transfer: ["device-kind": .string("submarine")]).device?.kind == .other)
        #expect(try PlaybackContext(transfer: [:]) == PlaybackContext())
        #expect(throws: DBusError.self) { try PlaybackContext(transfer: ["device-kind": .int32(1)]) }
        #expect(throws: DBusError.self) { try PlaybackContext(transfer: ["enforced-item-count": .int32(-1)]) }
    }

    @Test("Cars have short lists; limits out of range are clamped")
    func limits() throws {
        let car = PlaybackContext(device: AudioDevice(id: "a", name: "Car", kind: .car, transport: .bluetooth)).content
        #expect(car.areLimitsEnforced && car.isEndpointAvailable)
        #expect(car.itemCount(orElse: 200) == 12 && car.treeDepth(orElse: 6) == 5)
        let desk = PlaybackContext().content
        #expect(!desk.areLimitsEnforced && desk.itemCount(orElse: 200) == 200 && desk.treeDepth(orElse: 6) == 6)
        var random = SplitMix64(seed: 4)
        for _ in 0..<200 {
            let context = PlayableContentContext(
                enforcedItemCount: .random(in: -9...9_999, using: &random),
                enforcedTreeDepth: .random(in: -9...99, using: &random),
                areLimitsEnforced: .random(using: &random), isEndpointAvailable: .random(using: &random))
            #expect(1...1_000 ~= context.enforcedItemCount && 1...16 ~= context.enforcedTreeDepth)
            #expect(try PlayableContentContext(transfer: context.transfer) == context)
        }
        let huge: VariantMap = ["enforced-item-count": .uint32(.max), "enforced-tree-depth": .uint32(0)]
        let read = try PlayableContentContext(transfer: huge)
        #expect(read.enforcedItemCount == 1_000 && read.enforcedTreeDepth == 1)
    }
}
