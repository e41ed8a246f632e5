import Agent
import Services
import AgentInterface
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// Tests of commands while the agent hangs, does not run, or has no answer.
@Suite(.serialized, .timeLimit(.minutes(15))) struct CommandAnswerTests {
    private struct Finding: Decodable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
    }

    private func findings(_ environment: [String: String]) async throws -> [Finding] {
        let result = try await run(builtProduct("hunch"), ["doctor", "--json"], environment: environment)
        return try result.standardOutput.split(separator: "\n").map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
    }

    /// Every remedy is a valid shell command.
    private func check(_ findings: [Finding]) async throws {
        for remedy in findings.compactMap(\.remedy) {
            let result = try await run("/bin/sh", ["-n", "-c", remedy])
            #expect(result.status == .exited(0), "\(remedy): \(result)")
            #expect(!remedy.contains("FILE"))
        }
    }

    @Test func `A hanging agent is reported within seconds with a remedy`() async throws {
        try await withAgent { rig, daemon in
            daemon.signal(SIGSTOP)
            defer { daemon.signal(SIGCONT) }
            let start = ContinuousClock.now
            let commands = [
                ["status"], ["devices"], ["players"], ["suggestions"], ["simulate", "headset"], ["explain", "s1"],
                ["suggestions", "--watch"],
            ]
            try await withThrowingTaskGroup { group in
                for command in commands {
                    group.addTask {
                        let result = try await run(builtProduct("hunch"), command, environment: rig.environment)
                        #expect(result.status == .exited(3), "\(result)")
                        #expect(result.standardError.hasPrefix("hunch: the agent does not answer; "), "\(result)")
                        #expect(result.standardError.split(separator: "\n").count == 1)
                    }
                }
                try await group.waitForAll()
            }
            // Well below the 25 s that a call takes by default.
            #expect(ContinuousClock.now - start < .seconds(24))
            let findings = try await findings(rig.environment)
            let agent = try #require(findings.first { $0.check == "agent" })
            #expect(agent.state == "missing" && agent.message.contains("does not answer"))
            #expect(agent.remedy == "kill -KILL \(daemon.processIdentifier)")
            try await check(findings)
        }
    }

    @Test func `An agent that does not run is reported, not started`() async throws {
        try await withTemporaryHome { home in
            let services = home.directory.file("services")
            try home.directory.write(
                "[D-BUS Service]\nName=\(HunchNames.agent.text)\nExec=/bin/false\n",
                to: "services/\(HunchNames.agent.text).service")
            try await withPrivateBus(serviceDirectories: [services]) { bus in
                let environment = agentEnvironment(bus, home)
                for command in [["suggestions"], ["accept", "s1"], ["dismiss", "s1", "--json"], ["explain", "s1"]] {
                    let result = try await run(builtProduct("hunch"), command, environment: environment)
                    #expect(result.status == .exited(1), "\(result)")
                    #expect(result.standardError.hasPrefix("hunch: the agent is not running, so nothing is suggested"))
                }
                // Commands that need the agent report that it cannot be started.
                let devices = try await run(builtProduct("hunch"), ["devices"], environment: environment)
                #expect(devices.status == .exited(3) && !devices.standardError.isEmpty, "\(devices)")
                try await check(findings(environment))
            }
        }
    }

    @Test func `A device present before the agent is shown as such`() async throws {
        try await withMediaScene(isEnabled: false, configure: { $0.firstLookTime = .seconds(60) }) { scene in
            try await scene.putOn()
            #expect(try await scene.rig.hunch("enable").status == .exited(0))
            let first = try await scene.rig.hunch("devices", "--json")
            #expect(first.standardOutput.contains(#""connected":true"#), "\(first)")
            try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
            let devices = try await scene.rig.hunch("devices").output()
            #expect(devices.contains("already connected when Hunch began to watch"), "\(devices)")
            let suggestions = try await scene.rig.hunch("suggestions")
            #expect(suggestions.status == .exited(1))
            #expect(
                suggestions.standardError.contains("It was already connected when Hunch began to watch"),
                "\(suggestions)")
        }
    }

    @Test func `A device without plays is named as the reason`() async throws {
        try await withMediaScene(played: []) { scene in
            let simulated = try await scene.rig.hunch("simulate", "headset", "--json")
            #expect(simulated.status == .exited(1))
            #expect(
                simulated.standardError == "hunch: nothing would be suggested: nothing was played on the headset yet\n")
            #expect(simulated.standardOutput.contains(#"{"error":{"code":"notFound","message":"nothing would"#))
            let players = try await scene.rig.hunch("players")
            #expect(players.status == .exited(1) && players.standardError == "hunch: no media player runs\n")
        }
    }

    @Test func `doctor shows holds and damage with working remedies`() async throws {
        try await withTemporaryHome { home in
            let broken = try home.directory.write("{", to: "data/hunch/regions/my area.geojson")
            let aside = "hunch/history.sqlite.corrupt-20260102T030405Z"
            let files = try ["", "-wal"].map { try home.directory.write("x", to: "state/\(aside)\($0)") }
            let found = try await findings(home.environment)
            try await check(found)
            let coverage = try #require(found.first { $0.remedy?.contains("validate") == true })
            #expect(coverage.check == "coverage" && coverage.remedy == "hunch regions validate '\(broken)'")
            let damaged = try #require(found.first { $0.check == "history-set-aside" })
            #expect(damaged.state == "limited" && damaged.message.contains(aside))
            let remedy = try #require(damaged.remedy)
            #expect(try await run("/bin/sh", ["-c", remedy]).status == .exited(0))
            #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
            #expect(try await !findings(home.environment).contains { $0.check == "history-set-aside" })
        }
    }

    @Test func `doctor shows the agent's own report`() async throws {
        try await withTemporaryHome { home in
            try home.directory.write("{", to: "data/hunch/regions/bad.geojson")
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ in
                    let status = try await rig.agent.status().transfer
                    let problems: [String] = try status.require("problems")
                    let found = try await findings(rig.environment)
                    #expect(found.filter { $0.check == "agent-problem" }.map(\.message) == problems)
                    #expect(!problems.isEmpty)
                    try await check(found)
                }
            }
        }
    }

    @Test func `Agent and command have one version`() async throws {
        let command = try await run(builtProduct("hunch"), ["--version"]).output()
        #expect(try await run(builtProduct("hunchd"), ["--version"]).output() == command)
        #expect(command == HunchVersion.full + "\n")
    }
}
