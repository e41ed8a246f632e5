import Agent
import Services
import FoundationEssentials
import History
import HunchDBus
import HunchModel
import TestSupport
import Testing

/// The programs of the guide to playable content, run as they stand, as an app, with an agent and a headset.
@Suite("Playable content guide", .serialized, .timeLimit(.minutes(15))) struct ContentGuideTests {
    private static let guide = Guide("OfferingContent")
    private static let radio: AppID = "org.example.Radio"

    /// The unit in which the guide has an app started from a terminal.
    private static func unit(of start: [Substring]) throws -> String {
        guard start.starts(with: ["systemd-run", "--user", "--scope"]),
            let name = start.first(where: { $0.hasPrefix("--unit=") })?.dropFirst("--unit=".count)
        else { throw BenchError("the guide starts no scope: \(start)") }
        return "\(name).scope"
    }

    /// Follows the guide with one of its programs, on an empty history, from the first command to the press of Play.
    ///
    /// - Parameters:
    ///   - marker: words of the program's command line. To the agent, a process with these is in the guide's unit.
    ///   - command: starts the program.
    private func follow(marker: String, _ command: (_ environment: [String: String]) throws -> Command) async throws {
        let commands = try Self.guide.blocks("sh", in: "Run it").joined().split(separator: "\n")
        #expect(commands.count == 2 && commands.first == "hunch enable")
        let unit = try Self.unit(of: try #require(commands.last).split(separator: " "))
        try await withMediaScene(
            isEnabled: false, played: [],
            configure: {
                $0.preparationTime = .seconds(20)
                $0.identify = { call in
                    let caller = try await call.caller()
                    guard let process = caller.processID,
                        let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
                        String(decoding: line, as: UTF8.self).contains(marker)
                    else { return caller }
                    return CallerIdentity(
                        name: caller.name, processID: process, unit: unit,
                        application: CallerIdentity.application(ofUnit: unit), confinement: .unsandboxed)
                }
            }
        ) { scene in
            let entry = try Self.guide.blocks("ini").joined()
            try scene.rig.home.directory.write(entry, to: "data/applications/\(Self.radio).desktop")
            #expect(try await scene.rig.hunch("enable").status == .exited(0))
            try await scene.rig.watch()
            var command = try command(scene.rig.environment)
            command.readiness = .busName(Self.radio.rawValue, on: scene.rig.bus)
            try await withDaemon(command) { app in
                try await eventually("what is next being known", because: "announcements tell nobody") {
                    try StoreFile(home: scene.rig.home).use { try $0.announcements(in: .upcoming)[Self.radio] }
                        .map { _ in () }
                }
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
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted"])
            }
        }
    }

    @Test("The guide's Swift code ends with a press of Play")
    func swift() async throws {
        #expect(
            try Guide.text("Tests/Apps/ContentGuideApp/main.swift")
                == Self.guide.blocks("swift").joined(separator: "\n"))
        // A program buffers its output into a pipe, but the test needs each line at once.
        try await follow(marker: "content-guide-app") {
            Command("stdbuf", ["-oL", try builtProduct("content-guide-app")], environment: $0)
        }
    }

    @Test("The guide's Python code ends with a press of Play")
    func python() async throws {
        try await withTemporaryDirectory { folder in
            let script = try folder.write(Self.guide.blocks("python").joined(separator: "\n"), to: "radio.py")
            try await follow(marker: "radio.py") { Command("/usr/bin/python3", ["-u", script], environment: $0) }
        }
    }
}
