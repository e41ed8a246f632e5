import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import Glibc
import History
import HunchKit
import HunchModel
import Localization
import PersonalStores
import SearchIndexes

/// `hunch forget`: removes recorded data and reports how much.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: localized("Forget the last minutes, an app, a device, a place, an action, or everything."),
        discussion: localized(
            """
            Also removes what was learned from it and every copy in a file. Your settings \
            stay, except those of a forgotten device. Works with and without a running \
            agent. Items that you imported into the search index belong to no time: --last and --since leave them, and \
            “--app script:NAME” forgets them. Exit code 1: there was nothing to forget, or the name is unknown.

            Example:
              hunch forget --last 10m
              hunch forget --last 1h --dry-run
              hunch forget --app "Google Maps"
              hunch forget --device WH-1000XM4
              hunch forget --all --yes --json
            """))

    @Option(help: .localized("Forget what happened within this time, such as 10m, 1h30m or 2d.", valueName: "span"))
    var last: String?
    @Option(help: .localized("Forget what happened since this time, such as 18:30 or 2025-06-02.", valueName: "time"))
    var since: String?
    @Option(help: .localized("Forget everything of this app: its name or desktop identifier. May be repeated."))
    var app: [AppID] = []
    @Option(help: .localized("Forget the actions of this kind, such as playMedia or getDirections."))
    var kind: String?
    @Option(
        help: .localized("Forget what happened on a device: its name in “hunch devices”, or its identifier."),
        completion: .shellCommand("hunch devices 2>/dev/null | cut -f1"))
    var device: AudioDevice.ID?
    @Option(help: .localized("Forget everything about a place: a part of its name, or LAT,LON."))
    var place: String?
    @Option(help: .localized("Forget one action, by its identifier in “hunch history --ids”.", valueName: "id"))
    var action: String?
    @Flag(help: .localized("Forget everything. Asks first on a terminal."))
    var all = false
    @Flag(help: .localized("Do not ask."))
    var yes = false
    @Flag(help: .localized("With --last or --since: say how much would be forgotten, and forget nothing."))
    var dryRun = false
    @Flag(help: .localized("Write one JSON object with the counts."))
    var json = false

    func validate() throws {
        guard !dryRun || last != nil || since != nil else {
            throw ValidationError(localized("--dry-run counts what --last or --since would forget"))
        }
    }

    func run() async throws {
        let scopes = try await scopes()
        if dryRun, let begin = scopes.first?.begin { return try count(since: begin) }
        if scopes == [.everything], !yes, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 { try ask() }
        var receipt: [String: UInt32] = [:]
        var unfinished: UInt32 = 0
        for scope in scopes {
            let more = try await Forgetting(environment: ProcessInfo.processInfo.environment).run(scope)
            receipt.merge(more) { UInt32(clamping: Int($0) + Int($1)) }
            // The warning is for all apps, even if only the first one needs it.
            unfinished = unfinished == 0 ? more["unfinished", default: 0] : unfinished
            receipt["unfinished"] = unfinished
            if case .application(let app) = scope, scopes.count > 1, isNothing(more) {
                Output.complain(localized("%1: there was nothing to forget", app))
            }
        }
        try write(receipt, localized("Forgotten"))
        switch Scrubbing(rawValue: receipt["unfinished", default: 0]) {
        case .finished?: break
        case .diskFull?:
            Output.complain(
                localized(
                    """
                    the disk is full or cannot be written, so the bytes of what was forgotten are still in \
                    the file; free some space, and the agent removes them
                    """))
        case .readElsewhere?, nil:
            Output.complain(localized("another program reads the history; its bytes are gone once that has ended"))
        }
        if let since = scopes.first?.begin { try tellImported(since: since) }
        if isNothing(receipt) { throw CommandError(nothing, ExitStatus.nothingFound, isInOutput: json) }
    }

    /// Writes the counts.
    private func write(_ counts: [String: UInt32], _ heading: String) throws {
        if json { return try Output.raw(Output.json(counts)) }
        let rows = Self.rows(counts)
        guard !rows.isEmpty else { return }
        var table = Table(localized("What"), heading)
        for (key, words) in rows { table.add(words, "\(counts[key] ?? 0)") }
        try table.print()
    }

    /// Writes how much would be forgotten. The member `imported` counts imported items, which stay.
    private func count(since date: Date) throws {
        let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
        let store = try HistoryStore.openReadOnly(at: path)
        defer { try? store?.close() }
        let recorded = try store?.counts(in: .since(date)).counts ?? [:]
        var counts = Dictionary(uniqueKeysWithValues: recorded.map { ($0.key.rawValue, UInt32(clamping: $0.value)) })
        let index = try IndexAccess.reader()
        defer { index?.close() }
        counts["items"] = UInt32(clamping: try index?.itemCount(since: date) ?? 0)
        let imported = try index?.imported(since: date).reduce(0) { $0 + $1.items } ?? 0
        let all = counts.merging(["imported": UInt32(clamping: imported)]) { $1 }
        try write(json ? all : counts, localized("Recorded"))
        try tellImported(since: date)
        guard isNothing(counts) else { return }
        throw CommandError(localized("there is nothing to forget"), ExitStatus.nothingFound, isInOutput: json)
    }

    /// Says which imported items stay, so that the user does not assume that they were forgotten.
    private func tellImported(since date: Date) throws {
        let index = try IndexAccess.reader()
        defer { index?.close() }
        for (source, count) in try index?.imported(since: date) ?? [] {
            Output.complain(
                localizedPlural(
                    "%1 item that you imported into “%2” stays; “hunch forget --app %3” forgets it",
                    "%1 items that you imported into “%2” stay; “hunch forget --app %3” forgets them", count,
                    source.name, ShellWord(source.application.rawValue)))
        }
    }

    /// Returns whether a receipt leaves open whether the named subject existed.
    private func isNothing(_ receipt: [String: UInt32]) -> Bool {
        let isNamed = !app.isEmpty || kind != nil || device != nil || place != nil || action != nil
        return Self.rows(receipt).allSatisfy { isNamed && Self.unnamed.contains($0.key) }
    }

    /// The message that nothing was found, although the name is known.
    private var nothing: String {
        if let place { return localized("nothing about the place “%1” was recorded", place.cut(to: 60)) }
        if action != nil { return localized("there is no such action; “hunch history --ids” lists them") }
        return localized("there was nothing to forget")
    }

    /// The data that every request removes.
    private static let unnamed: Set<String> = ["setAsideFiles", "artwork", "cacheFiles"]

    /// Returns what a receipt counts, with its words: what this version knows, then what a newer agent counts.
    private static func rows(_ counts: [String: UInt32]) -> [(key: String, words: String)] {
        let known = ForgetCount.allCases.map(\.rawValue)
        return (known + counts.keys.filter { !known.contains($0) }.sorted()).compactMap { key in
            guard counts[key, default: 0] > 0 else { return nil }
            guard let count = ForgetCount(rawValue: key) else { return (key, key) }
            return count.title.map { (key, $0) }
        }
    }

    private func scopes() async throws -> [ForgetScope] {
        let given = [last, since, kind, device?.rawValue, place, action, all ? "all" : nil].compactMap(\.self).count
        guard given == (app.isEmpty ? 1 : 0) else {
            throw CommandError(
                localized(
                    "give exactly one of --last, --since, --app, --kind, --device, --place, --action and --all"),
                ExitStatus.badInput)
        }
        let named =
            app.map { ("--app", $0.rawValue) }
            + [("--kind", kind), ("--device", device?.rawValue), ("--place", place)].compactMap { option, name in
                name.map { (option, $0) }
            }
        if let empty = named.first(where: { $0.1.allSatisfy(\.isWhitespace) })?.0 {
            throw CommandError(localized("%1 is empty; give a name after it", empty), ExitStatus.badInput)
        }
        let environment = ProcessInfo.processInfo.environment
        if let last { return [.since(Date().addingTimeInterval(-(try DateText.span(last))))] }
        if let since { return [.since(try DateText.past(since, of: "--since"))] }
        if let kind { return [.kind(try known(kind, environment))] }
        if let device {
            return [.device(try await KnownDevices.identifier(device.rawValue, environment: environment))]
        }
        if let place { return [.place(place)] }
        if let action {
            guard let row = ActionRow(action) else { throw CommandError(nothing, ExitStatus.badInput) }
            return [.action(row)]
        }
        return all ? [.everything] : try await known(app, environment).map(ForgetScope.application)
    }

    /// Returns the apps that the user named. Unknown ones among several are reported and left out.
    private func known(_ named: [AppID], _ environment: [String: String]) async throws -> [AppID] {
        let apps = KnownApps(environment: environment)
        var (recorded, unread) = apps.recorded()
        // A player without a desktop entry has its name only while it runs.
        let players = try? await AgentSession.run { agent in
            try await agent.isRunning() ? KnownApps.players(agent) : [:]
        }
        recorded.formUnion(players?.keys.map { $0 } ?? [])
        var found: [AppID] = []
        var faults: [String] = []
        for name in named {
            if let known = try apps.named(name, among: recorded, players: players ?? [:]) {
                found.append(known)
            } else {
                faults.append(apps.fault(name, among: recorded))
            }
        }
        // An unreadable store may contain them.
        if !faults.isEmpty { faults += unread }
        guard !found.isEmpty else {
            throw CommandError(
                faults.joined(separator: "; "), ExitStatus.nothingFound, code: "unknownApp")
        }
        for fault in faults { Output.complain(fault) }
        return found
    }

    /// Returns a kind that was recorded, or that every app may donate.
    private func known(_ kind: String, _ environment: [String: String]) throws -> Donation.Kind {
        let store = try? HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment))
        defer { try? store?.close() }
        guard !DonationWords.standardKinds.contains(kind), let apps = try? store?.recordedApps() else {
            return Donation.Kind(rawValue: kind)
        }
        let kinds = Set(apps.values.flatMap(\.kinds.keys).map(\.rawValue))
        guard kinds.contains(kind) else {
            throw CommandError(
                NearName.fault(
                    localized("nothing of the kind %1 was recorded", kind), kind,
                    among: kinds.union(DonationWords.standardKinds).sorted()), ExitStatus.nothingFound)
        }
        return Donation.Kind(rawValue: kind)
    }

    private func ask() throws {
        let index = try? IndexAccess.reader()
        defer { index?.close() }
        let imported = ((try? index?.imported(since: .distantPast)) ?? []).map { source, count in
            localizedPlural("%1 item of %2", "%1 items of %2", count, source.name)
        }
        let question =
            imported.isEmpty
            ? localized("Forget everything that Hunch recorded?")
            : localized(
                "Forget everything that Hunch recorded, and %1?", imported.joined(separator: localized(", ")))
        guard try TerminalQuestion.confirm(question) else {
            throw CommandError(localized("nothing was forgotten"), ExitStatus.nothingFound)
        }
    }
}

extension ForgetScope {
    /// The beginning of the time in scope; `nil` for other scopes.
    fileprivate var begin: Date? { if case .since(let date) = self { date } else { nil } }
}
