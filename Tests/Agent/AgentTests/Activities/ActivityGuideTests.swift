import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Runs the examples of the guide to activities.
@Suite("Activity guide", .timeLimit(.minutes(15))) struct ActivityGuideTests {
    private static let guide = Guide("ShowingActivities")

    /// Runs one of the guide's programs as its app, with an agent.
    private func check(_ executable: String, _ arguments: [String], input: String = "") async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            let group = try Self.guide.blocks("ini").joined()
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Guide\nExec=true\n\(group)",
                to: "data/applications/\(ActivityScene.guide).desktop")
            try await withPrivateBus { bus in
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.identify = { call in
                            CallerIdentity(
                                name: call.sender, application: ActivityScene.guide.rawValue, confinement: .unsandboxed)
                        }
                    }
                ) { rig in
                    let result = try await run(executable, arguments, environment: rig.environment, input: input)
                    #expect(result.status == .exited(0), "\(result)")
                    #expect(try result.standardOutput == Self.guide.blocks("text").joined())
                    let places = try StoreFile(home: home).use { try $0.seenPlaces(limit: 10) }
                    #expect(places.isEmpty)
                }
            }
        }
    }

    @Test("The guide's Swift code prints the guide's output")
    func swift() async throws {
        #expect(
            try Guide.text("Tests/Apps/ActivityGuideApp/main.swift")
                == Self.guide.blocks("swift").joined(separator: "\n"))
        try await check(builtProduct("activity-guide-app"), [])
    }

    @Test("The guide's Python code prints the guide's output")
    func python() async throws {
        try await check("/usr/bin/python3", ["-"], input: Self.guide.blocks("python").joined(separator: "\n"))
    }
}
