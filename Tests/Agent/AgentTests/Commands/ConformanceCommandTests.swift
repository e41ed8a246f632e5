import FoundationEssentials
import TestSupport
import Testing

/// `hunch-dev conformance` against apps that keep all of it, and against those that do not.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ConformanceCommandTests {
    private struct Finding: Decodable {
        let check: String
        let outcome: String
        let detail: String?
    }

    private static let app = "org.example.Podcasts"

    private static func findings(_ result: CommandResult) throws -> [String: Finding] {
        let lines = result.standardOutput.split(separator: "\n").map { Data($0.utf8) }
        let found = try lines.map { try JSONDecoder().decode(Finding.self, from: $0) }
        return Dictionary(found.map { ($0.check, $0) }) { first, _ in first }
    }

    /// Runs an app with its desktop entry, and the suite against it.
    private func check(
        _ app: String, _ executable: String, _ arguments: [String], play: String? = nil,
        entry: String = "Implements=org.hunch.PlayableContent1;", name: String? = nil
    ) async throws -> (result: CommandResult, findings: [String: Finding]) {
        try await withTemporaryHome { home in
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=App\nExec=true\n\(entry)\n",
                to: "data/applications/\(app).desktop")
            return try await withPrivateBus { bus in
                let environment = agentEnvironment(bus, home)
                let command = Command(
                    executable, arguments, environment: environment, ready: .busName(name ?? app, on: bus))
                return try await withDaemon(command) { _ in
                    let result = try await run(
                        builtProduct("hunch-dev"),
                        ["conformance", app, "--json"] + (play.map { ["--play", $0] } ?? []),
                        environment: environment)
                    return (result, try Self.findings(result))
                }
            }
        }
    }

    private func failures(_ findings: [String: Finding]) -> [String] {
        findings.values.filter { $0.outcome == "failed" }.map { "\($0.check): \($0.detail ?? "")" }.sorted()
    }

    @Test func `A HunchKit app conforms and plays nothing uninvited`() async throws {
        let program = try builtProduct("playable-app")
        let silent = try await check(Self.app, program, [Self.app])
        #expect(silent.result.status == .exited(0), "\(failures(silent.findings))")
        #expect(silent.findings.count == 23)
        #expect(silent.findings["play"]?.outcome == "skipped" && silent.findings["silence"]?.outcome == "passed")
        let played = try await check(Self.app, program, [Self.app], play: "show-2/episode-2")
        #expect(played.result.status == .exited(0), "\(failures(played.findings))")
        #expect(played.findings["play"]?.outcome == "passed" && played.findings["play-unknown"]?.outcome == "passed")
        let undecided = try await check(Self.app, program, [Self.app, "undecided"])
        #expect(undecided.result.status == .exited(0), "\(failures(undecided.findings))")
    }

    @Test("The app may serve the interface under a name of its own")
    func busName() async throws {
        let name = Self.app + ".Hunch"
        let entry = "Implements=org.hunch.PlayableContent1;\nX-Hunch-BusName=\(name)"
        let (result, findings) = try await check(
            Self.app, builtProduct("playable-app"), [name], entry: entry, name: name)
        #expect(result.status == .exited(0), "\(failures(findings))")
        #expect(findings["interface"]?.outcome == "passed")
    }

    @Test func `Both programs of the guide conform`() async throws {
        let radio = "org.example.Radio"
        let swift = try await check(radio, builtProduct("content-guide-app"), [], play: "night-bus/42")
        #expect(swift.result.status == .exited(0), "\(failures(swift.findings))")
        try await withTemporaryDirectory { folder in
            let script = try folder.write(
                Guide("OfferingContent").blocks("python").joined(separator: "\n"), to: "radio.py")
            let python = try await check(radio, "/usr/bin/python3", [script], play: "night-bus/42")
            #expect(python.result.status == .exited(0), "\(failures(python.findings))")
            #expect(python.findings["interface"]?.outcome == "passed")
        }
    }

    @Test(arguments: [
        ("hang", ["prepare-item", "prepare-choice", "prepare-repeatedly"]), ("error", ["prepare-item"]),
        ("crash", ["prepare-item", "survival"]), ("wrong", ["interface", "list"]), ("huge", ["prepare-item"]),
        ("busy", ["silence"]),
    ])
    func `Each violated requirement is reported`(mode: String, failed: [String]) async throws {
        let (result, findings) = try await check(Self.app, builtProduct("playable-app"), [Self.app, mode])
        #expect(result.status == .exited(2))
        for check in failed { #expect(findings[check]?.outcome == "failed", "\(mode): \(check)") }
        #expect(result.standardError.contains("does not keep"))
        #expect(findings.count == 23)
    }

    @Test func `An app without its desktop entry is not found`() async throws {
        let (result, findings) = try await check(
            Self.app, builtProduct("playable-app"), [Self.app], entry: "Implements=org.example.Other;")
        #expect(result.status == .exited(2) && failures(findings).count == 1)
        #expect(findings["desktop-entry"]?.detail?.contains("Implements=org.hunch.PlayableContent1;") == true)
    }

    @Test func `An app that does not run is skipped, a bad name refused`() async throws {
        try await withPrivateBus { bus in
            let absent = try await run(
                builtProduct("hunch-dev"), ["conformance", Self.app], environment: bus.environment)
            #expect(absent.status == .exited(1))
            #expect(
                absent.standardError
                    == "hunch: org.example.Podcasts does not run: nothing has the name org.example.Podcasts on the session bus\n"
            )
            for arguments in [["no name"], [Self.app, "--play", ""], [":1.7"]] {
                let wrong = try await run(
                    builtProduct("hunch-dev"), ["conformance"] + arguments, environment: bus.environment)
                #expect(wrong.status == .exited(2), "\(arguments): \(wrong)")
            }
        }
    }
}
