import AgentInterface
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

/// Tests of donations and their limits.
@Suite("Donating", .timeLimit(.minutes(15))) struct DonatingTests {
    @Test("Each item of a batch gets a result; accepted ones persist")
    func batch() async throws {
        try await withDonationAgent(Callers.sandboxed) { rig in
            let ahead = HunchAgent.microseconds(Planted.now.addingTimeInterval(2 * 86_400))
            let items: [(VariantMap, String)] = [
                (Item.play("a"), ""), (Item.of("fly", ["to": "moon"]), "unknownKind"),
                (Item.play("b", more: ["initiator": .string("person"), "date": .uint64(1_748_850_000_000_000)]), ""),
                (Item.of("playMedia", ["item": "a", "colour": "red"]), "unknownParameter"),
                (Item.of("playMedia", ["item": "a", "startTime": "5"]), "timestamp"),
                (Item.of("playMedia", ["item": "1748856600"]), "timestamp"),
                (Item.of("playMedia", ["artist": "a"]), "incomplete"), (Item.of("playMedia", [:]), "incomplete"),
                (Item.of("openItem", ["uri": "not a link"]), "invalidValue"),
                (Item.play("c", more: ["initiator": .string("system")]), "initiator"),
                (Item.play("c", more: ["initiator": .string("fate")]), "initiator"),
                (Item.play("c", more: ["date": .uint64(ahead)]), "invalidInput"),
                (Item.play("c", more: ["date": .string("today")]), "invalidInput"),
                (Item.play("c", more: ["parameters": .string("none")]), "invalidInput"),
                (Item.play("c", more: ["context": .int32(1)]), "invalidInput"),
                (Item.play("c", more: ["context": (["hour": .uint32(24)] as VariantMap).dbusValue]), "invalidInput"),
                (Item.play("c", more: ["combination": ["item"].dbusValue]), "notAllowed"),
                ([:], "invalidInput"), (["kind": .string("")], "invalidInput"), (Item.play("d"), ""),
            ]
            #expect(try await rig.codes(items.map(\.0)) == items.map(\.1))
            let recorded = try rig.donations()
            // In the order in which they were done.
            #expect(recorded.map { $0.parameters["item"] } == ["b", "a", "d"])
            #expect(recorded[0].date == Date(timeIntervalSince1970: 1_748_850_000))
            #expect(recorded[2].date == Planted.now && recorded[2].combination == ["item"])
            // Without a context, the agent adds the user's local time.
            #expect(recorded.allSatisfy { $0.context.hour == Context(at: $0.date).hour && $0.context.weekday != nil })
            #expect(try await rig.donate([]).isEmpty)
        }
    }

    @Test("A timestamp or counter is refused with an explanation")
    func explained() async throws {
        try await withDonationAgent(Callers.sandboxed) { rig in
            let result = try #require(
                try await rig.donate([Item.of("playMedia", ["item": "a", "play_count": "7"])]).first)
            let message: String = try result.require("message")
            #expect(message.contains("“play_count” holds a time or a counter"))
            #expect(message.contains("no two donations would be alike"))
        }
    }

    @Test("Equal values of a combination are learned as one action")
    func equivalence() async throws {
        try await withDonationAgent(Callers.sandboxed) { rig in
            #expect(
                try await rig.codes([
                    Item.play("a", title: "One"), Item.play("a", title: "One, live"), Item.play("b", title: "One"),
                    Item.of("playMedia", ["title": "One", "artist": "X", "album": "Y"]),
                    Item.of("playMedia", ["title": "One", "artist": "X", "album": "Z"]),
                    Item.of("getDirections", ["latitude": "52.5", "longitude": "13.4", "name": "Zoo"]),
                    Item.of("getDirections", ["latitude": "52.5", "longitude": "13.4", "name": "Tiergarten"]),
                ]) == Array(repeating: "", count: 7))
            let identities = try rig.donations().map { "\($0.kind) \($0.identity.sorted { $0.key < $1.key })" }
            #expect(identities[0] == identities[1] && identities[3] == identities[4] && identities[5] == identities[6])
            #expect(Set(identities).count == 4)
        }
    }

    @Test("Kinds come from the app's desktop entry and follow changes")
    func ownKinds() async throws {
        let group =
            "[org.hunch.Donations1 Kind orderCoffee]\nParameters=drink;size;\nCombinations=drink,size;drink;\n"
            + "Summary=Order {drink}\n"
        let head = "[Desktop Entry]\nType=Application\nName=Podcasts\nExec=podcasts\n"
        func install(_ text: String, _ home: TemporaryHome, id: String = "org.example.Podcasts") throws {
            try home.directory.write(head + text, to: "data/applications/\(id).desktop")
        }
        try await withDonationAgent(
            Callers.sandboxed, prepare: { try install(group, $0, id: "org.example.Other") }
        ) { rig in
            let order = Item.of("orderCoffee", ["drink": "Mokka", "size": "small"])
            // An app cannot use the kinds of another app.
            #expect(try await rig.codes([order]) == ["unknownKind"])
            try install(group, rig.home)
            #expect(
                try await rig.codes([order, Item.of("orderCoffee", ["size": "small"])]) == ["", "incomplete"])
            #expect(try rig.donations().map(\.combination) == [["drink", "size"]])
        }
        try await withDonationAgent(
            Callers.sandboxed,
            prepare: { try install(group.replacing("drink,size;", with: "drink,tea;"), $0) }
        ) { rig in
            let order = Item.of("orderCoffee", ["drink": "Mokka"])
            let codes = try await rig.codes([order, Item.play("a")])
            #expect(codes == ["invalidDeclaration", ""])
            // `hunch doctor` reports the same fault, with the file.
            for (wrong, words) in [
                (group.replacing("drink,size;", with: "drink,tea;"), "combines “tea”, which is not a parameter"),
                (group.replacing("{drink}", with: "{tea}"), "“{tea}” in its summary, which is not a parameter"),
                (group.replacing("Summary=Order {drink}\n", with: ""), "has no summary; add “Summary=…”"),
                (group.replacing("Parameters=drink;size;", with: "Parameters="), "has no parameter"),
            ] {
                try install(wrong, rig.home)
                let refusal = try #require(try await rig.donate([order]).first)
                let message: String = try refusal.require("message")
                #expect(
                    message.contains(words) && message.contains("“orderCoffee” of org.example.Podcasts"), "\(message)")
                let doctor = try await rig.hunch("doctor", "--json").standardOutput.split(separator: "\n")
                let told = doctor.filter { $0.contains(#""check":"kinds""#) }
                #expect(told.count == 1 && told.allSatisfy { $0.contains(#""state":"limited""#) }, "\(doctor)")
                #expect(told.first?.contains("org.example.Podcasts.desktop: \(message)") == true, "\(told)")
            }
            try install(group, rig.home)
            let sound = try await rig.hunch("doctor").standardOutput
            #expect(sound.contains("✓ kinds of actions: 1 declared in desktop entries\n"), "\(sound)")
        }
    }

    @Test("Donations older than the retention period are refused")
    func tooOld() async throws {
        try await withDonationAgent(Callers.unsandboxed) { rig in
            func item(daysAgo days: Double) -> VariantMap {
                let date = HunchAgent.microseconds(Planted.now.addingTimeInterval(-days * 86_400))
                return Item.play("d\(days)", more: ["date": .uint64(date)])
            }
            let items = [item(daysAgo: 121), item(daysAgo: 119), item(daysAgo: 400), item(daysAgo: 0)]
            #expect(try await rig.codes(items) == ["tooOld", "", "tooOld", ""])
            let message: String = try #require(try await rig.donate(items).first).require("message")
            #expect(
                message
                    == "it was done more than 120 days ago, and nothing that old is kept; “hunch keep --days” keeps longer"
            )
            #expect(try rig.donations().count == 4)
            try await rig.agent.setRetention(days: 300)
            #expect(try await rig.codes(items) == ["", "", "tooOld", ""])
        }
    }

    @Test("An unknown travel mode is refused")
    func modes() async throws {
        try await withDonationAgent(Callers.sandboxed) { rig in
            func method(_ mode: String) -> VariantMap {
                Item.of("getDirections", ["latitude": "52.5", "longitude": "13.4", "mode": mode])
            }
            #expect(
                try await rig.codes([
                    method("rocket"), method("car"), method("bus,train"), method("car,rocket"), method("Car"),
                    method(""),
                ])
                    == ["invalidValue", "", "", "invalidValue", "invalidValue", ""])
            let message: String = try #require(try await rig.donate([method("rocket")]).first).require("message")
            #expect(
                message.contains(
                    "“rocket” is not a value of “mode”; use car, bus, train, subway, streetcar, plane, bike"))
        }
    }

    @Test("Messages and calls are recorded only when allowed")
    func categories() async throws {
        try await withDonationAgent { rig in
            let app: VariantMap = ["app": .string("org.example.Phone")]
            let items = [
                Item.of("sendMessage", ["recipient": "+49 30 1234567"], more: app),
                Item.of("startCall", ["contact": "+49 30 1234567"], more: app), Item.play("a", more: app),
            ]
            #expect(try await rig.codes(items) == ["withheld", "withheld", ""])
            try await rig.agent.setCategory("calls", isRecorded: true)
            #expect(try await rig.codes(items) == ["withheld", "", ""])
            #expect(try rig.donations().map(\.kind.rawValue) == ["playMedia", "startCall", "playMedia"])
            _ = try await rig.agent.exclude("org.example.Phone")
            #expect(try await rig.codes(items) == ["withheld", "withheld", "withheld"])
        }
    }

    @Test("Nothing is recorded before enabling or during a pause")
    func switchedOff() async throws {
        try await withPrivacyAgent(caller: Callers.unsandboxed) { rig in
            #expect(try await rig.codes([Item.play("a")]) == ["notEnabled"])
            try await rig.agent.enable()
            #expect(try await rig.codes([Item.play("a")]) == [""])
            try await rig.agent.pause()
            #expect(try await rig.codes([Item.play("b")]) == ["paused"])
            let refusal = try await rig.refusal {
                try await $0.agent.setUpcoming([Announcement(item: "a", title: "t")])
            }
            #expect(refusal?.message.contains("paused") == true)
            // Donations can always be deleted.
            try await rig.agent.setUpcoming([])
            #expect(try await rig.agent.deleteAllDonations() == 1)
        }
    }

    // MARK: Limits

    @Test("A call over the item, size or rate limit is refused whole")
    func limits() async throws {
        try await withDonationAgent(Callers.sandboxed) { rig in
            let many = try #require(
                try await rig.refusal { _ = try await $0.donate(Array(repeating: Item.play("a"), count: 1_001)) })
            #expect(many.name == .limitsExceeded && many.message.contains("the limit is 1000"))
            let big = String(repeating: "x", count: 9 << 20)
            let large = try #require(try await rig.refusal { _ = try await $0.donate([Item.play(big)]) })
            #expect(large.name == .limitsExceeded && large.message.contains("the limit is 8388608"))
            let names = Array(repeating: "i", count: 1_001)
            for call: @Sendable (AgentRig) async throws -> Void in [
                { _ = try await $0.agent.deleteDonations(identifiers: names) },
                { _ = try await $0.agent.deleteDonations(groups: names) },
                { try await $0.agent.setUpcoming(Array(repeating: Announcement(item: "a", title: "t"), count: 101)) },
            ] {
                let refusal = try #require(try await rig.refusal(call))
                #expect([.limitsExceeded, .invalidInput].contains(refusal.name), "\(refusal)")
            }
            #expect(try rig.donations().isEmpty)
            // Refused items count, too. The clock stands still.
            let nothing = Array(repeating: VariantMap(), count: 1_000)
            for _ in 0..<50 { _ = try await rig.donate(nothing) }
            let fast = try #require(try await rig.refusal { _ = try await $0.donate([Item.play("a")]) })
            #expect(fast.name == .limitsExceeded && fast.message.contains("wait a moment"))
            for call: @Sendable (AgentRig) async throws -> Void in [
                { _ = try await $0.agent.deleteAllDonations() }, { try await $0.agent.setUpcoming([]) },
                { try await $0.agent.setRelevant([Announcement(item: "a", title: "t")]) },
            ] {
                #expect(try await rig.refusal(call)?.name == .limitsExceeded)
            }
        }
    }

    @Test("Each app's share is limited, and deleting makes room")
    func shares() async throws {
        try await withDonationAgentInside(
            configure: {
                $0.identify = { _ in Callers.sandboxed }
                $0.donorShare = DonorShare(donations: 5, bytes: 800)
            }
        ) { rig in
            let items = (0..<4).map { Item.play("i\($0)", more: ["id": .string("\($0)")]) }
            #expect(
                try await rig.codes(items + items) == ["", "", "", "", "", "tooMuch", "tooMuch", "tooMuch"])
            #expect(try await rig.codes(items) == Array(repeating: "tooMuch", count: 4))
            #expect(try await rig.agent.deleteDonations(identifiers: ["0", "1", "2"]) == 4)
            #expect(try await rig.codes(items) == ["", "", "", ""])
            _ = try await rig.agent.deleteAllDonations()
            let long = Item.play(String(repeating: "x", count: 300))
            // Equal parameters are kept once.
            for _ in 0..<3 { #expect(try await rig.codes([long]) == [""]) }
            #expect(try await rig.codes([Item.play(String(repeating: "y", count: 300))]) == [""])
            let refusal = try #require(
                try await rig.donate([Item.play(String(repeating: "z", count: 300))]).first)
            #expect(try refusal.require("message", as: String.self).contains("5 donations or 800 bytes"))
        }
    }

    @Test("The rate limit is per caller and refills over time")
    func rates() {
        var rates = CallerRates(burst: 50_000, perSecond: 500)
        func take(_ count: Int, of caller: String, after seconds: Double = 0) -> Bool {
            rates.take(count, of: caller, at: Planted.now.addingTimeInterval(seconds))
        }
        #expect(take(50_000, of: "a"))
        #expect(!take(1, of: "a"))
        #expect(take(1, of: "b"))
        #expect(take(500, of: "a", after: 1))
        #expect(!take(1, of: "a", after: 1))
        // Setting the clock back changes no allowance.
        #expect(!take(1, of: "a", after: -3_600))
        #expect(take(50_000, of: "a", after: 3_600))
        // More than a thousand names give no further allowance.
        var crowd = CallerRates(burst: 50_000, perSecond: 500)
        var taken = 0
        for number in 0..<3_000 where crowd.take(50_000, of: "c\(number)", at: Planted.now) { taken += 1 }
        #expect(taken == 1_001)
    }

    @Test("A full table of callers leaves an allowance for all others")
    func crowd() {
        var rates = CallerRates(burst: 10, perSecond: 1)
        for number in 0..<1_000 { _ = rates.take(1, of: "c\(number)", at: Planted.now) }
        func take(_ count: Int, of caller: String, after seconds: Double = 0) -> Bool {
            rates.take(count, of: caller, at: Planted.now.addingTimeInterval(seconds))
        }
        #expect(take(5, of: "new"))
        #expect(take(5, of: ""))
        #expect(!take(1, of: "newer"))
        #expect(take(2, of: "newest", after: 2))
        // A clock that was a year ahead does not fill the table for a year.
        #expect(take(10, of: "later", after: -365 * 86_400))
        #expect(take(10, of: "latest", after: -365 * 86_400))
    }

    // MARK: Hostile strings

    @Test("Hostile texts are stored unchanged and shown safely")
    func hostile() async throws {
        let nasty = HostileStringTests.nasty
        func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        try await withDonationAgent { rig in
            let app: VariantMap = ["app": .string("org.example.\(nasty)")]
            let own: VariantMap = app.merging(["id": .string(nasty), "group": .string(nasty)]) { $1 }
            let results = try await rig.donate([
                Item.play(nasty, title: nasty, more: own), Item.of(nasty, ["a": "b"], more: app),
                Item.of("playMedia", [nasty: nasty], more: app), Item.play("a", more: ["app": .string("")]),
            ])
            #expect(try results.map { try $0.require("accepted", as: Bool.self) } == [true, false, false, false])
            for result in results.dropFirst() {
                #expect(try result.require("message", as: String.self).utf8.count < 1_000)
            }
            #expect(try rig.donations().map { $0.parameters["item"] } == [nasty])
            let lines = rig.home.directory.file("nasty.jsonl")
            try rig.home.directory.write(
                "\(nasty)\n{\"application\":\"\\u001b]0;x\\u0007\",\"kind\":\"\\u202e\",\"parameters\":{\"\\u001b\":\"\"}}\n",
                to: "nasty.jsonl")
            for arguments in [
                ["history"], ["history", "--json"], ["donate", lines], ["donate", lines, "--json"], ["allow", nasty],
            ] {
                let result = try await run(builtProduct("hunch"), arguments, environment: rig.environment)
                let printed = result.standardOutput + result.standardError
                #expect(!printed.isEmpty)
                #expect(
                    !printed.unicodeScalars.contains(where: isHazardous), "\(arguments): \(printed.debugDescription)")
            }
        }
    }
}
