internal import Activities
internal import AgentInterface
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Queries
internal import SearchIndexes
internal import Suggestions

/// Keeps the content of apps that people can find, and finds it.
actor IndexService: Part {
    /// The most searches of one caller at once, and of all.
    private static let searchLimit = 8
    private static let searchLimitOfAll = 64
    /// The time after which an unused search ends.
    private static let searchTime = Duration.seconds(60)
    /// The time without a use of the index after which its memory is returned to the system.
    private static let quietTime = Duration.seconds(10)
    /// The most indexes of one app.
    private static let indexLimit = 32
    /// The most items in one change, and of one app.
    private static let itemLimit = 10_000
    private static let itemLimitOfApp = 1_000_000
    /// The largest size of the index to which items are added, in bytes.
    private static let sizeLimit = 4 << 30
    /// The most activities of one app. The oldest are deleted.
    private static let activityLimit = 1_000
    private static let domainLimit = 1_000
    private static let usualHits: UInt32 = 100

    /// A search whose items the caller has not read completely.
    private struct Search {
        let owner: BusName
        var items: ArraySlice<FoundItem>
        let count: UInt32
        var timer: LoopTimer?
        var watch: Task<Void, Never>?
    }

    let environment: AgentEnvironment
    private let desk: SuggestionDesk
    let keeper: IndexKeeper
    let reindexer: Reindexer
    private var searches: [ObjectPath: Search] = [:]
    /// The callers whose searches have not begun yet.
    private var starting: [BusName] = []
    /// Increases each time the person forgets something, so that no search gives what was forgotten.
    private var forgettings = 0
    private var rates = CallerRates(burst: 200, perSecond: 10)
    private var random = SystemRandomNumberGenerator()
    private var quietTimer: LoopTimer?

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, keeper: IndexKeeper, reindexer: Reindexer) {
        self.environment = environment
        self.desk = desk
        self.keeper = keeper
        self.reindexer = reindexer
    }

    func close() async {
        for search in searches.values { search.watch?.cancel() }
        searches = [:]
        if let quietTimer { loop.cancel(quietTimer) }
        await settle()
        keeper.close()
    }

    // MARK: Changing

    /// Carries out changes of an app's index. Returns the number of deleted items.
    func change(_ index: String, _ map: VariantMap, of application: AppID) async throws -> UInt32 {
        let changes = try Self.changes(map)
        let state = try map.value("state", as: [UInt8].self)
        guard rates.take(1, of: application.rawValue, at: configuration.now()) else {
            throw DBusError(.limitsExceeded, "too many changes in a short time; send more items in one change")
        }
        let added = changes.count { if case .add = $0 { true } else { false } }
        let isKeeping = added > 0 || state != nil
        if isKeeping { try await checkKept(application) }
        let source = IndexSource(application: application, name: index)
        guard index != IndexSource.activities else {
            throw DBusError(.invalidInput, "“\(index)” has the activities of the app; use another name")
        }
        let now = configuration.now()
        // The app's own items take the place of its activities about the same content.
        let replaced = changes.flatMap { change -> [String] in
            switch change {
            case .add(let item): [item.id]
            case .delete(let identifiers): identifiers
            case .deleteDomain, .deleteAll: []
            }
        }
        defer { scheduleQuiet() }
        let write: @Sendable (IndexStore) throws -> Int = { store in
            let own = try store.names(of: application)
            if !own.contains(index) {
                // Deleting creates nothing.
                guard isKeeping else { return 0 }
                guard own.count < Self.indexLimit else {
                    throw DBusError(
                        .limitsExceeded, "the app has \(own.count) indexes already; use one of them instead")
                }
            }
            if added > 0 { try Self.checkRoom(for: added, of: application, in: store) }
            let deleted = try store.write(changes, to: source, state: state, now: now)
            let activities = IndexSource(application: application, name: IndexSource.activities)
            if own.contains(activities.name), !replaced.isEmpty {
                try store.write([.delete(replaced)], to: activities, now: now)
            }
            return deleted
        }
        let deleted = isKeeping ? try await keeper.use(write) : try await keeper.useIfPresent(write) ?? 0
        return UInt32(clamping: deleted)
    }

    /// Checks that an app may add items. Items that it replaces or deletes in the same change count, too.
    private static func checkRoom(for added: Int, of application: AppID, in store: IndexStore) throws {
        guard try store.itemCount(of: application) + added <= itemLimitOfApp else {
            throw DBusError(
                .limitsExceeded, "the app would have more than \(itemLimitOfApp) items; delete old ones first")
        }
        guard try store.size() < sizeLimit else {
            throw DBusError(
                .limitsExceeded, "the index has \(sizeLimit >> 30) GiB; “hunch index list” shows what is in it")
        }
    }

    /// Adds the content of an activity, unless the app indexed the same content itself.
    ///
    /// - Parameter related: another identifier of the content.
    func keep(_ item: SearchableItem, of application: AppID, related: String?) async throws {
        let source = IndexSource(application: application, name: IndexSource.activities)
        let now = configuration.now()
        defer { scheduleQuiet() }
        try await keeper.use { store in
            guard try !store.hasItem([item.id] + [related].compactMap(\.self), besides: source) else { return }
            try store.write([.add(item)], to: source, now: now)
            try store.trim(source, to: Self.activityLimit)
        }
    }

    /// Deletes items that were activities of an app.
    func delete(_ selection: DonationSelection, of application: AppID) async throws {
        defer { scheduleQuiet() }
        let source = IndexSource(application: application, name: IndexSource.activities)
        let changes: [IndexChange] =
            switch selection {
            case .identifiers(let identifiers): [.delete(identifiers)]
            case .groups(let groups): groups.map { .deleteDomain(LiveActivity.searchDomain(ofGroup: $0)) }
            case .all: [.deleteAll]
            }
        let now = configuration.now()
        _ = try await keeper.useIfPresent { store in
            guard try store.names(of: application).contains(source.name) else { return 0 }
            return try store.write(changes, to: source, now: now)
        }
    }

    private static func changes(_ map: VariantMap) throws(DBusError) -> [IndexChange] {
        try map.checkKeys("delete-all", "delete-domains", "delete", "add", "state")
        var changes: [IndexChange] = []
        if try map.value("delete-all", as: Bool.self) == true { changes.append(.deleteAll) }
        let domains = try map.value("delete-domains", as: [String].self) ?? []
        try check(domains.count, domainLimit, "delete-domains")
        changes += domains.map { .deleteDomain($0) }
        let identifiers = try map.value("delete", as: [String].self) ?? []
        try check(identifiers.count, itemLimit, "delete")
        if !identifiers.isEmpty { changes.append(.delete(identifiers)) }
        let items = try map.value("add", as: [VariantMap].self) ?? []
        try check(items.count, itemLimit, "add")
        for item in items { changes.append(.add(try SearchableItem(transfer: item))) }
        return changes
    }

    private static func check(_ count: Int, _ limit: Int, _ key: String) throws(DBusError) {
        guard count <= limit else {
            throw DBusError(.limitsExceeded, "“\(key)” has \(count) entries; the limit is \(limit) in one call")
        }
    }

    /// Checks that content of an app is kept now.
    private func checkKept(_ application: AppID) async throws {
        await history.privacyGate.pass()
        let outcome = try await history.use { store, now in
            try store.outcome(forApplication: application, now: now)
        }
        guard outcome.isRecorded else {
            throw DBusError(.disabled, "Hunch is off or paused, or the person excluded this app; index again later")
        }
    }

    /// Returns the client state of an app's index; empty if there is none.
    func state(of index: String, of application: AppID) async throws -> [UInt8] {
        let source = IndexSource(application: application, name: index)
        return try await keeper.useIfPresent { try $0.state(of: source) ?? [] } ?? []
    }

    /// Forgets items, and ends searches, which may contain them. Returns the number of items.
    func forget(_ scope: ForgetScope) async throws -> UInt32 {
        forgettings += 1
        for path in searches.keys { await end(path) }
        try await keeper.removeAside()
        return UInt32(clamping: try await keeper.useIfPresent { try $0.forget(scope) } ?? 0)
    }

    /// Removes items that have expired, and the bytes of forgotten ones if that failed before.
    func upkeep() async throws {
        let now = configuration.now()
        _ = try await keeper.useIfPresent { store in
            try store.removeExpired(now: now)
            try store.scrubIfPending()
        }
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
        try options.checkKeys("query", "unfinished", "limit", "index", "application")
        let search = try await searchOptions(options, of: apps)
        var items = try await items(text, isQuery: options.value("query", as: Bool.self) ?? false, search)
        if search.applications == nil {
            let excluded = try await history.use { store, _ in try store.exclusions() }
            items.removeAll { excluded.contains($0.application) }
        }
        let path = try HunchNames.searchPath(SuggestionIdentifier.make(using: &random))
        searches[path] = Search(owner: owner, items: items[...], count: UInt32(clamping: items.count))
        do {
            try await server.export(path, [interface(of: path, owner: owner)], about: owner.text)
        } catch {
            searches[path] = nil
            throw error
        }
        // It may have ended meanwhile, because the person forgot something.
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
        try options.checkKeys("index", "application")
        let search = try await searchOptions(options, of: apps)
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

    private func searchOptions(_ options: VariantMap, of apps: VisibleApps) async throws -> SearchOptions {
        let limit = try options.value("limit", as: UInt32.self) ?? Self.usualHits
        var search = SearchOptions(limit: min(Int(limit), SearchOptions.maximumLimit), now: configuration.now())
        let application = try options.text("application").map { AppID($0) }
        switch apps {
        case .all: search.applications = application.map { [$0] }
        case .one(let own):
            guard application.map({ $0 == own }) ?? true else {
                throw DBusError(.accessDenied, "an app finds its own items only; use “hunch find” instead")
            }
            search.applications = [own]
            search.countsEngagement = false
        case .none: throw DBusError(.accessDenied, CallerIdentifier.unknownApplication)
        }
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
            problems.report("the end of a search could not be announced: \(error)")
        }
    }

    /// Returns the indexes of visible apps.
    func indexes(of apps: VisibleApps) async throws -> [VariantMap] {
        let sources = try await keeper.useIfPresent { try $0.sources() } ?? []
        return sources.filter { apps.contains($0.source.application) }.map { source, items in
            [
                "application": .string(source.application.rawValue), "index": .string(source.name),
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

    private func scheduleQuiet() {
        if let quietTimer { loop.cancel(quietTimer) }
        quietTimer = loop.schedule(after: Self.quietTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.settle() }
        }
    }

    /// Returns memory to the system, removes deleted texts from the files, and stores the number of changes, by which an older
    /// copy of the file is noticed.
    private func settle() async {
        guard quietTimer != nil else { return }
        quietTimer = nil
        do {
            try await reindexer.compareCopy()
        } catch {
            problems.report("the search index could not be compared with its copies: \(error)")
        }
        // It fails while a command reads.
        do { _ = try await keeper.useIfPresent { try $0.checkpoint() } } catch { scheduleQuiet() }
        await keeper.releaseMemory()
    }
}

extension FoundItem {
    fileprivate init(_ hit: SearchHit) {
        self.init(
            id: hit.id, application: hit.source.application, index: hit.source.name, domain: hit.domain,
            title: hit.title, attributes: hit.attributes, score: hit.score)
    }
}
