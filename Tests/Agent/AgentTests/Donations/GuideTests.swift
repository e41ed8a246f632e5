import FoundationEssentials
import History
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Runs the examples of the guide for app developers.
@Suite("Guide for app developers", .timeLimit(.minutes(15))) struct GuideTests {
    private static let guide = Guide("Donating")
    private static let own: AppID = "org.example.Podcasts"

    /// Runs an agent that takes every caller for a given one, with the real clock, since the guide's programs use it.
    nonisolated(nonsending) private func withGuidedAgent(
        _ caller: CallerIdentity?, _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
    ) async throws {
        let group = try #require(try Self.guide.blocks("ini").first)
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Podcasts\nExec=podcasts\n\n\(group)",
                to: "data/applications/\(Self.own).desktop")
            try await withPrivateBus { bus in
                let command = try builtProduct("hunch")
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.commands = [command]
                        if let caller { $0.identify = { _ in caller } }
                    }, body)
            }
        }
    }

    /// Returns the donations that one of the guide's programs made.
    private func check(_ result: CommandResult, _ rig: AgentRig) throws {
        #expect(result.status == .exited(0), "\(result)")
        #expect(try result.standardOutput == Self.guide.blocks("text").joined(), "\(result)")
        let left = try #require(try rig.donations().first)
        #expect(left.kind.rawValue == "joinLiveShow" && left.combination == ["room", "show"])
        #expect(try rig.donations().count == 1)
        try StoreFile(home: rig.home).use { store in
            let upcoming = try #require(try store.announcements(in: .upcoming)[Self.own])
            #expect(upcoming.map(\.item) == ["night-bus/42", "night-bus/43"] && upcoming[0].isExclusive)
            #expect(try store.announcements(in: .relevant)[Self.own]?.map(\.trigger) == [.device(.car)])
        }
    }

    @Test("The guide's Swift code prints the guide's output")
    func swift() async throws {
        #expect(try Guide.text("Tests/Apps/GuideApp/main.swift") == Self.guide.blocks("swift").joined(separator: "\n"))
        try await withGuidedAgent(Callers.unsandboxed) { rig in
            try check(try await run(builtProduct("guide-app"), [], environment: rig.environment), rig)
        }
    }

    @Test("The guide's Python code prints the guide's output")
    func python() async throws {
        let script = try Self.guide.blocks("python").dropLast().joined(separator: "\n")
        try await withGuidedAgent(Callers.sandboxed) { rig in
            try check(try await run("/usr/bin/python3", ["-"], environment: rig.environment, input: script), rig)
        }
    }

    @Test("The guide's scripts donate once allowed")
    func script() async throws {
        let chapter = "Donate from a script"
        let commands = try Self.guide.blocks("sh", in: chapter).joined()
        let script = try Self.guide.blocks("python", in: chapter).joined()
        try await withGuidedAgent(nil) { rig in
            func python() async throws -> CommandResult {
                try await run("/usr/bin/python3", ["-"], environment: rig.environment, input: script)
            }
            let before = try await python()
            #expect(before.status == .exited(1) && before.standardError.contains("hunch allow"), "\(before)")
            let folder = try builtProduct("hunch").split(separator: "/").dropLast().joined(separator: "/")
            let shell = try await run(
                "/bin/sh", ["-euc", "PATH=\"/\(folder):$PATH\"\n\(commands)"], environment: rig.environment)
            #expect(shell.status == .exited(0), "\(shell)")
            let after = try await python()
            #expect(after.status == .exited(0), "\(after)")
            #expect(try rig.donations().map(\.application) == ["script:notes", "script:notes"])
        }
    }
}
