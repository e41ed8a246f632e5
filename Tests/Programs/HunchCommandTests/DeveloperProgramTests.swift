import FoundationEssentials
import TestSupport
import Testing

@Suite("Commands that moved to hunch-dev", .timeLimit(.minutes(15)))
struct DeveloperProgramTests {
    @Test("The former name runs hunch-dev with its output and exit code")
    func former() async throws {
        try await withHunch { hunch async throws in
            let log = #"{"user":"ann","action":"mail"}"# + "\n"
            let former = try await hunch("evaluate", "-", "--json", input: log + log)
            let own = try await hunch.dev("evaluate", "-", "--json", input: log + log)
            #expect(former.status == .exited(0) && own.status == .exited(0))
            #expect(former.standardOutput.contains(#""predicted":"#) && own.standardOutput.contains(#""predicted":"#))
            #expect(try await hunch("evaluate", "nowhere.jsonl").status == .exited(2))
            #expect(try await hunch("regions", "from-gtfs", "--help").output().contains("hunch-dev from-gtfs"))
            #expect(try await hunch("conformance", "--help").output().contains("hunch-dev conformance"))
        }
    }

    @Test(
        "The help of a former name is that of hunch-dev",
        arguments: [
            (["help", "trace"], "hunch-dev trace"), (["trace"], "hunch-dev trace"),
            (["help", "trace", "replay"], "hunch-dev trace replay"), (["help", "evaluate"], "hunch-dev evaluate"),
            (["help", "conformance"], "hunch-dev conformance"),
            (["help", "regions", "from-gtfs"], "hunch-dev from-gtfs"),
        ])
    func formerHelp(_ arguments: [String], usage: String) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(0))
            #expect(result.standardOutput.contains("USAGE: \(usage)"))
        }
    }

    @Test("Without hunch-dev, one line says how to install it")
    func missing() async throws {
        try await withHunch { hunch async throws in
            let alone = hunch.home.directory.file("hunch")
            try FileManager.default.copyItem(atPath: builtProduct("hunch"), toPath: alone)
            let result = try await run(alone, ["evaluate", "log.jsonl", "--json"], environment: hunch.home.environment)
            #expect(result.status == .exited(3))
            #expect(result.standardError.split(separator: "\n").count == 1)
            #expect(result.standardError.contains("make install"))
            #expect(result.standardOutput.contains(#""code":"trouble""#))
        }
    }

    @Test("The developer commands are not listed by hunch")
    func help() async throws {
        try await withHunch { hunch async throws in
            let everyday = try await hunch("--help").output()
            let developer = try await hunch.dev("--help").output()
            for command in ["conformance", "evaluate", "from-gtfs"] {
                #expect(!everyday.contains("  \(command) ") && developer.contains("  \(command) "), "\(command)")
            }
            #expect(try await hunch.dev("manual").output().contains(#".SS "hunch\-dev evaluate""#))
        }
    }
}
