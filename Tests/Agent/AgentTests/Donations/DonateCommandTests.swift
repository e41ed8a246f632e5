import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Tests of `hunch donate` and `hunch history`.
@Suite("Donation commands", .timeLimit(.minutes(15))) struct DonateCommandTests {
    @Test("hunch donate skips bad lines and refuses a broken export")
    func strictInput() async throws {
        try await withDonationAgent { rig in
            func line(_ application: String, _ end: String = "}") -> String {
                #"{"application":"\#(application)","date":"2025-06-02T09:00:00Z","kind":"playMedia","parameters":{"item":"a"}"#
                    + end
            }
            try rig.home.directory.write(
                [line(""), line("org.example.App", ",}"), line("org.example.App")].joined(separator: "\n"),
                to: "lines.jsonl")
            let result = try await rig.hunch("donate", rig.home.directory.file("lines.jsonl"))
            #expect(
                result.status == .exited(2) && result.standardOutput.hasPrefix("1 accepted, 2 refused"), "\(result)")
            let complaints = result.standardError.split(separator: "\n")
            try #require(complaints.count == 2, "\(complaints)")
            #expect(complaints[0] == "hunch: line 1: “app” is empty")
            #expect(complaints[1].hasPrefix("hunch: line 2: it is not JSON: ") && complaints[1].hasSuffix("column 109"))
            #expect(try await rig.codes([Item.play("x", more: ["app": .string("")])]) == ["invalidInput"])
            #expect(try rig.donations().map(\.application) == ["org.example.App"])

            let export = rig.home.directory.file("export.jsonl")
            #expect(try await rig.hunch("export", export).status == .exited(0))
            let text = try String(contentsOfFile: export, encoding: .utf8)
            let bad = text.replacing(#""kind":"playMedia","#, with: #""kind":"playMedia",,"#)
            #expect(bad != text)
            try rig.home.directory.write(bad, to: "bad.jsonl")
            _ = try await rig.agent.forget(.everything)
            let refused = try await rig.hunch("donate", rig.home.directory.file("bad.jsonl"))
            #expect(refused.status == .exited(2), "\(refused)")
            #expect(refused.standardError.contains(": it is not JSON: "), "\(refused)")
            #expect(try rig.donations().isEmpty)
            #expect(try await rig.hunch("donate", export).status == .exited(0))
            #expect(try rig.donations().count == 1)
        }
    }

    @Test("hunch history describes actions in the words of their kind")
    func words() async throws {
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Coffee
            Exec=coffee

            [org.hunch.Donations1 Kind orderCoffee]
            Parameters=drink;
            Combinations=drink;
            Summary=Order {drink}
            Summary[de]={drink} bestellen

            """
        try await withDonationAgent(
            prepare: { try $0.directory.write(entry, to: "data/applications/org.example.Coffee.desktop") }
        ) { rig in
            let coffee: VariantMap = ["app": .string("org.example.Coffee")]
            #expect(
                try await rig.codes([
                    Item.of("orderCoffee", ["drink": "Mokka"], more: coffee),
                    Item.of("openItem", ["uri": "file:///home/ann/report.pdf"], more: coffee),
                ]) == ["", ""])
            func history(_ locale: String) async throws -> [String] {
                let environment = rig.environment.merging(["LC_ALL": locale]) { $1 }
                return try await run(builtProduct("hunch"), ["history"], environment: environment).output()
                    .split(separator: "\n").map(String.init)
            }
            let english = try await history("C.UTF-8")
            #expect(english.contains { $0.hasSuffix("Order Mokka") }, "\(english)")
            #expect(english.contains { $0.hasSuffix("Open report.pdf") }, "\(english)")
            #expect(try await history("de_DE.UTF-8").contains { $0.hasSuffix("Mokka bestellen") })
            // The app was removed, and with it the words for its kinds.
            try FileManager.default.removeItem(
                atPath: rig.home.directory.file("data/applications/org.example.Coffee.desktop"))
            #expect(try await history("C.UTF-8").contains { $0.hasSuffix("orderCoffee drink=Mokka") })
        }
    }

    @Test("Donating an export restores every donation")
    func roundTrip() async throws {
        try await withPrivacyAgent(prepare: { home in
            let store = try Planted.store(in: home)
            try store.setCategory(.messages, isAllowed: true)
            try store.record(
                Donation(
                    application: Planted.keptApp, kind: .sendMessage,
                    parameters: ["recipient": "é", "name": "\u{1F600}"],
                    date: Planted.now, combination: ["recipient"]), now: Planted.now)
            try store.close()
        }) { rig in
            let before = try rig.donations()
            #expect(before.count == 8)
            let path = rig.home.directory.file("mine.jsonl")
            _ = try await rig.hunch("export", path).output()
            _ = try await rig.agent.forget(.everything)
            #expect(try rig.donations().isEmpty)
            let result = try await rig.hunch("donate", path)
            #expect(result.status == .exited(0) && result.standardOutput.contains(" imported\n"), "\(result)")
            let after = try rig.donations()
            #expect(after.count == 8)
            for (old, new) in zip(before, after) {
                #expect(old.identity == new.identity && old.parameters == new.parameters && old.date == new.date)
                #expect(old.context == new.context && old.identifier == new.identifier && old.group == new.group)
                #expect(old.application == new.application && old.kind == new.kind)
            }
            // A second export has the same donations.
            let again = try await rig.hunch("export").output()
            let first = try rig.home.directory.read("mine.jsonl")
            func donations(_ text: String) -> [Substring] {
                text.split(separator: "\n").filter { $0.contains(#""type":"donation""#) }
            }
            #expect(donations(again) == donations(first))
        }
    }

    @Test("hunch donate reports errors by line and accepts the rest")
    func donateCommand() async throws {
        try await withDonationAgent { rig in
            let good =
                #"{"application":"org.example.App","kind":"playMedia","parameters":{"item":"a"},"date":"2025-06-02T09:00:00Z"}"#
            let bad = #"{"application":"org.example.App","kind":"fly","parameters":{"item":"a"}}"#
            try rig.home.directory.write(
                [good, "nonsense", "", #"{"type":"end"}"#, bad, String(repeating: "x", count: 2 << 20), good].joined(
                    separator: "\n"),
                to: "lines.jsonl")
            let path = rig.home.directory.file("lines.jsonl")
            let result = try await rig.hunch("donate", path)
            #expect(result.status == .exited(2))
            #expect(result.standardOutput == "2 accepted, 3 refused, 1 of other types\n")
            let complaints = result.standardError.split(separator: "\n")
            #expect(
                complaints.count == 3 && zip(complaints, [2, 5, 6]).allSatisfy { $0.contains("line \($1): ") },
                "\(complaints)")
            let json = try await rig.hunch("donate", path, "--json")
            #expect(json.status == .exited(2) && json.standardOutput.contains(#""code":"unknownKind""#), "\(json)")
            #expect(json.standardOutput.split(separator: "\n").count == 1)
            #expect(try rig.donations().count == 4)
            let missing = try await rig.hunch("donate", path + ".none")
            #expect(missing.status == .exited(2) && missing.standardError.contains("cannot be read"))
            let history = try await rig.hunch("history", "--limit", "1").output()
            #expect(history.contains("org.example.App"))
            let none = try await rig.hunch("history", "--kind", "openItem")
            #expect(none.status == .exited(1))
            #expect(none.standardError == "hunch: nothing of the kind openItem was recorded\n")
            try await rig.agent.pause()
            #expect(try await rig.hunch("donate", path).status == .exited(2))
            try rig.home.directory.write(good + "\n", to: "good.jsonl")
            #expect(try await rig.hunch("donate", rig.home.directory.file("good.jsonl")).status == .exited(3))
        }
    }
}
