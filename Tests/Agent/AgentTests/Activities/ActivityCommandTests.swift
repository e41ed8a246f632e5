import FoundationEssentials
import HunchModel
import HunchDBus
import TestSupport
import Testing

/// `hunch activity` and `hunch directions --current`, with and without an agent.
@Suite("Activity commands", .timeLimit(.minutes(15))) struct ActivityCommandTests {
    @Test("Commands print, list and continue the current activity")
    func told() async throws {
        try await withActivityAgent { scene in
            let rig = scene.rig
            try await scene.withApp { app in
                _ = try await app.becomeCurrent(
                    ActivityApp.activity("Menu", more: ["url": .string("https://a.example")]))
                let none = try await rig.hunch("directions", "--current")
                #expect(none.status == .exited(1))
                #expect(
                    none.standardError
                        == "hunch: “Menu” of \(ActivityScene.guide) is on the screen, but it is not a place\n")

                _ = try await app.becomeCurrent(ActivityApp.restaurant(phone: "+1 415 555 0123"))
                let current = try await rig.hunch("activity").output()
                #expect(current.contains("title\tYank Sing\n"))
                #expect(current.contains("place\tYank Sing; 37.7922,-122.3931\nphone\t+1 415 555 0123\n"))
                let json = try await rig.hunch("activity", "current", "--json").output()
                #expect(json.contains(#""coordinate":{"latitude":37.7922,"longitude":-122.3931}"#), "\(json)")
                #expect(json.contains(#""payload":null"#) && json.contains(#""phone":"+1 415 555 0123""#))
                let list = try await rig.hunch("activity", "list").output().split(separator: "\n")
                #expect(list.map { $0.split(separator: "\t")[1] } == ["Yank Sing", "Menu"])
                #expect(try await rig.hunch("activity", "list", "--app", "org.example.Other").status == .exited(1))
                let one = try await rig.hunch("activity", "list", "--limit", "1", "--json").output()
                #expect(one.split(separator: "\n").count == 1 && one.contains("Yank Sing"))

                let id = try #require(list.first?.split(separator: "\t").first)
                let method = try await rig.hunch("activity", "continue", String(id), "--json").output()
                #expect(method == "{\"id\":\"\(id)\",\"way\":\"app\"}\n")

                let directions = try await rig.hunch("directions", "--current", "--json").output()
                #expect(directions.contains("to.name=Yank%20Sing") && directions.contains(ActivityScene.maps.rawValue))
            }
            let nothing = try await rig.hunch("directions", "--current", "--json")
            #expect(nothing.status == .exited(1))
            #expect(nothing.standardOutput.contains("no activity is current"))
        }
    }

    @Test("Activity commands report a failure in one line")
    func untold() async throws {
        try await withActivityAgent { scene in
            let rig = scene.rig
            for (arguments, status, word) in [
                (["activity"], 1, "no app reports"), (["activity", "list"], 1, "no app reports"),
                (["activity", "continue", "x"], 1, "no activity begins with “x”"),
                (["activity", "continue", ""], 2, "give an activity"),
                (["activity", "list", "--limit", "0"], 2, "1 to 200"),
                (["directions", "--current", "1", "2"], 2, "not several"), (["directions"], 2, "--current"),
            ] as [([String], Int32, String)] {
                let result = try await run(builtProduct("hunch"), arguments, environment: rig.environment)
                #expect(result.status == .exited(status), "\(result)")
                #expect(result.standardError.hasPrefix("hunch: ") && result.standardError.contains(word), "\(result)")
                #expect(result.standardError.split(separator: "\n").count == 1 && result.standardOutput.isEmpty)
            }
            try await rig.turn(on: false)
            let off = try await rig.hunch("directions", "--current")
            #expect(off.status == .exited(1) && off.standardError.contains("Hunch is off"), "\(off)")
        }
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                let result = try await run(
                    builtProduct("hunch"), ["directions", "--current"], environment: agentEnvironment(bus, home))
                #expect(result.status == .exited(3) && result.standardError.contains("not installed"), "\(result)")
            }
        }
    }
}
