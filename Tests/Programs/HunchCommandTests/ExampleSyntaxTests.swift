import ArgumentParser
import FoundationEssentials
import TestSupport
import Testing

@testable import hunch
@testable import hunch_dev

@Suite("Examples of all commands") struct ExampleSyntaxTests {
    private struct Help: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let discussion: String?
        let shouldDisplay: Bool
        let subcommands: [Command]?

        /// The commands without subcommands.
        var leaves: [Command] {
            guard let subcommands, !subcommands.isEmpty else { return [self] }
            return subcommands.filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap(\.leaves)
        }

        /// The examples of the help, as a shell script without input files.
        var examples: String {
            guard let section = discussion?.ranges(of: "Example:\n").first?.upperBound, let discussion else {
                return ""
            }
            return discussion[section...].split(separator: "\n").prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
                .replacing(/< \S+/, with: "")
        }
    }

    /// Runs a script with a program that only records its arguments. Returns the arguments of each call.
    private func calls(in script: String, of program: String, _ folder: TemporaryDirectory) async throws -> [[String]] {
        let record = try folder.write("", to: "calls")
        let recorder = "#!/bin/sh\nprintf '%s\\n' \"$@\" end-of-call >>'\(record)'\n"
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.write(recorder, to: program))
        _ = try await run(
            "/bin/sh", ["-fc", script], environment: ["PATH": folder.path], directory: folder.path)
        let text = try folder.read("calls")
        return text.split(separator: "end-of-call\n", omittingEmptySubsequences: false).dropLast().map {
            $0.split(separator: "\n").map(String.init)
        }
    }

    private func check(_ root: any ParsableCommand.Type, _ program: String) async throws {
        let help = try JSONDecoder().decode(Help.self, from: Data(root._dumpHelp().utf8))
        try await withTemporaryDirectory { folder in
            for command in help.command.leaves where command.commandName != "manual" {
                let calls = try await calls(in: command.examples, of: program, folder)
                #expect(!calls.isEmpty || command.examples.contains(program), "\(command.commandName) has no example")
                for arguments in calls {
                    #expect(throws: Never.self, "\(arguments)") { try root.parseAsRoot(arguments) }
                }
            }
        }
    }

    @Test("Every command has an example, and its arguments are valid")
    func examples() async throws {
        try await check(Hunch.self, "hunch")
        try await check(HunchDev.self, "hunch-dev")
    }
}
