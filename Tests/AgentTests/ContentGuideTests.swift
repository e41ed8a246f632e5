import Agent
import TestSupport
import Testing

/// What the guide to playable content shows is run as it stands, as an app beside an agent and a headset.
@Suite("The guide to playable content", .serialized, .timeLimit(.minutes(3))) struct ContentGuideTests {
    private static let guide = Guide("OfferingContent")
    private static let radio = "org.example.Radio"

    /// Runs one of the guide's programs from headphones to sound.
    private func check(_ command: (_ environment: [String: String]) throws -> Command) async throws {
        try await withMediaScene(
            played: [Self.radio], configure: { $0.preparationTime = .seconds(20) }
        ) { scene in
            let group = try Self.guide.blocks("ini").joined()
            try scene.rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Radio\nExec=true\n\(group)",
                to: "data/applications/\(Self.radio).desktop")
            var command = try command(scene.rig.environment)
            command.readiness = .busName(Self.radio, on: scene.rig.bus)
            try await withDaemon(command) { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary == "Resume “Episode 41”" && shown.body.contains("The Night Bus · Radio"))
                let printed = try Self.guide.blocks("text").joined()
                try await app.waitForLine(containing: "a device is ready")
                #expect(!app.output.contains("playing"))
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                #expect(app.output + "\n" == printed)
            }
        }
    }

    @Test("its Swift code is a program that does what the guide says")
    func swift() async throws {
        #expect(
            try Guide.text("Tests/ContentGuideApp/main.swift") == Self.guide.blocks("swift").joined(separator: "\n"))
        // What a program prints into a pipe it keeps back; here each line is wanted at once.
        try await check { Command("stdbuf", ["-oL", try builtProduct("content-guide-app")], environment: $0) }
    }

    @Test("its Python code is a program that does the same")
    func python() async throws {
        try await withTemporaryDirectory { folder in
            let script = try folder.write(Self.guide.blocks("python").joined(separator: "\n"), to: "radio.py")
            try await check { Command("/usr/bin/python3", ["-u", script], environment: $0) }
        }
    }
}
