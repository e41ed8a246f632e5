import CommandSupport
import ArgumentParser
import FoundationEssentials
import HunchKit
import HunchModel
import Localization

/// `hunch allow`: permits scripts to donate, and apps to read what other apps did or the places that the person looked at.
struct AllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: localized("Allow a script to donate, or an app to read actions or places."),
        discussion: localized(
            """
            A program without a desktop entry may donate actions once you allow its name. An app outside sandboxes may \
            read other apps' actions once you allow it with --reader; a sandboxed app never may. Any app may read the \
            places that you looked at once you allow it with --places, or in the notification that asks you. Exit code 1: \
            nothing is allowed, or there was nothing to revoke; 2: there is no such app.

            Example:
              hunch allow backup
              hunch allow --reader org.example.Diary
              hunch allow --places org.example.Taxi
              hunch allow --list
              hunch allow backup --revoke
            """))

    @Argument(help: .localized("The script's name: letters, digits, “.”, “_” and “-”."))
    var name: String?
    @Option(help: .localized("Allow this app to read other apps' actions instead.", valueName: "app"))
    var reader: String?
    @Option(help: .localized("Allow this app to read the places you looked at instead.", valueName: "app"))
    var places: String?
    @Flag(help: .localized("List the allowed scripts and apps."))
    var list = false
    @Flag(help: .localized("Revoke the permission. Donated actions stay."))
    var revoke = false
    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Listing: Encodable {
        let scripts: [String]
        let readers: [AppID]
        /// The person's decisions about places, by desktop identifier.
        let places: [String: Bool]
    }
    private struct Fields: Encodable {
        let script, reader, places: String?
        let allowed: Bool
    }

    func validate() throws {
        guard [list, name != nil, reader != nil, places != nil].count(where: { $0 }) == 1, !(list && revoke) else {
            throw ValidationError(localized("give a script's name, --reader or --places with an app, or --list"))
        }
    }

    func run() async throws {
        guard let named = name ?? reader ?? places else { return try await tell() }
        let (isAllowed, isScript, isReader) = (!revoke, name != nil, reader != nil)
        let environment = ProcessInfo.processInfo.environment
        let (allowed, changed) = try await AgentSession.run { agent in
            if isScript { return (named, try await agent.setScript(named, isAllowed: isAllowed)) }
            // The permission of an uninstalled app can be revoked, too.
            let apps = isAllowed && !named.isEmpty ? KnownApps(environment: environment) : nil
            let app =
                try await apps?.identifier(AppID(entryName: named), mayBeScript: false, agent: agent) ?? AppID(named)
            if isReader { return (app.rawValue, try await agent.setReader(app, isAllowed: isAllowed)) }
            // There is nothing to revoke of an app that was not allowed.
            if !isAllowed, try await agent.placeAccess()[app] != true { return (app.rawValue, false) }
            return (app.rawValue, try await agent.setPlaceAccess(app, isAllowed: isAllowed))
        }
        if json {
            let fields = Fields(
                script: isScript ? allowed : nil, reader: isReader ? allowed : nil,
                places: places == nil ? nil : allowed, allowed: isAllowed)
            try Output.raw(Output.json(fields))
        }
        if revoke, !changed {
            throw CommandError(localized("“%1” was not allowed", allowed), ExitStatus.nothingFound, isInOutput: json)
        }
    }

    private func tell() async throws {
        let (scripts, readers, places) = try await AgentSession.run {
            (try await $0.allowedScripts(), try await $0.readers(), try await $0.placeAccess())
        }
        if json {
            let decisions = Dictionary(places.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
            try Output.raw(Output.json(Listing(scripts: scripts, readers: readers, places: decisions)))
        } else {
            for script in scripts { try Output.line(script) }
            for reader in readers { try Output.line("\(reader)\t" + localized("reads what other apps did")) }
            for (app, isAllowed) in places.sorted(by: { $0.key < $1.key }) {
                let words =
                    isAllowed
                    ? localized("reads the places you looked at") : localized("may not read the places you looked at")
                try Output.line("\(app)\t" + words)
            }
        }
        guard scripts.isEmpty, readers.isEmpty, places.isEmpty else { return }
        throw CommandError(
            localized("no script may donate, and no app may read what others did or which places you looked at"),
            ExitStatus.nothingFound, isInOutput: true)
    }
}
