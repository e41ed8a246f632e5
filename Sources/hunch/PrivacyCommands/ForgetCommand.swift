import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import Glibc
import History
import HunchModel
import Localization
import SearchIndexes

/// `hunch forget`: removes recorded data and reports how much.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: localized("Forget the last minutes, an app, a device, a place, or everything."),
        discussion: localized(
            """
            Also removes what was learned from it and every copy in a file. Your settings \
            stay, except those of a forgotten device. Works with and without a running \
            agent. Exit code 1: there was nothing to forget.

            Example:
              hunch forget --last 10m
              hunch forget --app org.example.Podcasts
              hunch forget --all --yes --json
            """))

    @Option(help: .localized("Forget what happened within this time, such as 10m, 1h30m or 2d.", valueName: "span"))
    var last: String?
    @Option(help: .localized("Forget what happened since this time, such as 18:30 or 2025-06-02.", valueName: "time"))
    var since: String?
    @Option(help: .localized("Forget everything of the app with this desktop identifier. May be repeated."))
    var app: [AppID] = []
    @Option(help: .localized("Forget the actions of this kind, such as playMedia or getDirections."))
    var kind: String?
    @Option(help: .localized("Forget what happened on a device, by its identifier in “hunch devices --json”."))
    var device: AudioDevice.ID?
    @Option(help: .localized("Forget everything about a place: a part of its name, or LAT,LON."))
    var place: String?
    @Flag(help: .localized("Forget everything. Asks first on a terminal."))
    var all = false
    @Flag(help: .localized("Do not ask."))
    var yes = false
    @Flag(help: .localized("Write one JSON object with the counts."))
    var json = false

    func run() async throws {
        let scopes = try scopes()
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
        if json {
            try Output.raw(Output.json(receipt))
        } else {
            var table = Table(localized("What"), localized("Forgotten"))
            for (key, words) in Self.rows where receipt[key, default: 0] > 0 {
                table.add(words, "\(receipt[key] ?? 0)")
            }
            try table.print()
        }
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
        if isNothing(receipt) { throw CommandError(nothing, ExitStatus.nothingFound, isInOutput: json) }
    }

    /// Returns whether a receipt does not show that the named thing existed.
    private func isNothing(_ receipt: [String: UInt32]) -> Bool {
        let isNamed = !app.isEmpty || kind != nil || device != nil || place != nil
        let telling = Self.rows.map(\.0).filter { !isNamed || !Self.unnamed.contains($0) }
        return telling.allSatisfy { receipt[$0, default: 0] == 0 }
    }

    /// The message that nothing was found, with a similar name, so that nobody believes that a mistyped app is
    /// forgotten.
    private var nothing: String {
        let sentence = localized("there was nothing to forget")
        if let app = app.first {
            let path = try? HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
            let store = path.flatMap { try? HistoryStore.openReadOnly(at: $0) }
            return NearName.fault(
                sentence, app.rawValue, among: (try? store?.applications().map(\.rawValue).sorted()) ?? [])
        }
        return kind.map { NearName.fault(sentence, $0, among: DonationWords.standardKinds) } ?? sentence
    }

    /// The data that every request removes.
    private static let unnamed: Set<String> = ["setAsideFiles", "artwork", "cacheFiles"]

    private static let rows: [(String, String)] = [
        ("donations", localized("actions")), ("engagements", localized("answers to suggestions")),
        ("resumePoints", localized("places in media")),
        ("mutedPairs", localized("muted apps")), ("announcements", localized("announced items")),
        ("devicePolicies", localized("device settings")),
        ("ownPlaces", localized("places with a name of yours")),
        ("seenPlaces", localized("places on the screen and reservations")), ("stays", localized("stays at places")),
        ("items", localized("content in the search index")),
        ("setAsideFiles", localized("damaged files")), ("artwork", localized("pictures")),
        ("cacheFiles", localized("other copies")),
    ]

    private func scopes() throws -> [ForgetScope] {
        var scopes: [ForgetScope] = []
        if let last { scopes.append(.since(Date().addingTimeInterval(-(try DateText.span(last))))) }
        if let since { scopes.append(.since(try DateText.date(since, .before))) }
        if let kind { scopes.append(.kind(Donation.Kind(rawValue: kind))) }
        if let device { scopes.append(.device(device)) }
        if let place { scopes.append(.place(place)) }
        if all { scopes.append(.everything) }
        let apps = app.map(ForgetScope.application)
        guard scopes.count == (apps.isEmpty ? 1 : 0) else {
            throw CommandError(
                localized("say one thing to forget: --last, --since, --app, --kind, --device, --place or --all"),
                ExitStatus.badInput)
        }
        if (app.map(\.rawValue) + [kind, device?.rawValue, place]).contains("") {
            throw CommandError(localized("the thing to forget is empty"), ExitStatus.badInput)
        }
        return scopes + apps
    }

    private func ask() throws {
        try Output.write(localized("Forget everything that Hunch recorded? [y/N] "), to: STDERR_FILENO)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            throw CommandError(localized("nothing was forgotten"), ExitStatus.nothingFound)
        }
    }
}
