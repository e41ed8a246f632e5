import EventLoops
import HunchDBus

@testable import AgentInterface
@testable import HunchModel
@testable import Media
@testable import Players
@testable import Surfaces
@testable import TransitFeed

extension Fuzzer {
    /// Values and texts of other processes on the bus.
    static var values: [Fuzzer] {
        [
            Fuzzer("signature", text: { _ = try? Signature($0) }),
            Fuzzer(
                "names",
                text: { text in
                    _ = try? BusName(text)
                    _ = try? ObjectPath(text)
                    _ = try? InterfaceName(text)
                    _ = try? MemberName(text)
                    _ = ServiceDay(text)
                }),
            Fuzzer(
                "display",
                text: { text in
                    _ = DisplayText(text, limit: 64).text.escapedForMarkup
                }),
            Fuzzer(
                "metadata",
                bytes: { bytes in
                    let map = ValueMaker(bytes).map()
                    _ = MPRISMetadata.info(map)
                    var player = PlayerState()
                    player.applyRoot(map)
                    player.applyPlayer(map, at: .now)
                    _ = player.position(at: .now)
                }),
            Fuzzer(
                "transfer",
                bytes: { bytes in
                    let map = ValueMaker(bytes).map()
                    if let activity = try? Activity(transfer: map) { _ = activity.transfer }
                    if let item = try? MapItem(transfer: map) { _ = item.transfer }
                    if let info = try? NowPlayingInfo(transfer: map) { _ = info.transfer }
                    if let context = try? PlaybackContext(transfer: map) { _ = context.transfer }
                    if let item = try? ContentItem(id: "x", transfer: map) { _ = item.transfer }
                    if let explanation = try? Explanation(transfer: map) { _ = explanation.transfer { $0 } }
                }),
        ]
    }
}

/// Makes typed values out of the bytes of an input, which so decide them all.
private struct ValueMaker {
    private static let keys = [
        "Identity", "DesktopEntry", "HasTrackList", "PlaybackStatus", "Metadata", "CanPlay", "CanSeek", "CanControl",
        "Rate",
        "Position", "xesam:title", "xesam:artist", "xesam:album", "xesam:url", "mpris:artUrl", "mpris:trackid",
        "mpris:length",
        "kde:pid", "type", "title", "keywords", "payload", "url", "place", "expiry", "latitude", "longitude", "name",
        "query",
        "position", "item", "progress", "enforced-item-count", "enforced-tree-depth", "evidence", "count", "total",
        "weight",
        "remainder", "device-kind",
    ]
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func map() -> VariantMap {
        var copy = self
        return copy.map(depth: 0)
    }

    private mutating func map(depth: Int) -> VariantMap {
        var map: VariantMap = [:]
        for _ in 0..<Int(rest.popFirst() ?? 0) % 12 {
            map[Self.keys[Int(rest.popFirst() ?? 0) % Self.keys.count]] = value(depth: depth)
        }
        return map
    }

    private mutating func value(depth: Int) -> Value {
        switch (rest.popFirst() ?? 0) % (depth < 3 ? 14 : 11) {
        case 0: return .boolean((rest.popFirst() ?? 0) % 2 == 0)
        case 1: return .int64(Int64(bitPattern: bits()))
        case 2: return .uint64(bits())
        case 3: return .int32(Int32(truncatingIfNeeded: bits()))
        case 4: return .uint32(UInt32(truncatingIfNeeded: bits()))
        case 5: return .double(Double(bitPattern: bits()))
        case 6:
            let extremes: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, -0.0]
            return .double(extremes[Int(bits() % 7)])
        case 7: return .int64([.min, .max, -1, 0][Int(bits() % 4)])
        case 8: return .bytes(Array(chunk()))
        case 9: return .byte(rest.popFirst() ?? 0)
        case 10: return .string(String(decoding: chunk(), as: UTF8.self).replacing("\0", with: ""))
        case 11: return map(depth: depth + 1).dbusValue
        case 12: return [String(decoding: chunk(), as: UTF8.self), "b"].dbusValue
        default: return [map(depth: depth + 1)].dbusValue
        }
    }

    private mutating func bits() -> UInt64 {
        (0..<8).reduce(0) { value, _ in value << 8 | UInt64(rest.popFirst() ?? 0) }
    }

    private mutating func chunk() -> ArraySlice<UInt8> {
        let count = min(Int(rest.popFirst() ?? 0), rest.count)
        defer { rest.removeFirst(count) }
        return rest.prefix(count)
    }
}
