import CommandSupport
import ArgumentParser
import FoundationEssentials
import HunchKit
import HunchModel
import Localization

/// `hunch allow`: permits scripts to donate and apps to read.
struct AllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: localized("Allow a script to donate, or an app to read other apps' actions."),
        discussion: localized(
            """
            A program without a desktop entry may donate actions once you allow its name. An app outside sandboxes may \
            read other apps' actions once you allow it with --reader; a sandboxed app never may. Exit code 1: nothing is \
            allowed, or there was nothing to revoke; 2: there is no such app.

            Example:
              hunch allow backup
              hunch allow --reader org.example.Diary
              hunch allow --list
              hunch allow backup --revoke
            """))

    @Argument(help: .localized("The script's name: letters, digits, “.”, “_” and “-”."))
    var name: String?
    @Option(help: .localized("Allow this app to read other apps' actions instead.", valueName: "app"))
    var reader: String?
    @Flag(help: .localized("List the allowed scripts and apps."))
    var list = false
    @Flag(help: .localized("Revoke the permission. Donated actions stay."))
    var revoke = false
    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Listing: Encodable {
        let scripts: [String]
        let readers: [AppID]
    }
    private struct Fields: Encodable {
        let script, reader: String?
        let allowed: Bool
    }

    func validate() throws {
        guard [list, name != nil, reader != nil].count(where: { $0 }) == 1, !(list && revoke) else {
            throw ValidationError(localized("give a script's name, --reader with an app, or --list"))
        }
    }

    func run() async throws {
        guard let named = name ?? reader else { return try await tell() }
        let (isAllowed, isReader) = (!revoke, reader != nil)
        let environment = ProcessInfo.processInfo.environment
        let (allowed, changed) = try await AgentSession.run { agent in
            guard isReader else { return (named, try await agent.setScript(named, isAllowed: isAllowed)) }
            // The permission of an uninstalled app can be revoked, too.
            let apps = isAllowed && !named.isEmpty ? KnownApps(environment: environment) : nil
            let app =
                try await apps?.identifier(AppID(entryName: named), mayBeScript: false, agent: agent) ?? AppID(named)
            return (app.rawValue, try await agent.setReader(app, isAllowed: isAllowed))
        }
        if json {
            let fields = Fields(
                script: isReader ? nil : allowed, reader: isReader ? allowed : nil, allowed: isAllowed)
            try Output.raw(Output.json(fields))
        }
        if revoke, !changed {
            throw CommandError(localized("“%1” was not allowed", allowed), ExitStatus.nothingFound, isInOutput: json)
        }
    }

    private func tell() async throws {
        let (scripts, readers) = try await AgentSession.run {
            (try await $0.allowedScripts(), try await $0.readers())
        }
        if json { try Output.raw(Output.json(Listing(scripts: scripts, readers: readers))) }
        for script in scripts where !json { try Output.line(script) }
        for reader in readers where !json { try Output.line("\(reader)\t" + localized("reads what other apps did")) }
        guard scripts.isEmpty, readers.isEmpty else { return }
        throw CommandError(
            localized("no script may donate and no app may read what others did"), ExitStatus.nothingFound,
            isInOutput: true)
    }
}
