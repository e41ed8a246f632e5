import AgentInterface
import HunchModel
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct HostileInputTests {
    /// Line ends, escape sequences of terminals, a reversal of direction, and what is next to a NUL.
    private static let nasty = "Yank\u{1}\r\n\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}gniS\u{7F}\u{2066}\u{FFFF}\u{10FFFF}"

    @Test func `No text crashes the agent or reaches a terminal raw`() async throws {
        try await withAgent { rig, daemon in
            try rig.installMapApp()
            let place: VariantMap = [
                "name": .string(Self.nasty), "street": .string(Self.nasty), "latitude": .double(48.8584),
                "longitude": .double(2.2945),
            ]
            let answer = try await rig.suggest(["destination": place.dbusValue])
            #expect(!answer.suggestions.isEmpty)
            for arguments in [["suggestions", "--all"], ["suggestions", "--all", "--json"]] {
                let result = try await run(builtProduct("hunch"), arguments, environment: rig.environment)
                #expect(result.status == .exited(0))
                #expect(result.standardOutput.split(separator: "\n").count == answer.suggestions.count)
                let loose = result.standardOutput.unicodeScalars.filter {
                    $0.value < 0x20 && !["\n", "\t"].contains($0) || (0x7F..<0xA0).contains($0.value)
                        || (arguments.count == 2 && (0x202A...0x202E).contains($0.value))
                }
                #expect(loose.isEmpty || arguments.count == 3)
            }
            #expect(daemon.isRunning)
        }
    }

    @Test func `Text of any length gets one error and loses nothing`() async throws {
        try await withAgent { rig, daemon in
            try rig.installMapApp()
            try await rig.importPlaces()
            let long = String(repeating: "a", count: 1 << 20)
            let manyWords = String(repeating: "a ", count: 500)
            for text in [long, manyWords, "geo:" + long, "directions:?to=" + long, "https://" + long] {
                let map: VariantMap = ["query": .string(text)]
                for request: VariantMap in [["uri": .string(text)], ["destination": map.dbusValue]] {
                    let answer = try await rig.refusal { _ = try await $0.suggest(request) }
                    let refusal = try #require(answer)
                    #expect([.invalidInput, .notFound].contains(refusal.name), "\(refusal)")
                    #expect(refusal.message.utf8.count < 1_000)
                }
            }
            // Search words: no character in them ends the link or remains unescaped in it.
            let words = try await rig.suggest(["uri": .string(Self.nasty)])
            let link = try #require(try words.resolved.value("uri", as: String.self))
            #expect(link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(link)")
            let refusal = try await rig.refusal { _ = try await $0.agent.geocode(long) }
            #expect(refusal?.name == .invalidInput)
            for (latitude, longitude) in [(Double.nan, 0), (0, .infinity), (-.infinity, 0), (1e300, 0)] {
                let refusal = try await rig.refusal {
                    _ = try await $0.agent.reverseGeocode(latitude: latitude, longitude: longitude)
                }
                #expect(refusal?.name == .invalidInput)
            }
            for limit in [UInt32.min, .max] {
                #expect(try await (1...100).contains(rig.agent.geocode("Paris", limit: limit).count))
            }
            let modes = Array(repeating: "car", count: 10_000)
            let many = try await rig.suggest(["uri": .string("geo:1,2"), "modes": modes.dbusValue])
            #expect(!many.suggestions.isEmpty)
            var crowd: VariantMap = ["uri": .string("geo:1,2")]
            for number in 0..<10_000 { crowd["x-key-\(number)"] = .string("x") }
            #expect(try await !rig.suggest(crowd).suggestions.isEmpty)
            #expect(daemon.isRunning)
        }
    }

    @Test func `A flood of requests keeps the documented number`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            for number in 0..<40 {
                _ = try await rig.suggest(["uri": .string("geo:\(number),2")])
            }
            let offered = try await rig.agent.suggestions()
            #expect(offered.count <= 64)
            #expect(offered.contains { $0.application == "org.example.Maps" })
        }
    }

    @Test(arguments: ["bad-id", "", "../root", "s/1", "ü", "s1"])
    func `An invalid suggestion identifier gets one clear line`(name: String) async throws {
        try await withAgent { rig, _ in
            for command in ["accept", "dismiss", "explain"] {
                let result = try await rig.hunch(command, name)
                #expect(result.status == .exited(name.isEmpty ? 2 : 1), "\(result)")
                #expect(result.standardError.split(separator: "\n").count == 1)
                #expect(result.standardError.hasPrefix("hunch: "))
            }
        }
    }
}
