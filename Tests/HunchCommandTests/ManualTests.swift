import TestSupport
import Testing

@Suite("The manual page")
struct ManualTests {
    @Test("It tells of every command, and the formatter finds no fault in it")
    func page() async throws {
        try await withHunch { hunch async throws in
            let page = try await hunch("manual").output()
            let help = try await hunch("--help").output()
            let section = try #require(help.split(separator: "SUBCOMMANDS:\n").last)
            // A command stands two columns in, what it does further on.
            let commands = section.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
                .compactMap { $0.split(separator: " ").first }.filter { $0 != "See" }
            #expect(commands.count > 20)
            for command in commands { #expect(page.contains("\n.SS \"hunch \(command)\"\n"), "\(command)") }
            #expect(page.contains("\n.SS \"hunch regions check\"\n") && !page.contains("hunch manual"))
            #expect(page.contains(#"\fB\-\-make\-valid\fR"#))

            let file = try hunch.home.directory.write(page, to: "hunch.1")
            let formatted = try await run("groff", ["-man", "-Kutf8", "-Tutf8", "-ww", file])
            #expect(formatted.status == .exited(0) && formatted.standardError.isEmpty, "\(formatted.standardError)")
            #expect(formatted.standardOutput.contains("handler install"))
        }
    }
}
