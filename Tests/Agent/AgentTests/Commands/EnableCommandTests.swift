@testable import DesktopFiles
import AgentInterface
import FoundationEssentials
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Tests of switching on and off without a systemd user manager.
@Suite("hunch enable and disable", .timeLimit(.minutes(15))) struct EnableCommandTests {
    private static let introduction = [
        "Hunch watches audio devices, media players, unlocking, and what apps report about themselves.",
        "It suggests what you may want next. It plays and opens nothing by itself.",
        "What you play, open and travel to is kept in ~/state/hunch for 120 days, readable by you only.",
        "Nothing leaves this machine: the agent does not use the network.",
        "“hunch disable” switches it off again, and “hunch forget --all” deletes what was recorded.",
    ]

    @Test("On a terminal, only the first time introduces Hunch, before it is on")
    func introduced() async throws {
        try await withAgent { rig, _ async throws in
            func shown(_ command: String) async throws -> [String] {
                try await runOnTerminal(builtProduct("hunch"), [command], answers: [], environment: rig.environment)
                    .output().split(separator: "\n").map(String.init)
            }
            let entry = "\(rig.home.configuration)/autostart/org.hunch.Agent.desktop"
            let on = ["Hunch is on.", "It starts at login through \(entry)."]
            #expect(try await shown("enable") == Self.introduction + on)
            #expect(try await shown("enable") == on)
            #expect(try await shown("disable") == ["Hunch is off. What was recorded stays."])
            #expect(try await shown("enable") == on)
        }
        try await withAgent { rig, _ async throws in
            #expect(try await rig.hunch("enable").output().hasPrefix("Hunch is on.\n"))
            #expect(try await rig.agent.status().isEnabled)
        }
    }

    @Test("An autostart entry starts this agent until Hunch is disabled")
    func autostart() async throws {
        try await withTemporaryHome { home in
            let path = home.configuration + "/autostart/org.hunch.Agent.desktop"
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ async throws in
                    func login() async throws -> String {
                        try await rig.hunch("doctor").standardOutput.split(separator: "\n")
                            .first { $0.contains("systemd:") }.map(String.init) ?? ""
                    }
                    #expect(try await login().hasSuffix("and it does not start at login"))
                    #expect(try await rig.hunch("enable").output().hasSuffix("It starts at login through \(path).\n"))
                    #expect(try await login().hasSuffix("and it starts at login through \(path)"))
                    let valid = try await run("desktop-file-validate", [path])
                    #expect(valid == CommandResult(status: .exited(0), standardOutput: "", standardError: ""))
                }
                // The session of the next login.
                let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
                let entry = try DesktopEntry(id: "org.hunch.Agent", text: text)
                #expect(entry.boolean("NoDisplay") && entry.boolean("X-GNOME-Autostart-enabled"))
                let program = try #require(entry.command().first)
                #expect(program == entry.tryExec && program.hasSuffix("/hunchd"))
                let environment = agentEnvironment(bus, home)
                try await withDaemon(
                    Command(program, environment: environment, ready: .busName("org.hunch.Agent1", on: bus))
                ) { _ async throws in
                    let status = try await run(builtProduct("hunch"), ["status"], environment: environment)
                    #expect(status.standardOutput.contains("Hunch\ton\n"))
                    #expect(
                        try await run(builtProduct("hunch"), ["disable"], environment: environment).status == .exited(0)
                    )
                }
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test("A folder that cannot be written leaves the advice")
    func unwritable() async throws {
        try await withAgent { rig, _ async throws in
            try rig.home.directory.write("", to: "config/autostart")
            let enabled = try await rig.hunch("enable")
            #expect(
                enabled.status == .exited(0) && enabled.standardOutput.contains("add hunchd to the programs"),
                "\(enabled)")
            #expect(try await rig.hunch("enable", "--json").output() == "{\"enabled\":true,\"startsAtLogin\":false}\n")
        }
    }
}
