internal import AgentInterface
internal import Apps
internal import Directions
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization
internal import Prediction
internal import SearchIndexes
internal import Surfaces

/// Answers the desktop's own search with content of apps, places that the person looked at, and actions that are likely now.
///
/// An answer takes at most a tenth of a second: a source that needs longer is left out. There are no results while Hunch is off
/// or paused, or while the screen is locked.
actor DesktopSearch: Part {
    /// The most results.
    private static let limit = 20
    /// The most places, and the most actions.
    private static let limitOfOthers = 2
    /// The number of recent places that are compared.
    private static let places = 200
    /// The part of the time limit after which a search in the index ends.
    private static let indexTimePart = 0.9
    /// The number of results that are remembered for the desktop.
    private static let knownLimit = 500
    /// The key of suggestions that the desktop's search made. Desktop identifiers never contain a slash.
    private static let requester = "/search"
    /// The names of programs that may ask: GNOME Shell, KRunner, and the start menu of Plasma.
    private static let shells: [BusName] = ["org.gnome.Shell", "org.kde.krunner", "org.kde.plasmashell"]
    /// The longest title and detail, in characters.
    private static let shownCharacters = 256

    let environment: AgentEnvironment
    let index: IndexService
    private let directions: DirectionsService
    private let learned: LearnedSuggestions
    private let desk: SuggestionDesk
    /// The last results by identifier, and their identifiers, the latest last.
    private var known: [String: SearchResult] = [:]
    private var order: [String] = []
    /// The sessions of KRunner and of start menus, by caller.
    var runners: [BusName: RunnerSession] = [:]

    init(
        _ environment: AgentEnvironment, index: IndexService, directions: DirectionsService,
        learned: LearnedSuggestions, desk: SuggestionDesk
    ) {
        self.environment = environment
        self.index = index
        self.directions = directions
        self.learned = learned
        self.desk = desk
    }

    /// Permits only the desktop's own search and the command `hunch`.
    ///
    /// - Throws: ``DBusError`` `…AccessDenied`.
    nonisolated func checkCaller(_ call: IncomingCall) async throws {
        switch try await callers.permission(of: call) {
        case .person: return
        case .confined: break
        case .app, .unknown:
            for name in Self.shells where try await bus.owner(of: name) == call.sender { return }
        }
        throw DBusError(.accessDenied, "only the desktop's own search may ask; use “hunch find” instead")
    }

    // MARK: Finding

    /// Returns the results for a typed text, the best first.
    func results(_ text: String) async -> [SearchResult] {
        let words = TypedWords(text)
        guard !words.isEmpty, await desk.isScreenSeen, let excluded = await excludedApps() else { return [] }
        async let actions = inTime { try await self.actions(words) }
        async let places = inTime { try await self.places(words) }
        async let items = inTime { try await self.items(text, excluding: excluded) }
        let first = await actions
        let titles = Set(first.map(\.title))
        let others = await places.filter { !titles.contains($0.title) }
        let results = Array((first + others + (await items)).prefix(Self.limit))
        // The screen may have been locked meanwhile.
        guard await desk.isScreenSeen else { return [] }
        remember(results)
        return results
    }

    /// Returns the results with these identifiers, in their order. Unknown ones are left out.
    func results(withIDs ids: [String]) -> [SearchResult] { ids.compactMap { known[$0] } }

    private func remember(_ results: [SearchResult]) {
        let ids = Set(results.map(\.id))
        order = (order.filter { !ids.contains($0) } + results.map(\.id)).suffix(Self.knownLimit)
        for result in results { known[result.id] = result }
        if known.count > Self.knownLimit {
            let kept = Set(order)
            known = known.filter { kept.contains($0.key) }
        }
    }

    /// Forgets the last results, because the person had something forgotten.
    func forget() { (known, order) = ([:], []) }

    /// Returns the excluded apps; `nil` if Hunch is off or paused.
    private func excludedApps() async -> Set<AppID>? {
        await inTime { [history] in
            try await history.use { store, now -> [Set<AppID>] in
                try store.outcome(forApplication: "", now: now).isRecorded ? [try store.exclusions()] : []
            }
        }.first
    }

    /// Returns what a source returns within its time limit; nothing if it needs longer or fails.
    private nonisolated func inTime<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> [Value]
    ) async -> [Value] {
        let (stream, continuation) = AsyncStream.makeStream(of: [Value].self)
        let task = Task(executorPreference: loop) {
            // A failing source has no results.
            if let values = try? await body() { continuation.yield(values) }
            continuation.finish()
        }
        let timer = loop.schedule(after: configuration.searchTime) { continuation.finish() }
        defer {
            loop.cancel(timer)
            task.cancel()
        }
        for await values in stream { return values }
        return []
    }

    private var searchOptions: SearchOptions {
        SearchOptions(limit: Self.limit, isUnfinished: true, needsAllWords: true, now: configuration.now())
    }

    private func items(_ text: String, excluding excluded: Set<AppID>) async throws -> [SearchResult] {
        var options = searchOptions
        options.time = configuration.searchTime * Self.indexTimePart
        let items = try await index.items(text, options).filter { !excluded.contains($0.application) }
        let apps = try await apps(items.map(\.application))
        return items.map { item in
            let (name, icon) = apps[item.application] ?? (item.application.rawValue, HunchNames.desktopEntry)
            let words =
                item.attributes["description"]?.texts.first ?? item.attributes["authors"]?.texts.joined(separator: ", ")
            let picture = item.attributes["thumbnail"]?.texts.first.flatMap { URL(string: $0) }
            return SearchResult(
                id: "item:\(item.application.rawValue)/\(item.index)/\(item.id)", title: Self.shown(item.title),
                detail: Self.shown([name, words].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")),
                icon: picture.flatMap { $0.isFileURL ? $0.path : nil } ?? icon, content: .item(item))
        }
    }

    private func places(_ words: TypedWords) async throws -> [SearchResult] {
        let places = try await history.use { store, _ in try store.recentPlaces(limit: Self.places) }
        let found = places.filter { words.match([$0.name, $0.address?.singleLine, $0.query].compactMap(\.self)) }
        return found.prefix(Self.limitOfOthers).map { place in
            let address = place.address?.singleLine ?? ""
            let title = place.name ?? place.query ?? address
            let detail = [localized("Get directions"), title == address ? "" : address].filter { !$0.isEmpty }
            return SearchResult(
                id: "place:\(title)/\(address)/\(place.coordinate.map { "\($0)" } ?? "")", title: Self.shown(title),
                detail: Self.shown(detail.joined(separator: " · ")), icon: "mark-location-symbolic",
                content: .place(place))
        }
    }

    /// The kinds of actions that are results. The desktop itself finds apps, and players need a device.
    private static func isResult(_ donation: Donation) -> Bool {
        donation.kind != .playMedia && donation.kind != .openApp
    }

    private func actions(_ words: TypedWords) async throws -> [SearchResult] {
        let choices = try await learned.likelyChoices().filter {
            Self.isResult($0.donation) && words.match(Array($0.donation.parameters.values))
        }
        var results: [SearchResult] = []
        for choice in choices where results.count < Self.limitOfOthers {
            guard let suggestion = try await learned.suggestions(for: [choice], limit: 1).first else { continue }
            let icon = try await apps([suggestion.application])[suggestion.application]?.icon
            results.append(
                SearchResult(
                    id: "action:\(suggestion.title)/\(suggestion.application.rawValue)",
                    title: Self.shown(suggestion.title),
                    detail: Self.shown(suggestion.subtitle), icon: icon ?? HunchNames.desktopEntry,
                    content: .action(choice)))
        }
        return results
    }

    /// Returns the names and icons of apps.
    private func apps(_ applications: [AppID]) async throws -> [AppID: (name: String, icon: String)] {
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        return try await installed.read { installed in
            Dictionary(
                Set(applications).compactMap { application in
                    guard let entry = installed.entry(application) else { return nil }
                    return (
                        application, (entry.name(locales: locales), entry.string("Icon") ?? "application-x-executable")
                    )
                }
            ) { one, _ in one }
        }
    }

    private static func shown(_ text: String) -> String { DisplayText(text, limit: shownCharacters).text }

    // MARK: Choosing

    /// Carries out a result, because the person chose it.
    ///
    /// - Parameters:
    ///   - text: the text that the person searched for.
    ///   - platform: platform data for the app.
    /// - Throws: ``DBusError``: `NotFound` for a result that is not known any more, `ActionFailed`.
    func choose(_ id: String, for text: String, platform: VariantMap, activationToken: String?) async throws {
        if known[id] == nil {
            // The agent may have started anew since the desktop asked.
            _ = await results(text)
        }
        guard let result = known[id] else { throw DBusError(.notFound, "the result is not there any more") }
        switch result.content {
        case .item(let item):
            var options: VariantMap = [
                "application": .string(item.application.rawValue), "index": .string(item.index), "query": .string(text),
                "platform": platform.dbusValue,
            ]
            options["activation-token"] = activationToken.map(Value.string)
            _ = try await index.open(item.id, options, of: .all, search: searchOptions)
        case .place(let place):
            guard let route = try await directions.route(to: place) else {
                throw DBusError(.actionFailed, "no installed app shows this place; see “hunch apps”")
            }
            try await accept(await suggestion(route), activationToken)
        case .action(let choice):
            try await accept(try await learned.suggestions(for: [choice], limit: 1).first, activationToken)
        }
    }

    private func suggestion(_ route: PlannedRoute) async -> Suggestion {
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: route.title, subtitle: route.applicationName,
            application: route.application, applicationName: route.applicationName,
            source: localized("You asked for it"), score: 1, explanation: route.explanation, context: Context(),
            expiry: configuration.offerEnd, action: .openDirections(route.launch))
        await desk.setDonations([suggestion.id: route.donation])
        return suggestion
    }

    private func accept(_ suggestion: Suggestion?, _ activationToken: String?) async throws {
        guard let suggestion, let path = try await learned.offer([suggestion], for: Self.requester).first else {
            throw DBusError(.actionFailed, "nothing can open it any more")
        }
        try await desk.accept(path.lastElement, activationToken: activationToken)
    }

    /// Continues a search: in the app that has all of the results if it continues searches, else in the window of Hunch.
    func continueSearch(_ text: String, platform: VariantMap, activationToken: String?) async throws {
        let apps = Set(
            await results(text).map { result -> AppID? in
                if case .item(let item) = result.content { item.application } else { nil }
            })
        var options: VariantMap = ["platform": platform.dbusValue]
        options["activation-token"] = activationToken.map(Value.string)
        if apps.count == 1, let only = apps.first, let application = only,
            try await index.continuesSearches(application)
        {
            return try await index.continueSearch(text, in: application, options)
        }
        try await openWindow(text, platform: platform, activationToken: activationToken)
    }

    /// Opens the window of Hunch with a search.
    private func openWindow(_ text: String, platform: VariantMap, activationToken: String?) async throws {
        let entry = HunchNames.settingsEntry
        guard let service = LaunchPlan.service(of: entry) else { return }
        var platform = platform
        if let token = LaunchPlan.checkedToken(activationToken) {
            platform["activation-token"] = .string(token)
            platform["desktop-startup-id"] = .string(token)
        }
        do {
            let () = try await bus.call(
                service.name, service.path, "org.freedesktop.Application", "ActivateAction", "find",
                [Value.string(text)], platform, timeout: ActivityContinuation.deadline)
        } catch let error as DBusError where error.name == .serviceUnknown {
            // Without an activation file, such as in a folder with a build, it opens without the text.
            try await launcher.launch(entry, activationToken: activationToken)
        }
    }
}
