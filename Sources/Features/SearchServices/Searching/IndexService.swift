package import PersonalStores
package import Agent
internal import AgentInterface
internal import EventLoops
internal import FoundationEssentials
package import History
package import HunchDBus
package import HunchModel
internal import Learning
internal import Queries
internal import SearchIndexes
internal import Suggestions
internal import Triggers
internal import Localization

/// Keeps the content of apps that people can find, and finds it.
package actor IndexService: Feature {
    package static let name = "search"

    /// The most searches of one caller at once, and of all.
    private static let searchLimit = 8
    private static let searchLimitOfAll = 64
    /// The time after which an unused search ends.
    private static let searchTime = Duration.seconds(60)
    /// The time without a use of the index after which its memory is returned to the system.
    private static let quietTime = Duration.seconds(10)
    /// The time after which that is repeated if another program used the index.
    private static let busyTime = Duration.seconds(60)
    /// The most bytes of the items of one caller's searches, and of all.
    private static let sizeLimit = 16 << 20
    private static let sizeLimitOfAll = 64 << 20
    private static let usualHits: UInt32 = 100

    /// A search whose items the caller has not read completely.
    private struct Search {
        let owner: BusName
        /// Whether protected items may be among them.
        let isUnlocked: Bool
        let size: Int
        var items: ArraySlice<FoundItem>
        let count: UInt32
        var timer: LoopTimer?
        var watch: Task<Void, Never>?
    }

    package let environment: AgentEnvironment
    private let desk: SuggestionDesk
    let keeper: IndexKeeper
    let reindexer: Reindexer
    private var searches: [ObjectPath: Search] = [:]
    /// The callers whose searches have not begun yet.
    private var starting: [BusName] = []
    /// Increases each time the user forgets something, so that no search gives what was forgotten.
    private var forgettings = 0
    var rates = CallerRates(burst: 200, perSecond: 10)
    private var random = SystemRandomNumberGenerator()
    private var quietTimer: LoopTimer?
    /// The connection to logind while searches follow each other.
    private var loginBus: Connection?
    private var isClosed = false
    /// Removes the traces of content that an app deletes, by its identifiers.
    private(set) var forgetContents: @Sendable ([String], AppID) async throws -> Void = { _, _ in }

    package init(_ environment: AgentEnvironment, desk: SuggestionDesk, keeper: IndexKeeper, reindexer: Reindexer) {
        self.environment = environment
        self.desk = desk
        self.keeper = keeper
        self.reindexer = reindexer
    }

    package func setForgetContents(_ body: @escaping @Sendable ([String], AppID) async throws -> Void) {
        forgetContents = body
    }

    package nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] { [HunchNames.root: [interface]] }

    package nonisolated var stores: [any PersonalStore] { [self] }

    package func close() async {
        for search in searches.values { search.watch?.cancel() }
        searches = [:]
        if let quietTimer { loop.cancel(quietTimer) }
        isClosed = true
        await settle()
        await closeLoginBus()
        keeper.close()
    }

    // MARK: Forgetting

    package func handle(_ event: CoreEvent) async {
        switch event {
        case .forgetting, .recordsChanged, .excluded: await endSearches()
        case .person, .positionLost, .switchedOff, .settingsChanged, .unmuted, .carriedOut: break
        }
    }

    /// Ends searches, because what they found may have been forgotten or excluded.
    private func endSearches() async {
        forgettings += 1
        for path in searches.keys { await end(path) }
    }

    // MARK: Searching

    /// Starts a search. Returns the path of its object.
    func search(
        _ text: String, _ options: VariantMap, of apps: VisibleApps, owner: BusName
    ) async throws -> ObjectPath {
        let own = searches.values.count { $0.owner == owner } + starting.count { $0 == owner }
        guard own < Self.searchLimit, searches.count + starting.count < Self.searchLimitOfAll else {
            throw DBusError(
                .limitsExceeded, "\(Self.searchLimit) searches are open; read them to their end or cancel them")
        }
        starting.append(owner)
        defer { starting.remove(at: starting.firstIndex(of: owner) ?? 0) }
        try options.checkKeys("query", "unfinished", "limit", "index", "app")
        let search = try await searchOptions(options, of: apps)
        let items = try await items(text, isQuery: options.value("query", as: Bool.self) ?? false, search)
        let size = items.reduce(0) { $0 + $1.transfer.textSize }
        let ownSize = searches.values.reduce(size) { $0 + ($1.owner == owner ? $1.size : 0) }
        guard ownSize <= Self.sizeLimit, searches.values.reduce(size, { $0 + $1.size }) <= Self.sizeLimitOfAll else {
            throw DBusError(
                .limitsExceeded, "the open searches have found too much; read them to their end or cancel them")
        }
        let path = try HunchNames.searchPath(SuggestionIdentifier.make(using: &random))
        searches[path] = Search(
            owner: owner, isUnlocked: !search.isLocked, size: size, items: items[...],
            count: UInt32(clamping: items.count))
        do {
            try await server.export(path, [interface(of: path, owner: owner)], about: owner.text)
        } catch {
            searches[path] = nil
            throw error
        }
        // It may have ended meanwhile, because the user forgot something.
        guard searches[path] != nil else {
            try? await server.unexport(path)
            throw DBusError(.busy, "the person has just forgotten something; search again")
        }
        searches[path]?.watch = Task(executorPreference: loop) { [weak self, bus] in
            if let owners = try? await bus.owners(of: owner) {
                for await present in owners where present == nil { break }
            }
            guard !Task.isCancelled else { return }
            await self?.end(path)
        }
        postpone(path)
        return path
    }

    /// Returns the items that a search finds, the best first.
    func items(_ text: String, isQuery: Bool = false, _ options: SearchOptions) async throws -> [FoundItem] {
        guard text.utf8.count <= Query.maximumLength else {
            throw DBusError(.invalidInput, "the text has more than \(Query.maximumLength) bytes")
        }
        let query = isQuery ? try query(text) : nil
        defer { scheduleQuiet() }
        let before = forgettings
        let options = try await permitted(options)
        let deadline = ContinuousClock.now + options.time
        let items = try await keeper.search { store in
            // The thread may have been busy until the caller gave up.
            var options = options
            options.time = max(.zero, deadline - .now)
            guard options.time > .zero else { throw DBusError(.busy, "the index is busy; search again in a moment") }
            let hits = try query.map { try store.search($0, options) } ?? store.search(text, options)
            return hits.map(FoundItem.init)
        }
        guard forgettings == before else {
            throw DBusError(.busy, "the person has just forgotten something; search again")
        }
        return items ?? []
    }

    /// Returns a typed text with its last word completed in several ways, the likeliest first.
    func completions(_ text: String, _ options: VariantMap, of apps: VisibleApps) async throws -> [String] {
        guard text.utf8.count <= Query.maximumLength else {
            throw DBusError(.invalidInput, "the text has more than \(Query.maximumLength) bytes")
        }
        try options.checkKeys("index", "app")
        let search = try await permitted(searchOptions(options, of: apps))
        defer { scheduleQuiet() }
        return try await keeper.search { try $0.completions(of: text, search) } ?? []
    }

    private func query(_ text: String) throws(DBusError) -> Query {
        do throws(QueryError) {
            return try Query(text, clock: configuration.now())
        } catch {
            throw DBusError(.invalidInput, "the query is wrong at character \(error.position): \(error.message)")
        }
    }

    /// Returns the options of a search without the apps that the user excluded, and without protected items unless
    /// the user is known to have authenticated.
    func permitted(_ options: SearchOptions) async throws -> SearchOptions {
        var options = options
        if await !isAuthenticated() { options.isLocked = true }
        // An app finds its own.
        guard options.countsEngagement else { return options }
        options.excluded = try await history.use { store, _ in try store.exclusions() }
        return options
    }

    /// Asks logind each time, because sessions come and go while the agent runs. The connection lasts until all is quiet.
    private func isAuthenticated() async -> Bool {
        if let loginBus, await loginBus.isOpen { return await ScreenWatch.isAuthenticated(loginBus) }
        guard let bus = try? await Connection.open(configuration.systemBus(), on: loop) else { return false }
        if let loginBus, await loginBus.isOpen {
            // Another search has opened one meanwhile.
            await bus.close()
            return await ScreenWatch.isAuthenticated(loginBus)
        }
        loginBus = bus
        return await ScreenWatch.isAuthenticated(bus)
    }

    private func closeLoginBus() async {
        let bus = loginBus
        loginBus = nil
        await bus?.close()
    }

    private func searchOptions(_ options: VariantMap, of apps: VisibleApps) async throws -> SearchOptions {
        let limit = try options.value("limit", as: UInt32.self) ?? Self.usualHits
        var search = SearchOptions(limit: min(Int(limit), SearchOptions.maximumLimit), now: configuration.now())
        let application = try options.text("app").map { AppID($0) }
        switch apps {
        case .all:
            search.applications = application.map { [$0] }
        case .one(let own):
            guard application.map({ $0 == own }) ?? true else {
                throw DBusError(.accessDenied, "an app finds its own items only; use “hunch find” instead")
            }
            search.applications = [own]
            search.countsEngagement = false
        case .none: throw DBusError(.accessDenied, CallerPermission.unknown().unidentified)
        }
        search.needsExcerpts = true
        search.index = try options.text("index")
        search.isUnfinished = try options.value("unfinished", as: Bool.self) ?? false
        search.isLocked = await !desk.isScreenSeen
        return search
    }

    /// Returns the next items of a search, and whether they are its last ones.
    func next(_ limit: UInt32, of path: ObjectPath) async throws -> ([FoundItem], Bool) {
        guard (1...UInt32(SearchOptions.maximumLimit)).contains(limit) else {
            throw DBusError(.invalidInput, "“limit” must be a number from 1 to \(SearchOptions.maximumLimit)")
        }
        // The screen may have been locked since.
        if searches[path]?.isUnlocked == true, await !desk.isScreenSeen { await end(path) }
        guard var search = searches[path] else { throw DBusError(.notFound, "the search has ended") }
        let items = Array(search.items.prefix(Int(limit)))
        search.items = search.items.dropFirst(items.count)
        searches[path] = search
        if search.items.isEmpty { await end(path) } else { postpone(path) }
        return (items, search.items.isEmpty)
    }

    /// Returns the number of items that a search found.
    func count(of path: ObjectPath) -> UInt32 { searches[path]?.count ?? 0 }

    /// Ends a search.
    func end(_ path: ObjectPath) async {
        guard let search = searches.removeValue(forKey: path) else { return }
        search.watch?.cancel()
        if let timer = search.timer { loop.cancel(timer) }
        do { try await server.unexport(path) } catch {
            problems.report(localized("the end of a search could not be announced: %1", "\(error)"))
        }
    }

    /// Returns the indexes of visible apps.
    func indexes(of apps: VisibleApps) async throws -> [VariantMap] {
        let sources = try await keeper.useIfPresent { try $0.sources() } ?? []
        return sources.filter { apps.contains($0.source.application) }.map { source, items in
            [
                "app": .string(source.application.rawValue), "index": .string(source.name),
                "items": .uint32(UInt32(clamping: items)),
            ]
        }
    }

    // MARK: Time

    /// Ends a search after a time without a call.
    private func postpone(_ path: ObjectPath) {
        if let timer = searches[path]?.timer { loop.cancel(timer) }
        searches[path]?.timer = loop.schedule(after: Self.searchTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.end(path) }
        }
    }

    func scheduleQuiet(after time: Duration = quietTime) {
        if let quietTimer { loop.cancel(quietTimer) }
        quietTimer = loop.schedule(after: time) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.settle() }
        }
    }

    /// Returns memory to the system, empties the log, and stores the number of changes, by which an older copy of the file is
    /// noticed.
    private func settle() async {
        guard quietTimer != nil else { return }
        quietTimer = nil
        await closeLoginBus()
        do {
            try await reindexer.compareCopy()
        } catch {
            problems.report(localized("the search index could not be compared with its copies: %1", "\(error)"))
        }
        do {
            _ = try await keeper.useIfPresent { try $0.checkpoint() }
        } catch let error as IndexError where error.code == .busy && !isClosed {
            scheduleQuiet(after: Self.busyTime)
        } catch {
            problems.report(
                localized("the log of the search index could not be emptied: %1", ErrorMapping.logged(error)))
        }
        await keeper.releaseMemory()
    }
}

extension FoundItem {
    fileprivate init(_ hit: SearchHit) {
        self.init(
            id: hit.id, application: hit.source.application, index: hit.source.name, domain: hit.domain,
            title: hit.title, attributes: hit.attributes, score: hit.score, date: hit.date, excerpt: hit.excerpt)
    }
}
