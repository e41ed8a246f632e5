internal import PersonalStores
internal import HistoryExport
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Suggestions
internal import Localization

/// Forgetting, exclusions, retention and export.
actor PrivacyService: Part {
    /// The maximum number of exports at the same time.
    static let exportLimit = 4
    /// The interval for removing expired data, in seconds.
    private static let upkeepInterval = 86_400.0
    private static let firstUpkeep = 600.0

    package let environment: AgentEnvironment
    package let desk: SuggestionDesk
    package let watch: Watch
    private let features: [any Feature]
    private var upkeepTimer: LoopTimer?
    private var exports: [ObjectIdentifier: ExportStream] = [:]

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, watch: Watch, features: [any Feature]) {
        self.environment = environment
        self.desk = desk
        self.watch = watch
        self.features = features
    }

    /// Starts the daily upkeep. The first one follows soon, because many computers are off every night.
    package func begin() { armUpkeep(after: Self.firstUpkeep) }

    package func close() async {
        if let upkeepTimer { loop.cancel(upkeepTimer) }
        upkeepTimer = nil
        await endExports()
    }

    // MARK: Forgetting

    /// Forgets a scope. Returns the number of removed rows by table, of cached files, and of withdrawn suggestions.
    ///
    /// If nothing is in the scope, the memory stays unchanged.
    ///
    /// - Throws: `ForgettingError` if a store failed. All others have forgotten then.
    package func forget(_ scope: ForgetScope) async throws -> [ForgetCount: UInt32] {
        // Exports and data in memory go first, so that nothing comes back into the store.
        var isDropped = await mayHold(scope)
        var withdrawn = isDropped ? await dropMemory(of: scope, because: "it was forgotten") : 0
        var (counts, failure) = await stores.forget(scope)
        // Cached copies and damaged files are removed whatever the scope is, so their counts say nothing about it.
        let isFound = counts.contains {
            $0.value > 0 && ![.artwork, .cacheFiles, .setAsideFiles, .unfinished].contains($0.key)
        }
        if !isDropped, failure != nil || isFound {
            isDropped = true
            withdrawn = await dropMemory(of: scope, because: "it was forgotten")
        }
        counts[.suggestions] = UInt32(clamping: withdrawn)
        guard isDropped else {
            if counts[.unfinished] != 0 { armUpkeep(after: 5) }
            try await desk.readLimits()
            return counts
        }
        await learnAnew()
        if scope == .everything { problems.clear() }
        if failure != nil || counts[.unfinished] != 0 { armUpkeep(after: 5) }
        do { try await desk.load() } catch { if failure == nil { throw error } }
        await features.handle(.recordsChanged)
        if let failure { throw failure }
        return counts
    }

    /// Clears the memory and the copies after the history was deleted or moved while it was in use, and continues with
    /// its replacement.
    func beginAnew(_ replacement: HistoryKeeper.Replacement) async {
        let outcome =
            switch replacement {
            case .fresh: localized("a new one is in use, with the same settings")
            case .other(nil): localized("the one that is there now is in use, with its settings")
            case .other(let setAside?):
                localized("the one that is there now was damaged and is at %1; a new one is in use", setAside)
            case .standIn:
                localized("no new one can be created there; check the folder’s permissions and the free space")
            }
        problems.report(
            localized("the history at %1 was deleted or moved while it was in use; %2", history.path, outcome))
        await dropMemory(of: .everything, because: "the history was deleted")
        // These concern deleted rows. A store that was put there has its own.
        if replacement == .fresh || replacement == .standIn {
            for store in stores where store.role == .independent {
                do { _ = try await store.forget(.everything) } catch {
                    problems.report(
                        localized("%1 could not be forgotten", store.named(with: ErrorMapping.logged(error))))
                }
            }
        }
        await learnAnew()
        do {
            try await desk.load()
            try await watch.begin()
            await watch.announceEnabled()
        } catch {
            problems.report(localized("the new history could not be read: %1", "\(error)"))
        }
        await features.handle(.recordsChanged)
    }

    /// Returns whether the history or the memory has anything in a scope. If that is not known, it has. Copies are not
    /// queried, because they count the items that they forget.
    private func mayHold(_ scope: ForgetScope) async -> Bool {
        let counts = try? await history.use { store, _ in try store.counts(in: scope).counts }
        guard scope != .everything, let counts, counts.values.allSatisfy({ $0 == 0 }) else { return true }
        if await desk.board.lives.contains(where: { scope.concerns($0.suggestion) }) { return true }
        for feature in features where await feature.holds(scope) { return true }
        guard case .since(let date) = scope else { return false }
        var outcomes = await desk.log
        for feature in features { outcomes = outcomes.merged(with: await feature.outcomes) }
        return outcomes.results.contains { $0.date >= date }
    }

    /// Removes a scope from memory. Returns the number of withdrawn suggestions.
    @discardableResult
    private func dropMemory(of scope: ForgetScope, because reason: String) async -> Int {
        await endExports()
        let concerned = await concerned(by: scope)
        let ended = await desk.endWaits {
            localized("it was forgotten before %1 came back", $0)
        } where: {
            concerned.mayConcern($0)
        }
        await features.handle(.forgetting(scope))
        // The current position is not part of the past.
        await present.dropMemory()
        // An appointment at a place that the user forgets is still in the calendar.
        let mayReturn = if case .place = scope { false } else { true }
        let withdrawn = await desk.withdraw(
            because: reason, mayReturn: mayReturn, where: concerned.mayConcern)
        await desk.dropTriggers()
        return ended + withdrawn
    }

    /// Returns the scope whose suggestions end: for a single action, that of its app.
    private func concerned(by scope: ForgetScope) async -> ForgetScope {
        guard case .action(let row) = scope,
            let application = try? await history.use({ store, _ in try store.application(of: row) })
        else { return scope }
        return .application(application)
    }

    private func learnAnew() async {
        await present.reload()
        await habits.learn()
    }

    /// The stores, derived copies first.
    var stores: [any PersonalStore] {
        [UnshownCopies(environment: environment, desk: desk)] + features.flatMap(\.stores) + [history]
    }

    private func armUpkeep(after seconds: Double) {
        if let upkeepTimer { loop.cancel(upkeepTimer) }
        upkeepTimer = loop.schedule(after: .clamping(seconds: seconds)) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.upkeep(after: seconds) }
        }
    }

    /// Removes expired rows, and completes an interrupted deletion, once a day and with growing delays after
    /// failures.
    private func upkeep(after seconds: Double) async {
        var isDone = true
        do {
            try await endDevelopment()
            let receipt = try await history.use { store, now in try store.prune(now: now) }
            if receipt.donations > 0 { await habits.learn() }
            isDone = receipt.isScrubbed
        } catch {
            problems.report(localized("expired records could not be removed: %1", "\(error)"))
            isDone = false
        }
        // A history that fails keeps nothing else from expiring.
        if await !removeExpired() { isDone = false }
        armUpkeep(after: isDone ? Self.upkeepInterval : min(seconds * 2, Self.upkeepInterval))
    }

    // MARK: Storage

    func setRetention(days: UInt32) async throws {
        try await history.use { store, now in
            try store.setRetention(days: Int(days))
            // Deleted rows must not stay in the file.
            if try store.prune(now: now).counts.values.contains(where: { $0 > 0 }) { _ = try store.scrub() }
        }
        if await !removeExpired() { armUpkeep(after: 5) }
        await habits.learn()
        await tell(["RetentionDays"])
    }

    /// Removes expired data of the stores. Returns whether that was possible.
    private func removeExpired() async -> Bool {
        var isDone = true
        for store in stores {
            do {
                let days = try await history.use { store, _ in try store.settings().retentionDays }
                try await store.removeExpired(retentionDays: days, now: configuration.now())
            } catch {
                problems.report(
                    localized("expired data could not be removed: %1", store.named(with: ErrorMapping.logged(error))))
                isDone = false
            }
        }
        return isDone
    }

    func setCategory(_ word: String, isAllowed: Bool) async throws {
        guard let category = PrivacyCategory(rawValue: word) else {
            let known = PrivacyCategory.allCases.map(\.rawValue).joined(separator: ", ")
            throw DBusError(.invalidInput, "“\(word.cut(to: 40))” is not a category; the categories are \(known)")
        }
        try await history.use { store, _ in try store.setCategory(category, isAllowed: isAllowed) }
        if !isAllowed {
            await desk.withdraw(because: "it is not to be recorded") { suggestion in
                suggestion.origin.map { category.kinds.contains($0.kind) } ?? false
            }
        }
        try await present.settingsChanged()
        await features.handle(.settingsChanged)
        await tell(["Categories"])
    }

    func set(_ setting: UserSetting, isOn: Bool) async throws {
        try await history.use { store, _ in try store.set(setting, isOn: isOn) }
        try await endDevelopment()
        await features.handle(.settingsChanged)
        await tell([setting.property])
        await desk.showAnew()
    }

    /// Registers the caller as an app in development. Returns the identifier with which the app's data are kept.
    func register(_ app: AppID, for call: IncomingCall) async throws -> AppID {
        if case .confined = try await callers.permission(of: call) {
            throw DBusError(.accessDenied, "an app in a sandbox is known by its sandbox and need not register")
        }
        guard (try? ObjectPath(application: BusName(app.rawValue))) != nil else {
            throw DBusError(
                .invalidInput, "“\(app.rawValue.cut(to: 80))” is not a desktop identifier such as org.example.Guide")
        }
        let developed = AppID(developing: app)
        guard try await history.use({ store, _ in try store.noteDeveloped(developed) }) else {
            throw DBusError(
                .accessDenied,
                "programs register only in developer mode; the user switches it on with “hunch developer on”")
        }
        callers.registered.note(developed, of: call.sender)
        return developed
    }

    /// Forgets all apps in development, unless developer mode is on.
    private func endDevelopment() async throws {
        guard try await !settings().switchedOn.contains(.developerMode) else { return }
        callers.registered.removeAll()
        for app in try await history.use({ store, _ in try store.developedApps() }) {
            _ = try await forget(.application(app))
            try await history.use { store, _ in try store.dropDeveloped(app) }
        }
    }

    func exclude(_ application: AppID) async throws -> Bool {
        let isNew = try await history.use { store, _ in try store.exclude(application) }
        let excluded = try await history.use { store, _ in try store.exclusions() }
        // The outcomes of triggers may name it.
        await desk.dropTriggers(excluding: application)
        let isExcluded = { @Sendable (suggestion: Suggestion) in
            // Requested suggestions have no trigger. Suggestions for appointments change in place to another app.
            suggestion.context.trigger != nil && suggestion.context.trigger != .appointment
                && ([suggestion.application, suggestion.origin?.application].contains {
                    $0.map(excluded.contains) == true
                }
                    || suggestion.origin?.parameters["uri"].map { DocumentFilter.isExcluded($0, by: excluded) } == true)
        }
        await desk.endWaits {
            localized("its app was excluded before %1 came back", $0)
        } where: {
            isExcluded($0)
        }
        await desk.withdraw(because: "the app is excluded", mayReturn: true, where: isExcluded)
        await features.handle(.excluded(excluded))
        return isNew
    }

    // MARK: Export and import

    package func export() async throws -> UnixDescriptor {
        guard exports.count < Self.exportLimit else {
            throw DBusError(.limitsExceeded, "\(Self.exportLimit) exports are under way; try again when one has ended")
        }
        let (stream, reader) = try ExportStream.open(
            loop: loop, history: history, stores: stores, patience: configuration.exportPatience)
        exports[ObjectIdentifier(stream)] = stream
        Task(executorPreference: loop) { [weak self] in
            do { try await stream.run() } catch {
                await self?.failed(error)
            }
            await self?.ended(stream)
        }
        return reader
    }

    /// Imports a whole export. Returns the number of lines by outcome.
    ///
    /// - Throws: `HistoryError` if nothing was imported.
    func importHistory(_ file: UnixDescriptor) async throws -> [String: UInt32] {
        await history.privacyGate.pass()
        let receipt = try await history.use { store, now in
            let receipt = try file.withDescriptor { try store.importLines(from: $0, now: now) }
            try store.prune(now: now)
            return receipt
        }
        if await !removeExpired() { armUpkeep(after: 5) }
        // An import may switch the mode off.
        try await endDevelopment()
        await habits.learn()
        try await desk.load()
        await features.handle(.recordsChanged)
        await features.handle(.settingsChanged)
        await tell(["RetentionDays", "Categories"] + UserSetting.allCases.map(\.property))
        await desk.showAnew()
        return Dictionary(uniqueKeysWithValues: receipt.counts.map { ($0.key.busKey, UInt32(clamping: $0.value)) })
    }

    private func failed(_ error: any Error) async {
        problems.report(localized("an export was cut short: %1", "\(error)"))
    }

    private func ended(_ stream: ExportStream) { exports[ObjectIdentifier(stream)] = nil }

    private func endExports() async {
        for stream in exports.values { await stream.end() }
    }

    private func tell(_ properties: [MemberName]) async {
        // The bus is gone, so there is no receiver.
        try? await server.propertiesChanged(HunchNames.root, HunchNames.privacy, properties)
    }
}

/// The cache, except for the pictures of suggestions that stay.
private struct UnshownCopies: PersonalStore, EnvironmentUser {
    package let environment: AgentEnvironment
    package let desk: SuggestionDesk

    package var title: String { "cache" }
    package func named(with reason: String) -> String { localized("the cache (%1)", reason) }

    package func forget(_ scope: ForgetScope) async throws -> [ForgetCount: UInt32] {
        try await remove(unusedSince: .distantFuture)
    }

    package func removeExpired(retentionDays: Int, now: Date) async throws {
        _ = try await remove(unusedSince: now.addingTimeInterval(Double(retentionDays) * -86_400))
    }

    private func remove(unusedSince date: Date) async throws -> [ForgetCount: UInt32] {
        guard let copies = configuration.directories.cacheHome.map({ CachedCopies(cacheHome: $0) }) else { return [:] }
        // The URIs of shown artwork are compared by file name. A folder's name may be percent-encoded in them, while the
        // names of the cached files never are.
        let shown = await desk.shownArtwork.compactMap { $0.split(separator: "/").last }
        let kept = Set(shown.map { "\(copies.artworkFolder)/\($0)" })
        return try await history.blocking { try copies.removeAll(keeping: kept, unusedSince: date).transfer }
    }
}
