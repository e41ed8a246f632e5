import AgentInterface
import HunchDBus
import TestSupport
import Testing

@Suite("Manual pages", .timeLimit(.minutes(15)))
struct ManualTests {
    @Test("The page lists every command and formats without warnings")
    func page() async throws {
        try await withHunch { hunch async throws in
            let page = try await hunch("manual").output()
            let help = try await hunch("--help").output()
            let section = help.split(separator: "SUBCOMMANDS:\n").dropFirst().joined()
            // Commands are indented by two columns, their descriptions further.
            let commands = section.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
                .compactMap { $0.split(separator: " ").first }.filter { $0 != "See" }
            #expect(commands.count > 20)
            for command in commands {
                let escaped = command.replacing("-", with: #"\-"#)
                #expect(page.contains("\n.SS \"hunch \(escaped)\"\n"), "\(command)")
            }
            #expect(page.contains("\n.SS \"hunch regions check\"\n") && !page.contains("hunch manual"))
            #expect(page.contains(#"\fB\-\-make\-valid\fR"#))

            #expect(try await formatted(page, in: hunch.home.directory).contains("handler install"))
        }
    }

    @Test("The agent's page lists its unit, settings and exit codes")
    func agentPage() async throws {
        try await withHunch { hunch async throws in
            let page = try await hunch("manual", "hunchd").output()
            let text = try await formatted(page, in: hunch.home.directory)
            for word in ["HUNCHD(8)", HunchNames.agent.text, HunchNames.root.text, "hunchd.service", "history.sqlite"] {
                #expect(text.contains(word), "\(word)")
            }
            // The page names every setting and option of the agent.
            let usage = try await run(builtProduct("hunchd"), ["--help"])
            #expect(usage.status == .exited(0))
            let told = usage.standardOutput.split { !($0.isLetter || $0 == "_" || $0 == "-") }
            let settings = Set(told.filter { $0.hasPrefix("HUNCH_") || $0.hasPrefix("--") }.map(String.init))
            #expect(settings.count >= 4)
            for setting in settings { #expect(text.contains(setting), "\(setting)") }
            for heading in ["SIGNALS", "EXIT STATUS", "ENVIRONMENT", "FILES", "D-BUS", "UNIT"] {
                #expect(text.contains("\n\(heading)\n"), "\(heading)")
            }
        }
    }

    /// Returns a page as people read it. The formatter must report no fault.
    private func formatted(_ page: String, in directory: TemporaryDirectory) async throws -> String {
        let file = try directory.write(page, to: "page")
        let formatted = try await run("groff", ["-man", "-Kutf8", "-Tutf8", "-ww", "-P-cbou", file])
        #expect(formatted.status == .exited(0) && formatted.standardError.isEmpty, "\(formatted.standardError)")
        return formatted.standardOutput
    }
}
