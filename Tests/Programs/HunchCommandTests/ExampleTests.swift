import FoundationEssentials
import History
import HunchModel
import TestSupport
import Testing

/// The examples in the help and in the documents work on a machine with only the packages that Hunch needs.
@Suite(.timeLimit(.minutes(15))) struct ExampleTests {
    private static let commands = [
        ["directions"], ["place"], ["geocode"], ["reverse"], ["regions", "check"], ["regions", "list"],
        ["history"], ["apps"],
    ]

    /// The lines of a document that run without an agent and change nothing.
    private func lines(of document: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(Surroundings.packageRoot)/\(document)", encoding: .utf8)
        let words = Self.commands.map { "$ hunch " + $0[0] }
        return text.split(separator: "\n").filter { line in words.contains { line.hasPrefix($0) } }
            .map { String($0.dropFirst(2)) }
    }

    private func examples(_ hunch: HunchRunner, _ command: [String]) async throws -> [String] {
        let help = try await run(
            builtProduct("hunch"), command + ["--help"], environment: hunch.home.environment
        ).output()
        let section = try #require(help.split(separator: "Example:\n").last)
        return section.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("  ") }.map {
            String($0.dropFirst(2))
        }
    }

    @Test("Every example in the help works")

    func everyExampleIsAnswered() async throws {
        try await withHunch { hunch async throws in
            // The system's own place list, and the coverage files of this package.
            try FileManager.default.createDirectory(
                atPath: hunch.home.directory.file("share/hunch"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: hunch.home.directory.file("share/hunch/regions"),
                withDestinationPath: "\(Surroundings.packageRoot)/Regions")
            try hunch.withHistory { store in
                let date = Date(timeIntervalSince1970: 1_780_315_200)
                let play = Donation(
                    application: "org.example.Player", kind: .playMedia, parameters: ["item": "a", "title": "Jazz"],
                    date: date)
                let engagement = Engagement(
                    suggestion: "s1", application: "org.example.Player", kind: .media, outcome: .accepted, date: date,
                    context: Context())
                _ = try (store.record(play, now: date), store.record(engagement, now: date))
            }
            var environment = hunch.home.environment
            environment["XDG_DATA_DIRS"] = "\(hunch.home.systemData):/usr/share"
            let folder = try builtProduct("hunch").split(separator: "/").dropLast().joined(separator: "/")
            var examples = try lines(of: "README.md") + lines(of: "Documentation/Directions.md")
            #expect(examples.count >= 6)
            for command in Self.commands {
                let found = try await self.examples(hunch, command)
                #expect(found.count >= 1, "\(command)")
                #expect(found.allSatisfy { $0.contains("hunch") }, "an example is broken into lines: \(found)")
                examples += found
            }
            // These examples need an app that opens links, an agent that knows an activity or a calendar, or the user's
            // own files.
            for example in examples
            where !["--open", "--current", "--next", ".zip", ".gpx", ".jpg"].contains(where: example.contains) {
                let result = try await run(
                    "/bin/sh", ["-c", "PATH=\"/\(folder):$PATH\"; \(example)"], environment: environment,
                    directory: Surroundings.packageRoot)
                #expect(result.status == .exited(0), "\(example): \(result)")
                #expect(!result.standardOutput.isEmpty, "\(example)")
            }
        }
    }
}
