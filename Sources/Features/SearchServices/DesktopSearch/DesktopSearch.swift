package import DirectionServices
package import Agent
internal import AgentInterface
internal import EventLoops
internal import FoundationEssentials
internal import History
package import HunchDBus
internal import HunchModel
internal import Learning
internal import SearchIndexes

/// Answers the desktop's own search with content of apps, places that the user looked at, and actions that are likely now.
///
/// An answer takes at most a tenth of a second: a source that needs longer is left out. There are no results while Hunch is off
/// or paused, or while the screen is locked.
package actor DesktopSearch: Feature {
    package static let name = "desktop search"

    /// The most results.
    static let limit = 20
    /// The number of results that are remembered for the desktop.
    private static let knownLimit = 500
    /// The time limit of each source once the user has chosen: a complete result then counts more than a quick one.
    private static let choiceTime = Duration.seconds(5)
    /// The time without a search after which the results are dropped.
    private static let knownTime = Duration.seconds(60)
    /// The names of programs that may ask, with the desktop whose they are: GNOME Shell, KRunner, and the start menu of Plasma.
    private static let shells: [(name: BusName, desktop: String)] = [
        ("org.gnome.Shell", "GNOME"), ("org.kde.krunner", "KDE"), ("org.kde.plasmashell", "KDE"),
    ]

    package let environment: AgentEnvironment
    let index: IndexService
    let directions: DirectionsService
    let learned: LearnedSuggestions
    let desk: SuggestionDesk
    /// The last results by identifier, and their identifiers, the latest last.
    private var known: [String: SearchResult] = [:]
    private var order: [String] = []
    private var knownTimer: LoopTimer?
    private var last: (text: String, results: [SearchResult])?
    /// Increases each time the user has something forgotten, so that no running search remembers it.
    private var forgettings = 0
    /// The sessions of KRunner and of start menus, by caller.
    var runners: [BusName: RunnerSession] = [:]

    package init(
        _ environment: AgentEnvironment, index: IndexService, directions: DirectionsService,
        learned: LearnedSuggestions, desk: SuggestionDesk
    ) {
        self.environment = environment
        self.index = index
        self.directions = directions
        self.learned = learned
        self.desk = desk
    }

    package nonisolated func interfaces() throws -> [ObjectPath: [ExportedInterface]] {
        [Self.gnomePath: [gnomeInterface()], Self.runnerPath: [runnerInterface()]]
    }

    /// Permits only the desktop's own search and the command `hunch`.
    ///
    /// - Throws: ``DBusError`` `…AccessDenied`.
    nonisolated func checkCaller(_ call: IncomingCall) async throws {
        switch try await callers.permission(of: call) {
        case .person: return
        case .confined: break
        case .app, .unknown:
            for name in shellNames where try await bus.owner(of: name) == call.sender { return }
        }
        throw DBusError(.accessDenied, "only the desktop's own search may ask; use “hunch find” instead")
    }

    /// The names of programs of the running desktop that may ask; those of all desktops if it is unknown.
    private nonisolated var shellNames: [BusName] {
        let desktops = (configuration.environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
        let own = Self.shells.filter { shell in desktops.contains { $0 == shell.desktop } }
        return (own.isEmpty ? Self.shells : own).map(\.name)
    }

    // MARK: Finding

    /// Returns the results for a typed text, the best first.
    ///
    /// - Parameter time: the time limit of each source; `nil` for that of a search while the user types.
    func results(_ text: String, within time: Duration? = nil) async -> [SearchResult] {
        let time = time ?? configuration.searchTime
        let words = TypedWords(text)
        guard !words.isEmpty, await desk.isScreenSeen else { return [] }
        let before = forgettings
        async let isOn = excludedApps(within: time)
        async let actions = inTime(time) { try await self.actions(words) }
        async let places = inTime(time) { try await self.places(words) }
        async let items = inTime(time) { try await self.items(text, within: time) }
        let first = await actions
        let titles = Set(first.map(\.title))
        let all = first + (await places).filter { !titles.contains($0.title) } + (await items)
        // The screen may have been locked meanwhile.
        guard let excluded = await isOn, forgettings == before, await desk.isScreenSeen else { return [] }
        var ids: Set<String> = []
        // GNOME Shell shows nothing at all if one result has no title.
        let results = all.filter { !$0.isOf(excluded) && !$0.title.isEmpty && ids.insert($0.id).inserted }
        let shown = Array(results.prefix(Self.limit))
        // Those beyond the limit may have been shown when other sources were too late.
        remember(results)
        last = (text, shown)
        return shown
    }

    /// Returns the results that the desktop got last for a text; new ones if it got none.
    func lastResults(_ text: String) async -> [SearchResult] {
        if let last, last.text == text, !last.results.isEmpty { return last.results }
        return await results(text, within: Self.choiceTime)
    }

    /// Returns the result that the user chose after a search.
    ///
    /// - Throws: ``DBusError`` `NotFound` for a result that is no longer found.
    func chosenResult(_ id: String, for text: String) async throws -> SearchResult {
        if let result = await results(withIDs: [id], within: Self.choiceTime).first { return result }
        // The agent may have restarted since the desktop asked, or the user took their time.
        _ = await results(text, within: Self.choiceTime)
        guard let result = await results(withIDs: [id], within: Self.choiceTime).first else {
            throw DBusError(.notFound, "the result no longer exists; search again")
        }
        return result
    }

    /// Returns the results with these identifiers, in their order, as far as they are known and may be shown.
    ///
    /// - Parameter time: the time limit; `nil` for that of a search while the user types.
    func results(withIDs ids: [String], within time: Duration? = nil) async -> [SearchResult] {
        guard await desk.isScreenSeen, let excluded = await excludedApps(within: time ?? configuration.searchTime)
        else { return [] }
        return ids.compactMap { known[$0] }.filter { !$0.isOf(excluded) }
    }

    private func remember(_ results: [SearchResult]) {
        let ids = Set(results.map(\.id))
        order = (order.filter { !ids.contains($0) } + results.map(\.id)).suffix(Self.knownLimit)
        for result in results { known[result.id] = result }
        if known.count > Self.knownLimit {
            let kept = Set(order)
            known = known.filter { kept.contains($0.key) }
        }
        if let knownTimer { loop.cancel(knownTimer) }
        knownTimer = loop.schedule(after: Self.knownTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.drop() }
        }
    }

    private func drop() { (known, order, last) = ([:], [], nil) }

    package func handle(_ event: CoreEvent) {
        switch event {
        case .forgetting, .recordsChanged: forget()
        case .person, .positionLost, .switchedOff, .settingsChanged, .excluded, .unmuted, .carriedOut: break
        }
    }

    /// Forgets the last results and texts.
    private func forget() {
        forgettings += 1
        drop()
        runners = [:]
    }

    /// Returns the excluded apps; `nil` if Hunch is off or paused.
    private func excludedApps(within time: Duration) async -> Set<AppID>? {
        await inTime(time) { [history] in
            try await history.use { store, now -> [Set<AppID>] in
                try store.outcome(forApplication: "", now: now).isRecorded ? [try store.exclusions()] : []
            }
        }.first
    }

    /// Returns the results of a source within its time limit; none if it needs longer or fails.
    private nonisolated func inTime<Value: Sendable>(
        _ time: Duration, _ body: @escaping @Sendable () async throws -> [Value]
    ) async -> [Value] {
        let (stream, continuation) = AsyncStream.makeStream(of: [Value].self)
        let task = Task(executorPreference: loop) {
            // A failing source has no results.
            if let values = try? await body() { continuation.yield(values) }
            continuation.finish()
        }
        let timer = loop.schedule(after: time) { continuation.finish() }
        defer {
            loop.cancel(timer)
            task.cancel()
        }
        for await values in stream { return values }
        return []
    }
}

extension SearchResult {
    /// Whether it is an item of one of some apps.
    fileprivate func isOf(_ applications: Set<AppID>) -> Bool {
        if case .item(_, let application, _) = content { applications.contains(application) } else { false }
    }
}
