import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Runs the examples of the guide to the search index.
@Suite("Index guide", .timeLimit(.minutes(15))) struct IndexGuideTests {
    private static let guide = Guide("IndexingContent")
    private static let notes: AppID = "org.example.Notes"

    /// Runs one of the guide's programs as its app, with an agent that asks it for its content.
    private func check(_ executable: String, _ arguments: [String], input: String = "") async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            let entry = try #require(try Self.guide.blocks("desktop").first)
            try home.directory.write(entry, to: "data/applications/\(Self.notes).desktop")
            try await withPrivateBus { bus in
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.identify = { call in
                            let isPerson = call.member == "Rebuild"
                            return isPerson
                                ? try await call.caller()
                                : CallerIdentity(
                                    name: call.sender, application: Self.notes.rawValue, confinement: .unsandboxed)
                        }
                    }
                ) { rig in
                    async let running = run(executable, arguments, environment: rig.environment, input: input)
                    try await bus.waitForOwner(of: Self.notes.rawValue)
                    #expect(try await rig.agent.rebuildIndex(of: Self.notes) == [Self.notes])
                    let result = try await running
                    #expect(result.status == .exited(0), "\(result)")
                    #expect(try result.standardOutput == Self.guide.blocks("text").joined(), "\(result)")
                }
            }
        }
    }

    @Test("The guide's Swift code prints the guide's output")
    func swift() async throws {
        #expect(
            try Guide.text("Tests/Apps/IndexGuideApp/main.swift") == Self.guide.blocks("swift").joined(separator: "\n"))
        try await check(builtProduct("index-guide-app"), [])
    }

    @Test("The guide's Python code prints the guide's output")
    func python() async throws {
        try await check("/usr/bin/python3", ["-"], input: Self.guide.blocks("python").joined(separator: "\n"))
    }
}
