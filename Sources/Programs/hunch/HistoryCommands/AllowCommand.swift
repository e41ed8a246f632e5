import Apps
import CommandSupport
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel
import Localization

/// `hunch allow`: permits Hunch to use the calendar and the like, scripts to donate, and apps to read actions or places.
struct AllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: localized("Allow Hunch to use your calendar and other data, or programs to donate or read."),
        discussion: localized(
            """
            Hunch uses your calendar, location, calls, messages, files and launched apps only after you allow each of them: \
            “hunch allow calendar”. Without a name, lists what is allowed.

            A program without a desktop entry may donate actions once you allow its name. An app outside sandboxes may \
            read other apps' actions once you allow it with --reader; a sandboxed app never may. Any app may read the \
            places that you looked at once you allow it with --places, or in the notification that asks you. Exit code 1: \
            nothing is allowed, or there was nothing to revoke; 2: there is no such app.

            Example:
              hunch allow calendar
              hunch allow location --revoke
              hunch allow backup
              hunch allow --reader org.example.Diary
              hunch allow --places org.example.Taxi
              hunch allow --list
              hunch allow backup --revoke
            """))

    @Argument(
        help: .localized(
            """
            What Hunch may use: calendar, location, calls, messages, files or apps. Or a script's name: letters, digits, \
            “.”, “_” and “-”.
            """),
        completion: .list(PrivacyCategory.allCases.map(\.rawValue)))
    var name: String?
    @Option(help: .localized("Allow a script that is called like a permission.", valueName: "name"))
    var script: String?
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
        /// Whether Hunch may use each kind of data, by its name.
        let permissions: [String: Bool]
        let scripts: [String]
        let readers: [AppID]
        /// The user's decisions about places, by desktop identifier.
        let places: [String: Bool]
    }
    private struct Fields: Encodable {
        let permission, script, reader, places: String?
        let allowed: Bool
    }

    func validate() throws {
        let named = [list, name != nil, script != nil, reader != nil, places != nil].count(where: { $0 })
        guard named == 1 || named == 0 && !revoke, !(list && revoke) else {
            throw ValidationError(
                localized(
                    "name one thing: a permission such as calendar, a script, or --reader or --places with an app"))
        }
    }

    /// The kinds of data that need the user's permission.
    private static let permissions = PrivacyCategory.allCases.map(\.rawValue)

    func run() async throws {
        if let name, Self.permissions.contains(name) { return try await set(permission: name) }
        if let name, let meant = NearName.nearest(to: name, among: Self.permissions) {
            throw CommandError(
                localized(
                    "there is no permission “%1”; did you mean “%2”? A script of that name: --script %1",
                    name.cut(to: 60),
                    meant), ExitStatus.badInput)
        }
        guard let named = name ?? script ?? reader ?? places else { return try await tell() }
        let (isAllowed, isScript, isReader) = (!revoke, name != nil || script != nil, reader != nil)
        let environment = ProcessInfo.processInfo.environment
        if let name, isAllowed, InstalledApps(environment: environment).entry(AppID(entryName: name)) != nil {
            throw CommandError(
                localized(
                    "“%1” is an app, which may donate already; to let it read, give --reader or --places with it. A script of that name: --script %1",
                    name.cut(to: 60)), ExitStatus.badInput)
        }
        let (allowed, changed) = try await AgentSession.run { agent in
            if isScript { return (named, try await agent.setScript(named, isAllowed: isAllowed)) }
            // The permission of an uninstalled app can be revoked, too.
            let apps = isAllowed && !named.isEmpty ? KnownApps(environment: environment) : nil
            let app =
                try await apps?.identifier(AppID(entryName: named), mayBeScript: false, agent: agent) ?? AppID(named)
            var names = AppNames(environment: environment)
            if isAllowed, names.isWebService(app) {
                throw CommandError(
                    localized("%1 is a web service, which can read nothing here", names.name(of: app)),
                    ExitStatus.badInput)
            }
            if isReader { return (app.rawValue, try await agent.setReader(app, isAllowed: isAllowed)) }
            // There is nothing to revoke of an app that was not allowed.
            if !isAllowed, try await agent.placeAccess()[app] != true { return (app.rawValue, false) }
            return (app.rawValue, try await agent.setPlaceAccess(app, isAllowed: isAllowed))
        }
        if json {
            let fields = Fields(
                permission: nil, script: isScript ? allowed : nil, reader: isReader ? allowed : nil,
                places: places == nil ? nil : allowed, allowed: isAllowed)
            try Output.raw(Output.json(fields))
        }
        if revoke, !changed {
            throw CommandError(localized("“%1” was not allowed", allowed), ExitStatus.nothingFound, isInOutput: json)
        }
    }

    /// Sets whether Hunch may use a kind of data.
    private func set(permission: String) async throws {
        let isAllowed = !revoke
        let changed = try await AgentSession.run { agent in
            let former = try await agent.retention().categories[permission] ?? false
            try await agent.setCategory(permission, isRecorded: isAllowed)
            return former != isAllowed
        }
        if json {
            let fields = Fields(permission: permission, script: nil, reader: nil, places: nil, allowed: isAllowed)
            try Output.raw(Output.json(fields))
        }
        if revoke, !changed {
            throw CommandError(
                localized("“%1” was not allowed", permission), ExitStatus.nothingFound, isInOutput: json)
        }
    }

    private func tell() async throws {
        let (permissions, scripts, readers, places) = try await AgentSession.run {
            (
                try await $0.retention().categories, try await $0.allowedScripts(), try await $0.readers(),
                try await $0.placeAccess()
            )
        }
        let used = permissions.filter(\.value).map(\.key).sorted()
        if json {
            let decisions = Dictionary(places.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
            try Output.raw(
                Output.json(Listing(permissions: permissions, scripts: scripts, readers: readers, places: decisions)))
        } else {
            for permission in used { try Output.line("\(permission)\t" + localized("used by Hunch")) }
            for script in scripts { try Output.line(script) }
            for reader in readers { try Output.line("\(reader)\t" + localized("reads what other apps did")) }
            for (app, isAllowed) in places.sorted(by: { $0.key < $1.key }) {
                let words =
                    isAllowed
                    ? localized("reads the places you looked at") : localized("may not read the places you looked at")
                try Output.line("\(app)\t" + words)
            }
        }
        guard used.isEmpty, scripts.isEmpty, readers.isEmpty, places.isEmpty else { return }
        throw CommandError(
            localized(
                """
                nothing is allowed: Hunch does not use your %1; no script may donate, and no app may read what others did \
                or which places you looked at
                """, permissions.keys.sorted().joined(separator: ", ")),
            ExitStatus.nothingFound, isInOutput: true)
    }
}
