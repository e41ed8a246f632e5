import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Extreme numbers in every argument and key of every call.
@Suite("Extreme values", .timeLimit(.minutes(15))) struct ExtremeValueTests {
    /// The keys that a call needs before its other keys are checked. Each method whose options have keys has a line here.
    private static let bases: [String: VariantMap] = [
        "Activities1.BecomeCurrent": ["type": .string("org.example.page"), "title": .string("Page")],
        "Activities1.Recent": [:], "Activities1.Continue": [:], "Activity1.Update": [:],
        "Agent1.Likely": [:], "Index1.Change": [:], "Index1.Search": [:], "Index1.Open": [:],
        "Index1.ContinueSearch": [:], "Index1.Complete": [:], "Calendar1.Upcoming": [:],
        "Calendar1.Add": [
            "title": .string("Table"), "start": .uint64(4_102_444_800_000_000), "place": place.dbusValue,
            "reservation": .string("FoodEstablishmentReservation"),
        ],
        "Directions1.Suggest": ["destination": place.dbusValue], "Directions1.Geocode": [:],
        "Directions1.ReverseGeocode": [:], "Directions1.RecentPlaces": [:], "Directions1.SetPlace": place,
        "Donations1.Donate": Item.play("x"), "Donations1.DeleteOf": [:],
        "Donations1.SetUpcoming": announced, "Donations1.SetRelevant": announced, "Media1.SetDevicePolicy": [:],
        "Media1.Simulate": ["kind": .string("car")], "Privacy1.Forget": [:], "Suggestion1.Accept": [:],
        "Privacy1.Unmute": ["app": .string("a"), "trigger": .string("unlock"), "kind": .string("media")],
    ]
    private static let place: VariantMap = ["latitude": .double(48.85), "longitude": .double(2.35)]
    private static let announced: VariantMap = ["item": .string("x"), "title": .string("X")].merging(place) { $1 }

    /// Values at the ends of a type's range; none for a type that is not a number.
    private static func extremes(_ type: String) -> [Value] {
        switch type {
        case "y": [.byte(.min), .byte(.max)]
        case "n": [.int16(.min), .int16(.max)]
        case "q": [.uint16(.min), .uint16(.max)]
        case "i": [.int32(.min), .int32(.max)]
        case "u": [.uint32(.min), .uint32(.max)]
        case "x": [.int64(.min), .int64(-1), .int64(.max)]
        case "t": [.uint64(.min), .uint64(1 << 63), .uint64(.max)]
        case "d": [.nan, 1e300, -1e300, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude].map { .double($0) }
        default: []
        }
    }

    /// The maps with an extreme value for one key, at the top level and in each nested map.
    private static func maps(_ base: VariantMap, _ keys: [InterfaceKeys.Key]) throws -> [VariantMap] {
        var maps: [VariantMap] = []
        for key in keys {
            for (number, value) in extremes(key.type).enumerated() {
                maps.append(base.merging([key.name: value]) { $1 })
                // Nested values are read by the same functions, so a few are enough.
                for container in keys where container.type == "a{sv}" && number < 3 {
                    let nested = try base.value(container.name, as: VariantMap.self) ?? place
                    let changed = nested.merging([key.name: value]) { $1 }
                    maps.append(base.merging([container.name: changed.dbusValue]) { $1 })
                }
            }
        }
        return maps
    }

    /// The lists of arguments of a method in which one number is extreme.
    private static func calls(of method: InterfaceKeys.Member, _ description: InterfaceKeys) throws -> [[Value]] {
        let name = "\(description.interface.text.split(separator: ".").last ?? "").\(method.name)"
        let hasMap = (method.endsInOptions ? method.arguments.dropLast() : method.arguments[...]).contains {
            ["a{sv}", "aa{sv}"].contains($0)
        }
        let base = bases[name] ?? [:]
        #expect(!hasMap || bases[name] != nil, "\(name) takes options: say which it needs")
        let usual = try method.arguments.map { type throws -> Value in
            switch type {
            case "s": .string("a1")
            case "o": .objectPath(HunchNames.root)
            case "b": .boolean(true)
            case "as": [String]().dbusValue
            case "a{sv}": base.dbusValue
            case "aa{sv}": [base].dbusValue
            case "h": throw BenchError("\(name) takes a file and a number; this test has no file")
            default: extremes(type).first ?? .uint32(0)
            }
        }
        var calls: [[Value]] = []
        for (index, type) in method.arguments.enumerated() {
            let values: [Value] =
                switch type {
                case "a{sv}" where bases[name] == nil: []
                case "a{sv}": try maps(base, description.keys).map(\.dbusValue)
                case "aa{sv}": try maps(base, description.keys).map { [$0].dbusValue }
                default: extremes(type)
                }
            for value in values {
                var arguments = usual
                arguments[index] = value
                calls.append(arguments)
            }
        }
        return calls
    }

    @Test("No number in any call ends the agent", arguments: CallerKind.allCases)
    func numbers(permission: CallerKind) async throws {
        // Each call a minute later, so that none is refused for coming too often.
        let clock = Watched(Planted.now)
        let step: @Sendable () -> Date = {
            clock.update {
                $0 += 60; return $0
            }
        }
        try await PermissionTests().run(permission, now: { clock.state }) { rig, offered in
            var total = 0
            // Suggestions expire, so their calls come first. Calls that forget or pause come last.
            let order = [HunchNames.suggestion: -1, HunchNames.privacy: 1]
            let served = try InterfaceKeys.all().sorted {
                order[$0.interface, default: 0] < order[$1.interface, default: 0]
            }
            for description in served {
                guard let path = try await object(of: description.interface, rig, offered) else { continue }
                for method in description.methods where !method.arguments.contains("h") {
                    for arguments in try Self.calls(of: method, description) {
                        _ = step()
                        total += 1
                        await check(
                            MethodCall(HunchNames.agent, path, description.interface, method.name, body: arguments), rig
                        )
                    }
                    #expect(try await rig.agent.status().transfer["enabled"] != nil, "after \(method.name)")
                }
                for property in description.settable {
                    for value in property.arguments.flatMap(Self.extremes) {
                        let body: [Value] = [
                            .string(description.interface.text), .string(property.name.text), .variant(value),
                        ]
                        await check(MethodCall(HunchNames.agent, path, .properties, "Set", body: body), rig)
                    }
                }
                // Every accepted value can be encoded again.
                _ = try await rig.agent.suggestions()
                let read = MethodCall(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "Recent", body: [VariantMap().dbusValue])
                await check(read, rig)
            }
            #expect(total > 500)
            #expect(try await rig.agent.status().transfer["enabled"] != nil)
        }
    }

    /// The path of an interface; `nil` for interfaces that only apps serve, and without an object of the caller.
    private func object(
        of interface: InterfaceName, _ rig: AgentRig, _ offered: OfferedSuggestion
    ) async throws -> ObjectPath? {
        switch interface {
        case HunchNames.suggestion: return try HunchNames.suggestionPath(offered.id)
        case HunchNames.activity:
            let activity: VariantMap = ["type": .string("org.example.page"), "title": .string("Page")]
            return try? await rig.root.call(HunchNames.activities, "BecomeCurrent", activity)
        default: return InterfaceKeys.foreign.contains(interface) ? nil : HunchNames.root
        }
    }

    /// Makes a call, which must succeed or fail with one short error.
    private func check(_ call: MethodCall, _ rig: AgentRig) async {
        do {
            _ = try await rig.agent.connection.reply(to: call)
        } catch let error as DBusError {
            #expect(error.message.utf8.count < 1_000)
            #expect(
                ![.noReply, .disconnected, .serviceUnknown, .nameHasNoOwner].contains(error.name), "\(call): \(error)")
        } catch {
            Issue.record("\(call.member): \(error)")
        }
    }
}
