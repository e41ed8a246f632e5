import AgentInterface
import HunchModel
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// Tests of the `hunch` commands that call the agent.
@Suite(.timeLimit(.minutes(15))) struct CommandTests {
    private struct Line: Decodable {
        var id: String
        var state: String
        var app: String?
        var title: String?
    }

    private struct Status: Decodable {
        var running: Bool
        var enabled: Bool
        var pid: UInt32?
        var parts: [Part]
        var history: String?

        struct Part: Decodable { var part, state: String }
        var bluez: String? { parts.first { $0.part == "bluez" }?.state }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private static let agentCommands = [
        ["status"], ["enable"], ["disable"], ["suggestions"], ["suggestions", "--watch"], ["accept", "s1"],
        ["dismiss", "s1"], ["explain", "s1"], ["players"], ["devices"], ["simulate", "headphones"],
    ]

    @Test(arguments: agentCommands)
    func `Without a session bus, each command says so in one line`(arguments: [String]) async throws {
        try await withTemporaryHome { home in
            let result = try await run(builtProduct("hunch"), arguments, environment: home.environment)
            #expect(result.status == .exited(3), "\(result)")
            #expect(result.standardOutput.isEmpty)
            #expect(result.standardError.hasPrefix("hunch: "))
            #expect(result.standardError.split(separator: "\n").count == 1, "\(result)")
            #expect(result.standardError.contains("bus"), "\(result)")
        }
    }

    @Test(arguments: agentCommands)
    func `Without an installed agent, each command says what to do`(
        arguments: [String]
    ) async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                let result = try await run(
                    builtProduct("hunch"), arguments, environment: agentEnvironment(bus, home))
                switch arguments[0] {
                case "status":
                    #expect(result.status == .exited(0))
                    #expect(result.standardOutput.contains("not running"))
                default:
                    #expect(result.status == .exited(3), "\(result)")
                    #expect(result.standardError.contains("make install"), "\(result)")
                }
                #expect(result.standardError.split(separator: "\n").count <= 1, "\(result)")
            }
        }
    }

    @Test func `status shows on and off`() async throws {
        try await withAgent { rig, daemon in
            var status = try decode(Status.self, try await rig.hunch("status", "--json").output())
            #expect(status.running && !status.enabled && status.bluez == "off")
            #expect(status.pid == UInt32(daemon.processIdentifier))
            #expect(status.history == StoreFile(home: rig.home).path)
            #expect(try await rig.hunch("enable", "--json").output() == "{\"enabled\":true,\"startsAtLogin\":true}\n")
            status = try decode(Status.self, try await rig.hunch("status", "--json").output())
            #expect(status.enabled && status.bluez != "off")
            let text = try await rig.hunch("status").output()
            #expect(text.contains("Hunch\ton\n"))
            #expect(try await rig.hunch("disable").output() == "Hunch is off. What was recorded stays.\n")
            #expect(try await rig.hunch("status").output().contains("off; “hunch enable”"))
        }
    }

    @Test func `An unknown trigger is named before the agent starts`() async throws {
        for (arguments, words) in [
            (["simulate", "toaster"], "there is no “toaster”; the kinds of device are headphones, headset, "),
            (["simulate", "arrive:"], "there is no “arrive:”; the kinds of device are "),
            (["simulate", "arrive:moon"], "“moon” is not a place that Hunch learns; "),
            (["simulate", "leave:place-0"], "“place-0” is not a place that Hunch learns; "),
            (["simulate", ""], "there is no “”; "),
        ] {
            let environment = ["PATH": "/usr/bin", "HOME": "/nonexistent"]
            let result = try await run(builtProduct("hunch"), arguments, environment: environment)
            #expect(result.status == .exited(2) && result.standardError.contains(words), "\(result)")
            #expect(result.standardError.contains("login, unlock, resume, arrive:PLACE, leave:PLACE"), "\(result)")
        }
    }

    @Test(arguments: [["players"], ["devices"], ["simulate", "headphones"]])
    func `While Hunch is off, empty results say why`(arguments: [String]) async throws {
        try await withAgent { rig, _ in
            let result = try await run(builtProduct("hunch"), arguments, environment: rig.environment)
            #expect(result.status == .exited(1))
            #expect(result.standardError == "hunch: Hunch is off; “hunch enable” switches it on\n")
        }
    }

    @Test func `Suggestions are listed, explained, dismissed and accepted`() async throws {
        try await withAgent { rig, _ in
            let nothing = try await rig.hunch("suggestions")
            #expect(nothing.status == .exited(1))
            #expect(nothing.standardError == "hunch: Hunch is off; “hunch enable” switches it on\n")
            try rig.installMapApp()
            _ = try await rig.suggest(["uri": .string("geo:48.85,2.35")])
            let lines = try await rig.hunch("suggestions", "--all", "--json").output().split(separator: "\n").map {
                try decode(Line.self, String($0))
            }
            let maps = try #require(lines.first { $0.app == "org.example.Maps" })
            #expect(maps.state == "offered" && maps.title?.isEmpty == false)
            #expect(try await rig.hunch("explain", maps.id).output().contains("it is installed"))
            let ambiguous = try await rig.hunch("explain", "s")
            #expect(ambiguous.status == .exited(2) && ambiguous.standardError.contains("more letters"))
            #expect(try await rig.hunch("explain", String(maps.id.prefix(12))).status == .exited(0))
            let other = try #require(lines.first { $0.id != maps.id })
            #expect(
                try await rig.hunch("dismiss", other.id, "--json").output()
                    == #"{"id":"\#(other.id)","state":"dismissed"}"# + "\n")
            let unnamed = try await rig.hunch("accept", "")
            #expect(unnamed.status == .exited(2) && unnamed.standardError.contains("name a suggestion"))
            #expect(try await rig.hunch("accept", maps.id).output() == "Accepted: \(maps.title ?? "")\n")
            #expect(try await rig.started("org.example.Maps").first?.hasPrefix("geo:48.85,2.35") == true)
            for command in ["accept", "dismiss", "explain"] {
                let result = try await rig.hunch(command, maps.id)
                #expect(result.status == .exited(1))
                #expect(
                    result.standardError
                        == "hunch: nothing that begins with “\(maps.id)” is suggested now; “hunch suggestions” lists what is\n"
                )
            }
        }
    }

    @Test func `Without an identifier, no answer to a request is accepted, explained or dismissed`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            for command in ["accept", "dismiss", "explain"] {
                let result = try await rig.hunch(command)
                #expect(result.status == .exited(1) && result.standardError.contains("Hunch is off"), "\(result)")
            }
            try await rig.agent.enable()
            _ = try await rig.suggest(["uri": .string("geo:48.85,2.35")])
            let best = try #require(try await rig.agent.suggestions().max { $0.score < $1.score })
            #expect(try await rig.hunch("explain", "--find", "x").status == .exited(2))
            for command in ["accept", "dismiss", "explain"] {
                let result = try await rig.hunch(command)
                #expect(result.status == .exited(1), "\(result)")
                #expect(result.standardError.hasPrefix("hunch: nothing is suggested now"), "\(result)")
            }
            #expect(
                try await rig.hunch("dismiss", best.id, "--json").output()
                    == #"{"id":"\#(best.id)","state":"dismissed"}"# + "\n")
            #expect(try await !rig.agent.suggestions().contains { $0.id == best.id })
        }
    }

    @Test func `doctor ticks nothing that is off, not allowed or empty`() async throws {
        try await withAgent { rig, _ in
            for setting in ["disable", "enable"] {
                _ = try await rig.hunch(setting).output()
                let lines = try await rig.hunch("doctor").standardOutput.split(separator: "\n")
                for subject in ["location", "calendar", "history"] {
                    #expect(lines.contains { $0.hasPrefix("– \(subject): ") }, "\(setting): \(lines)")
                }
            }
        }
    }

    @Test func `Watching follows all states and the agent's end`()
        async throws
    {
        try await withAgent { rig, daemon in
            try rig.installMapApp()
            let first = try await rig.suggest(["uri": .string("geo:48.85,2.35")])
            let watch = Command(
                try builtProduct("hunch"), ["suggestions", "--watch", "--all", "--json"], environment: rig.environment)
            try await withDaemon(watch) { watch in
                let before = try #require(first.suggestions.first).lastElement
                let line = try await watch.waitForLine(containing: before)
                #expect(try decode(Line.self, line).state == "offered")
                _ = try await rig.hunch("dismiss", before).output()
                try await watch.waitForLine(containing: #"{"id":"\#(before)","state":"dismissed"}"#)
                try await watch.waitForLine(containing: #"{"id":"\#(before)","state":"gone"}"#)
                // Each was reported once.
                #expect(watch.count(of: line) == 1)

                let second = try await rig.suggest(["uri": .string("geo:48.86,2.36")])
                let after = try #require(second.suggestions.first).lastElement
                try await watch.waitForLine(containing: after)
                daemon.signal(15)
                try await watch.waitForLine(containing: #"{"id":"\#(after)","state":"gone"}"#)
                #expect(watch.isRunning)
            }
        }
    }
}
