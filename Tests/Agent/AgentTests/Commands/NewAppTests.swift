import AgentInterface
import FoundationEssentials
import Glibc
import History
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// `hunch-dev new` and `hunch-dev check`: each generated app takes part with a real agent as it stands.
@Suite("Generated apps", .timeLimit(.minutes(15))) struct NewAppTests {
    private static let app: AppID = "org.example.Guide"

    /// Generates an app, and installs its entry as the command says.
    private func generate(_ kind: String, in rig: AgentRig) async throws -> (program: String, output: String) {
        let folder = rig.home.directory.file("made")
        let made = try await run(
            builtProduct("hunch-dev"), ["new", kind, Self.app.rawValue, "--folder", folder],
            environment: rig.environment)
        let output = try made.output()
        for line in output.split(separator: "\n") where line.contains("&& cp") {
            _ = try await run("/bin/sh", ["-c", String(line)], environment: rig.environment).output()
        }
        let entry = rig.home.directory.file("data/applications/\(Self.app).desktop")
        let valid = try await run("desktop-file-validate", [entry])
        #expect(valid.status == .exited(0) && valid.standardOutput.isEmpty, "\(valid)")
        return (folder + "/guide.py", output)
    }

    private func check(_ rig: AgentRig) async throws -> CommandResult {
        try await run(builtProduct("hunch-dev"), ["check", Self.app.rawValue], environment: rig.environment)
    }

    /// Runs the generated program with its own identity.
    private func start(
        _ program: String, _ rig: AgentRig, _ body: nonisolated(nonsending) (Daemon) async throws -> Void
    ) async throws {
        var command = Command("/usr/bin/python3", ["-u", program], environment: rig.environment)
        command.readiness = .busName(Self.app.rawValue, on: rig.bus)
        try await withDaemon(command, body)
    }

    @Test("A generated player is suggested, plays, and keeps every requirement")
    func media() async throws {
        try await withMediaScene(played: []) { scene in
            let (program, output) = try await generate("media", in: scene.rig)
            #expect(output.contains("hunch enable") && output.contains("hunch-dev conformance org.example.Guide"))
            let before = try await check(scene.rig)
            #expect(before.status == .exited(0) && before.standardOutput.contains("does not run"), "\(before)")
            try await start(program, scene.rig) { app in
                let checked = try await check(scene.rig)
                #expect(checked.status == .exited(0) && checked.standardOutput.contains("✓ identity"), "\(checked)")
                let kept = try await run(
                    builtProduct("hunch-dev"), ["conformance", Self.app.rawValue, "--play", "episode-2"],
                    environment: scene.rig.environment)
                #expect(kept.status == .exited(0), "\(kept)")
                try await app.waitForLine(containing: "playing Episode 2")
            }
            try await start(program, scene.rig) { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing Episode")
            }
        }
    }

    @Test("A caused trigger offers a generated player, though there is no such device")
    func caused() async throws {
        try await withMediaScene(played: []) { scene in
            let (program, _) = try await generate("media", in: scene.rig)
            try await start(program, scene.rig) { app in
                let caused = try await run(
                    builtProduct("hunch-dev"), ["trigger", "car"], environment: scene.rig.environment)
                #expect(caused.status == .exited(0) && caused.standardOutput.contains("Episode"), "\(caused)")
                let shown = try await scene.notifications.request(1)
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing Episode")
            }
            let unknown = try await run(
                builtProduct("hunch-dev"), ["trigger", "broom"], environment: scene.rig.environment)
            #expect(unknown.status == .exited(2) && unknown.standardError.contains("headphones"), "\(unknown)")
        }
    }

    @Test("A generated app shows an activity and continues it")
    func activity() async throws {
        try await withMediaScene { scene in
            let (program, _) = try await generate("activity", in: scene.rig)
            let unstarted = try await check(scene.rig)
            #expect(unstarted.standardOutput.contains("✓ activation"), "\(unstarted)")
            try await start(program, scene.rig) { app in
                let checked = try await check(scene.rig)
                #expect(checked.status == .exited(0), "\(checked)")
                let listed = try await scene.rig.hunch("activity", "--json").output()
                #expect(listed.contains("Yank Sing"))
                let current = try #require(try await scene.rig.agent.currentActivity())
                _ = try await scene.rig.hunch("activity", "continue", current.id).output()
                try await app.waitForLine(containing: "going on with Yank Sing")
            }
        }
    }

    @Test("A generated app indexes its notes and shows the one that was found")
    func index() async throws {
        try await withMediaScene { scene in
            let (program, _) = try await generate("index", in: scene.rig)
            try await start(program, scene.rig) { app in
                let found = try await eventually("the note", because: "the index has no signal") {
                    try await scene.rig.agent.find(.init("dim sum")).first
                }
                #expect(try await check(scene.rig).status == .exited(0))
                _ = try await scene.rig.hunch("open", found.id).output()
                try await app.waitForLine(containing: "showing note \(found.id)")
            }
        }
    }

    @Test("A generated app donates what was opened")
    func donor() async throws {
        try await withMediaScene { scene in
            let (program, _) = try await generate("donor", in: scene.rig)
            #expect(try await check(scene.rig).status == .exited(0))
            let opened = try await run(program, ["https://example.org/1"], environment: scene.rig.environment)
            #expect(try opened.output() == "opened https://example.org/1\n")
            #expect(try scene.rig.donations().contains { $0.application == Self.app && $0.kind == .openItem })
        }
    }

    @Test("A generated routing app is offered, and gets the place")
    func routing() async throws {
        try await withMediaScene { scene in
            _ = try await generate("routing", in: scene.rig)
            #expect(try await check(scene.rig).status == .exited(0))
            let offered = try await scene.rig.hunch("directions", "48.85,2.35", "--all").output()
            #expect(offered.contains("Guide"), "\(offered)")
        }
    }

    @Test("The check finds what an app serves and does not declare")
    func undeclared() async throws {
        try await withMediaScene { scene in
            let entry = scene.rig.home.directory.file("data/applications/\(Self.app).desktop")
            func check(_ lines: String) async throws -> CommandResult {
                try scene.rig.home.directory.write(
                    "[Desktop Entry]\nType=Application\nName=Guide\nExec=\(builtProduct("playable-app"))\n\(lines)\n",
                    to: "data/applications/\(Self.app).desktop")
                return try await self.check(scene.rig)
            }
            let name = "\(Self.app).Hunch"
            let app = Command(
                try builtProduct("playable-app"), [name], environment: scene.rig.environment,
                ready: .busName(name, on: scene.rig.bus))
            try await withDaemon(app) { _ in
                let silent = try await check("X-Hunch-BusName=\(name)")
                #expect(
                    silent.standardOutput.contains("add org.hunch.PlayableContent1; to Implements in \(entry)"),
                    "\(silent)")
                #expect(silent.status == .exited(2))
                let declared = try await check("X-Hunch-BusName=\(name)\nImplements=org.hunch.PlayableContent1;")
                #expect(declared.status == .exited(0) && declared.standardOutput.contains("✓ service"), "\(declared)")
                let wrong = try await check("X-Hunch-BusName=org.example.Other\nImplements=org.hunch.PlayableContent1;")
                #expect(
                    wrong.standardOutput.contains("“org.example.Other” is not; for example \(name)")
                        && wrong.status == .exited(2), "\(wrong)")
            }
        }
    }

    @Test("The check names every fault")
    func faults() async throws {
        try await withMediaScene { scene in
            try scene.rig.home.directory.write(
                """
                [Desktop Entry]
                Type=Application
                Name=Guide
                Exec=python3 guide.py
                Implements=org.hunch.PlayableContent;org.hunch.IndexDelegate1;org.hunch.RoutingApp1;

                [org.hunch.RoutingApp1]
                Modes=hovercraft;

                [org.hunch.Donation1 Kind visit]
                Summary=Visit

                [org.hunch.Donations1 Kind show]
                Parameters=show;
                Combinations=room;
                Summary=Show {show}

                """, to: "data/applications/\(Self.app).desktop")
            let result = try await check(scene.rig)
            #expect(result.status == .exited(2))
            for fault in [
                "Exec names no program",
                "“org.hunch.PlayableContent” is unknown; did you mean “org.hunch.PlayableContent1”?",
                "“org.hunch.Donation1 Kind visit” is unknown", "✗ kinds", "hovercraft", "DBusActivatable=true",
            ] {
                #expect(result.standardOutput.contains(fault), "\(fault): \(result.standardOutput)")
            }
            let absent = try await run(
                builtProduct("hunch-dev"), ["check", "org.example.Absent"], environment: scene.rig.environment)
            #expect(absent.status == .exited(1) && absent.standardError.contains("org.example.Absent.desktop"))
            let wrong = try await run(
                builtProduct("hunch-dev"), ["new", "media", "radio!"], environment: scene.rig.environment)
            #expect(wrong.status == .exited(2) && wrong.standardError.contains("org.example.Radio"), "\(wrong)")
        }
    }
}
