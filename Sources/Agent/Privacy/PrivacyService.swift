internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media

/// Pausing, forgetting, exclusions and export.
actor PrivacyService {
    /// The most exports at a time.
    static let exportLimit = 4
    /// The interval for removing expired data, in seconds.
    private static let upkeepInterval = 86_400.0

    let configuration: AgentConfiguration
    let loop: EventLoop
    let server: ObjectServer
    let history: HistoryKeeper
    private let desk: SuggestionDesk
    private let media: MediaFlow
    private let activities: ActivitiesService
    private let habits: Habits
    private let present: PresentContext
    private let desktop: DesktopPrivacy
    private var reconcile: @Sendable () async -> Void = {}
    private var clearProblems: @Sendable () async -> Void = {}
    private var countDonors: @Sendable () async -> Void = {}
    private var note: @Sendable (String) async -> Void = { _ in }
    private var pauseTimer: WallClockTimer?
    private var upkeepTimer: LoopTimer?
    private var exports: [ObjectIdentifier: ExportStream] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        configuration: AgentConfiguration, loop: EventLoop, bus: Connection, server: ObjectServer,
        history: HistoryKeeper, desk: SuggestionDesk, media: MediaFlow, activities: ActivitiesService,
        habits: Habits, present: PresentContext
    ) {
        self.configuration = configuration
        self.loop = loop
        self.server = server
        self.history = history
        self.desk = desk
        self.media = media
        self.activities = activities
        self.habits = habits
        self.present = present
        desktop = DesktopPrivacy(configuration: configuration, loop: loop, bus: bus, history: history)
    }

    /// Says what is done after a pause began or ended, how problems are told and forgotten, and what is done after more
    /// was recorded of apps than they donated.
    func connect(
        reconcile: @escaping @Sendable () async -> Void, note: @escaping @Sendable (String) async -> Void,
        clearProblems: @escaping @Sendable () async -> Void, countDonors: @escaping @Sendable () async -> Void
    ) {
        self.reconcile = reconcile
        self.note = note
        self.clearProblems = clearProblems
        self.countDonors = countDonors
    }

    /// Takes up a pause from before a restart, and the upkeep of once a day.
    func begin() async throws {
        try armPauseTimer(try await pausedUntil())
        armUpkeep(after: Self.upkeepInterval)
    }

    /// Follows what the desktop says, until cancelled.
    func run() async { await desktop.run(note: note) }

    func close() async {
        pauseTimer?.cancel()
        if let upkeepTimer { loop.cancel(upkeepTimer) }
        (pauseTimer, upkeepTimer) = (nil, nil)
        await endExports()
    }

    // MARK: Pausing

    /// Returns the end of the pause; `nil` if there is none.
    func pausedUntil() async throws -> Date? {
        let now = configuration.now()
        return try await history.use { store, _ in try store.settings().pausedUntil }.flatMap { $0 > now ? $0 : nil }
    }

    /// Pauses until a date; from now on nothing is recorded, prepared or offered.
    func pause(until date: Date) async throws {
        guard date > configuration.now() else {
            throw DBusError(.invalidInput, "the end of the pause lies in the past")
        }
        try await history.use { store, _ in try store.setPaused(until: date) }
        await media.dropMemory()
        await activities.forget { _ in true }
        await reconcile()
        await desk.withdraw(because: "Hunch is paused") { _ in true }
        try armPauseTimer(date)
        await tell(["Paused", "PausedUntil"])
    }

    /// Ends a pause.
    func resume() async throws {
        try await history.use { store, _ in try store.setPaused(until: nil) }
        try armPauseTimer(nil)
        await reconcile()
        await tell(["Paused", "PausedUntil"])
    }

    private func armPauseTimer(_ date: Date?) throws {
        pauseTimer?.cancel()
        pauseTimer = nil
        guard let date, date < PrivacyService.endless else { return }
        let wait = date.timeIntervalSince(configuration.now()) + 0.001
        pauseTimer = try WallClockTimer(on: loop, after: wait) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.pauseMayHaveEnded() }
        }
    }

    private func pauseMayHaveEnded() async {
        do {
            if let date = try await pausedUntil() {
                try armPauseTimer(date)
            } else {
                try await resume()
            }
        } catch {
            await note("the end of the pause could not be written down: \(error)")
        }
    }

    // MARK: Forgetting

    /// Forgets, and tells how much by table and cache.
    func forget(_ scope: ForgetScope) async throws -> [String: UInt32] {
        // What is being given away, and what is in mind, goes first: nothing of it may come back into the store.
        await endExports()
        await media.dropMemory()
        await activities.forget(where: scope.mayHaveMade)
        await present.dropMemory(ofPlaces: scope.isOfPlaces)
        await desk.withdraw(because: "it was forgotten", where: scope.mayHaveMade)
        let copies = configuration.directories.cacheHome.map { CachedCopies(cacheHome: $0) }
        // The names of pictures have no character that a URI writes in another way; those of folders may.
        let shown = await desk.shownArtwork.compactMap { $0.split(separator: "/").last }
        let kept = Set(shown.compactMap { name in copies.map { "\($0.artworkFolder)/\(name)" } })
        let forgotten = try await history.use { store, _ in
            // Copies go first: when the agent is killed in between, the rows are still there and are forgotten again.
            let removed = Result { try copies?.removeAll(keeping: kept) ?? CachedCopies.Counts() }
            return Result { (try store.forget(scope), try removed.get()) }
        }
        await present.reload()
        let (receipt, removed) = try forgotten.get()
        await habits.learn()
        try await desk.load()
        if scope == .everything { await clearProblems() }
        if !receipt.isScrubbed { armUpkeep(after: 5) }
        return receipt.transfer(removed)
    }

    private func armUpkeep(after seconds: Double) {
        if let upkeepTimer { loop.cancel(upkeepTimer) }
        upkeepTimer = loop.schedule(after: .clamping(seconds: seconds)) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.upkeep(after: seconds) }
        }
    }

    /// Removes what is past its time, and finishes a forgetting that was cut short: after a while, and later and later.
    private func upkeep(after seconds: Double) async {
        do {
            let receipt = try await history.use { store, now in try store.prune(now: now) }
            if receipt.donations > 0 { await habits.learn() }
            armUpkeep(after: receipt.isScrubbed ? Self.upkeepInterval : min(seconds * 2, Self.upkeepInterval))
        } catch {
            await note("what is past its time could not be removed: \(error)")
            armUpkeep(after: Self.upkeepInterval)
        }
    }

    // MARK: What is kept

    func setRetention(days: UInt32) async throws {
        try await history.use { store, now in
            try store.setRetention(days: Int(days))
            // What the person wants gone is to be gone from the file too.
            if try store.prune(now: now).counts.values.contains(where: { $0 > 0 }) { _ = try store.scrub() }
        }
        await habits.learn()
        await tell(["RetentionDays"])
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
        await tell(["Categories"])
    }

    func setTitlesWhenLocked(_ areShown: Bool) async throws {
        try await history.use { store, _ in try store.setTitlesWhenLocked(areShown) }
        await tell(["LockScreenTitles"])
        await desk.showAnew()
    }

    func exclude(_ application: String) async throws -> Bool {
        let isNew = try await history.use { store, _ in try store.exclude(application) }
        let excluded = try await history.use { store, _ in try store.exclusions() }
        await activities.forget { excluded.contains($0.application) }
        await desk.withdraw(because: "the app is excluded") { suggestion in
            // What the person asked for has no trigger.
            suggestion.context.trigger != nil
                && [suggestion.application, suggestion.origin?.application].contains {
                    $0.map(excluded.contains) == true
                }
        }
        return isNew
    }

    /// Unmutes an app at a trigger. Returns whether it was muted.
    func unmute(_ application: String, at trigger: Trigger?) async throws -> Bool {
        try await desk.unmute(application, at: trigger)
    }

    // MARK: Giving it away

    func export() async throws -> UnixDescriptor {
        guard exports.count < Self.exportLimit else {
            throw DBusError(.limitsExceeded, "\(Self.exportLimit) exports are under way; try again when one has ended")
        }
        let (stream, reader) = try ExportStream.open(
            loop: loop, history: history, patience: configuration.exportPatience)
        exports[ObjectIdentifier(stream)] = stream
        Task(executorPreference: loop) { [weak self] in
            do { try await stream.run() } catch {
                await self?.failed(error)
            }
            await self?.ended(stream)
        }
        return reader
    }

    /// Takes a whole export in, and tells what became of its lines.
    ///
    /// - Throws: `HistoryError` when nothing was taken.
    func readBack(_ file: UnixDescriptor) async throws -> [String: UInt32] {
        await history.desktopWord.pass()
        let receipt = try await history.use { store, now in
            let receipt = try file.withDescriptor { try store.readBack(from: $0, now: now) }
            try store.prune(now: now)
            return receipt
        }
        await countDonors()
        await habits.learn()
        try await desk.load()
        await tell(["RetentionDays", "Categories"])
        return receipt.counts.mapValues { UInt32(clamping: $0) }
    }

    private func failed(_ error: any Error) async { await note("an export was cut short: \(error)") }

    private func ended(_ stream: ExportStream) { exports[ObjectIdentifier(stream)] = nil }

    private func endExports() async {
        for stream in exports.values { await stream.end() }
    }

    private func tell(_ properties: [MemberName]) async {
        // The bus is gone: nobody is left to be told.
        try? await server.propertiesChanged(HunchNames.root, HunchNames.privacy, properties)
    }
}

extension PrivacyService {
    /// The end of a pause that ends only when the person says so.
    static let endless = Date.accepted.upperBound
}

extension ForgetReceipt {
    /// The counts by table and cache, with the keys of `org.hunch.Privacy1.Forget`.
    func transfer(_ copies: CachedCopies.Counts) -> [String: UInt32] {
        var counts = counts.mapValues { UInt32(clamping: $0) }
        counts["artwork"] = UInt32(clamping: copies.artwork)
        counts["cacheFiles"] = UInt32(clamping: copies.others)
        counts["unfinished"] = scrubbing.rawValue
        return counts
    }
}

extension ForgetScope {
    /// Whether where the person is now has to do with it.
    var isOfPlaces: Bool {
        switch self {
        case .everything, .place, .since: true
        case .application, .kind, .device: false
        }
    }

    /// Whether a suggestion may have been made of what is to be forgotten: in doubt it was.
    func mayHaveMade(_ suggestion: Suggestion) -> Bool {
        switch self {
        case .everything, .since: true
        case .application(let application):
            suggestion.application == application || suggestion.origin?.application == application
                || suggestion.context.trigger == .activity(application)
        case .kind(let kind):
            suggestion.kind == Suggestion.Kind(kind) || suggestion.origin?.kind == kind
        case .device(let device):
            suggestion.context.device == device || suggestion.context.trigger == .device(device)
        case .place: suggestion.kind != .media
        }
    }

    /// Whether an activity has to do with what is to be forgotten: in doubt it has.
    func mayHaveMade(_ life: LiveActivity) -> Bool {
        switch self {
        case .everything, .since, .place: true
        case .application(let application): life.application == application
        case .kind(let kind): kind == .openItem
        case .device: false
        }
    }
}
