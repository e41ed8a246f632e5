import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// What `hunch donate` takes in, and how `hunch history` tells it.
@Suite("Donations by the command", .timeLimit(.minutes(2))) struct DonateCommandTests {
    @Test("hunch donate refuses what is no JSON and what is nobody's, and of an export all of it")
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
            #expect(complaints[0] == "hunch: line 1: “application” or “kind” is empty")
            #expect(complaints[1].hasPrefix("hunch: line 2: it is no JSON: ") && complaints[1].hasSuffix("column 109"))
            #expect(try await rig.codes([Item.play("x", more: ["application": .string("")])]) == ["invalidInput"])
            #expect(try rig.donations().map(\.application) == ["org.example.App"])

            let export = rig.home.directory.file("export.jsonl")
            #expect(try await rig.hunch("export", export).status == .exited(0))
            let text = try String(contentsOfFile: export, encoding: .utf8)
            let bad = text.replacing(#""kind":"playMedia","#, with: #""kind":"playMedia",,"#)
            #expect(bad != text)
            try rig.home.directory.write(bad, to: "bad.jsonl")
            _ = try await rig.agent.forget(["all": .boolean(true)])
            let refused = try await rig.hunch("donate", rig.home.directory.file("bad.jsonl"))
            #expect(refused.status == .exited(2), "\(refused)")
            #expect(refused.standardError.contains(": it is no JSON: "), "\(refused)")
            #expect(try rig.donations().isEmpty)
            #expect(try await rig.hunch("donate", export).status == .exited(0))
            #expect(try rig.donations().count == 1)
        }
    }

    @Test("hunch history tells what was done in the words of its kind, also of one that an app declared")
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
            let coffee: VariantMap = ["application": .string("org.example.Coffee")]
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
            // The app went, and with it its words.
            try FileManager.default.removeItem(
                atPath: rig.home.directory.file("data/applications/org.example.Coffee.desktop"))
            #expect(try await history("C.UTF-8").contains { $0.hasSuffix("orderCoffee drink=Mokka") })
        }
    }
}
