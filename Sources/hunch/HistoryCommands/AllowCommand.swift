import ArgumentParser
import HunchKit

/// `hunch allow`: scripts that may tell what was done.
struct AllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Let a script donate as “script:NAME”.",
        discussion: """
            Programs that are no apps with a desktop entry may tell what was done once you allow their name. Exit code 1:
            nothing is allowed, or there was nothing to revoke.

            Example:
              hunch allow backup
              hunch allow --list
              hunch allow backup --revoke
            """)

    @Argument(help: "The script's name: letters, digits, “.”, “_” and “-”.")
    var name: String?
    @Flag(help: "Tell which are allowed.")
    var list = false
    @Flag(help: "Allow it no more. What it donated stays.")
    var revoke = false
    @Flag(help: "Write one JSON object.")
    var json = false

    private struct Listing: Encodable { let scripts: [String] }
    private struct Fields: Encodable {
        let script: String
        let allowed: Bool
    }

    func validate() throws {
        guard list == (name == nil), !(list && revoke) else {
            throw ValidationError("give a script's name, or --list")
        }
    }

    func run() async throws {
        guard let name else {
            let scripts = try await AgentSession.run { try await $0.allowedScripts() }
            if json { try Output.raw(Output.json(Listing(scripts: scripts))) }
            for script in scripts where !json { try Output.line(script) }
            if scripts.isEmpty { throw CommandError.nothingFound }
            return
        }
        let isAllowed = !revoke
        let changed = try await AgentSession.run { try await $0.setScript(name, isAllowed: isAllowed) }
        if json { try Output.raw(Output.json(Fields(script: name, allowed: isAllowed))) }
        if revoke, !changed {
            throw CommandError(json ? nil : "“\(name)” was not allowed", ExitStatus.nothingFound)
        }
    }
}
