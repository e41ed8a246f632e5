import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Random arguments of the right types for every method and property, from every kind of caller.
@Suite("Bus fuzzing", .timeLimit(.minutes(15))) struct BusFuzzTests {
    /// The number of calls of each caller: a few in `make test`, more if the environment says so.
    private static let calls = ProcessInfo.processInfo.environment["HUNCH_FUZZ_CALLS"].flatMap { Int($0) } ?? 500

    @Test("Every fuzzed call gets an answer and the agent survives", arguments: CallerKind.allCases)
    func calls(permission: CallerKind) async throws {
        let clock = Watched(Planted.now)
        let seed = 2_026 &+ UInt64(CallerKind.allCases.firstIndex(of: permission) ?? 0)
        try await PermissionTests().run(permission, now: { clock.state }) { rig, offered in
            var random = SplitMix64(seed: seed)
            let described = try InterfaceKeys.all().filter { !InterfaceKeys.foreign.contains($0.interface) }
            let activity: VariantMap = ["type": .string("org.example.page"), "title": .string("Page")]
            let shown: ObjectPath? = try? await rig.root.call(HunchNames.activities, "BecomeCurrent", activity)
            for number in 0..<Self.calls {
                clock.update { $0 += Double.random(in: 0...120, using: &random) }
                let description = try #require(described.randomElement(using: &random))
                let path =
                    switch description.interface {
                    case HunchNames.suggestion: try HunchNames.suggestionPath(offered.id)
                    case HunchNames.activity: shown ?? HunchNames.root
                    default: HunchNames.root
                    }
                var values = RandomArguments(keys: description.keys, random: random)
                let isProperty = Int.random(in: 0..<20, using: &random) == 0
                let members = isProperty ? description.settable : description.methods
                guard let member = members.randomElement(using: &random) else { continue }
                let arguments = member.arguments.map { values.value(of: $0) }
                random = values.random
                // File descriptors have their own test.
                guard !member.arguments.contains("h") else { continue }
                let call =
                    isProperty
                    ? MethodCall(
                        HunchNames.agent, path, .properties, "Set",
                        body: [.string(description.interface.text), .string(member.name.text)]
                            + arguments.map { .variant($0) })
                    : MethodCall(HunchNames.agent, path, description.interface, member.name, body: arguments)
                do {
                    _ = try await rig.agent.connection.reply(to: call)
                } catch let error as DBusError {
                    #expect(error.message.utf8.count < 2_000, "call \(number), seed \(seed)")
                    #expect(
                        ![.noReply, .disconnected, .serviceUnknown].contains(error.name),
                        "call \(number), seed \(seed), \(member.name): \(error)")
                }
            }
            #expect(try await rig.agent.status().transfer["enabled"] != nil)
        }
    }
}

/// Values of given types, with the keys that an interface documents in its maps.
private struct RandomArguments {
    private static let texts = [
        "", "a1", "org.example.Maps", "geo:48.85,2.35", "directions:?to=1,2", "playMedia", "getDirections", "all",
        "never",
        "car", "resume", "person", "only", "calls", "Paris", "device:00:11:22:33:44:55", "x\u{202E}\u{1B}[31m\n",
        "e" + String(repeating: "\u{301}", count: 20_000), String(repeating: "x", count: 5_000), "9223372036854775808",
    ]
    let keys: [InterfaceKeys.Key]
    var random: SplitMix64

    mutating func value(of type: String, depth: Int = 0) -> Value {
        switch type {
        case "b": return .boolean(Bool.random(using: &random))
        case "y": return .byte(UInt8.random(in: .min ... .max, using: &random))
        case "n": return .int16(number())
        case "q": return .uint16(number())
        case "i": return .int32(number())
        case "u": return .uint32(number())
        case "x": return .int64(number())
        case "t": return .uint64(number())
        case "d":
            let extremes: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, -0.0, .leastNonzeroMagnitude, 48.85]
            return .double(extremes.randomElement(using: &random) ?? 0)
        case "o": return .objectPath(HunchNames.root)
        case "as": return (0..<count()).map { _ in text() }.dbusValue
        case "ay": return .bytes((0..<count()).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        case "a{ss}": return Dictionary((0..<count()).map { _ in (text(), text()) }) { $1 }.dbusValue
        case "aa{sv}": return (0..<count()).map { _ in map(depth) }.dbusValue
        case "a{sv}": return map(depth).dbusValue
        default: return .string(text())
        }
    }

    private mutating func map(_ depth: Int) -> VariantMap {
        var map: VariantMap = [:]
        guard depth < 3 else { return map }
        for _ in 0..<count() {
            guard let key = keys.randomElement(using: &random) else { break }
            // Now and then the type is wrong.
            let type = Int.random(in: 0..<10, using: &random) == 0 ? keys.randomElement(using: &random)?.type : key.type
            map[key.name] = value(of: type ?? key.type, depth: depth + 1)
        }
        return map
    }

    private mutating func count() -> Int { Int.random(in: 0..<8, using: &random) }

    private mutating func text() -> String { Self.texts.randomElement(using: &random) ?? "" }

    private mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number {
        [0, 1, 7, .max, .max / 2 + 1, Number.random(in: .min ... .max, using: &random)].randomElement(using: &random)
            ?? 0
    }

    private mutating func number<Number: FixedWidthInteger & SignedInteger>() -> Number {
        [0, 1, -1, .max, .min, Number.random(in: .min ... .max, using: &random)].randomElement(using: &random) ?? 0
    }
}
