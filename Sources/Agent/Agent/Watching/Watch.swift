internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization

/// Decides whether Hunch watches: only while the user has enabled it and not paused it. Runs the parts that follow
/// what happens.
actor Watch: Part {
    /// The end of a pause without end.
    static let endless = Date.accepted.upperBound

    package let environment: AgentEnvironment
    private let desktop: DesktopPrivacy
    private let desk: SuggestionDesk
    private let features: [any Feature]
    private var watching: Task<Void, Never>?
    /// The end of the previous watch. The next one waits for it, because they share parts.
    private var ending: Task<Void, Never>?
    /// The number of decisions whether to watch, so that an outdated one is dropped.
    private var decisions = 0
    private var pauseTimer: WallClockTimer?

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, features: [any Feature]) {
        self.environment = environment
        desktop = DesktopPrivacy(environment)
        self.desk = desk
        self.features = features
    }

    /// Restores a pause from before a restart, and starts to watch if the user wants it.
    package func begin() async throws {
        try armPauseTimer(try await pausedUntil())
        try await dropWithdrawn()
        await reconcile()
    }

    /// Tells the features that Hunch was disabled or paused until now, so that withdrawn suggestions do not come back
    /// after a restart. A pause that ended while no agent ran counts, too.
    private func dropWithdrawn() async throws {
        let settings = try await history.use { store, _ in try store.settings() }
        if !settings.isEnabled || settings.pausedUntil != nil { await features.handle(.switchedOff) }
    }

    package func close() async {
        pauseTimer?.cancel()
        pauseTimer = nil
        await desk.endWaits(isTold: true) {
            localized("Hunch ended before %1 came back", $0)
        } where: { _ in
            true
        }
        await stop()
    }

    /// Whether the parts run.
    package var isWatching: Bool { watching != nil }

    // MARK: The user's settings

    /// Enables or disables Hunch.
    func setEnabled(_ isEnabled: Bool) async throws {
        try await dropWithdrawn()
        if !isEnabled {
            // The waits end while recording is still allowed.
            await desk.endWaits(isTold: true) {
                localized("Hunch was switched off before %1 came back", $0)
            } where: { _ in
                true
            }
        }
        try await history.use { store, _ in try store.setEnabled(isEnabled) }
        if !isEnabled { await features.handle(.switchedOff) }
        await announceEnabled()
        await reconcile()
    }

    /// Tells clients of the property `Enabled`.
    func announceEnabled() async {
        // The bus is gone, so there is no receiver.
        try? await server.propertiesChanged(HunchNames.root, HunchNames.agentInterface, ["Enabled"])
    }

    /// Returns the end of the pause; `nil` if there is none.
    package func pausedUntil() async throws -> Date? {
        try await history.use { store, now in try store.settings().pauseEnd(at: now) }
    }

    /// Pauses until a date. From now on nothing is recorded, prepared or suggested.
    ///
    /// - Throws: ``DBusError`` `InvalidInput` for a date in the past; `HistoryError`.
    package func pause(until date: Date) async throws {
        guard date > configuration.now() else {
            throw DBusError(.invalidInput, "the end of the pause lies in the past")
        }
        await desk.endWaits(isTold: true) {
            localized("Hunch was paused before %1 came back", $0)
        } where: { _ in
            true
        }
        try await history.use { store, _ in try store.setPaused(until: date) }
        // At once, so that successive ends change nothing on the screen.
        await desk.withdraw(because: "Hunch is paused", mayReturn: true) { _ in true }
        await features.handle(.switchedOff)
        await reconcile()
        // Something may have been on its way.
        await desk.withdraw(because: "Hunch is paused", mayReturn: true) { _ in true }
        try armPauseTimer(date)
        await announcePause()
    }

    /// Ends a pause.
    package func resume() async throws {
        try await dropWithdrawn()
        try await history.use { store, _ in try store.setPaused(until: nil) }
        try armPauseTimer(nil)
        await reconcile()
        await announcePause()
    }

    private func armPauseTimer(_ date: Date?) throws {
        pauseTimer?.cancel()
        pauseTimer = nil
        guard let date, date < Self.endless else { return }
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
            problems.report(localized("the end of the pause could not be stored: %1", "\(error)"))
        }
    }

    private func announcePause() async {
        // The bus is gone, so there is no receiver.
        try? await server.propertiesChanged(HunchNames.root, HunchNames.privacy, ["Paused", "PausedUntil"])
    }

    // MARK: Watching

    /// Starts or stops watching, as the user wants it now.
    private func reconcile() async {
        decisions += 1
        let decision = decisions
        do {
            let settings = try await history.use { store, _ in try store.settings() }
            let isPaused = try await pausedUntil() != nil
            // A later change makes its own decision.
            guard decision == decisions else { return }
            if settings.isEnabled, !isPaused {
                start()
            } else {
                await stop()
                // Nothing is recorded anyway.
                history.proceedWithoutPrivacySettings()
            }
        } catch {
            // The user may have switched it off or paused it.
            await stop()
            history.privacyGate.open()
            problems.report(localized("could not read whether Hunch is on: %1", "\(error)"))
        }
    }

    private func start() {
        guard watching == nil else { return }
        let former = ending
        history.awaitPrivacySettings()
        // At once, so that the next caller waits for the first look at players and devices.
        for feature in features { prepare(feature) }
        watching = Task(executorPreference: loop) { [features, desktop, desk, present, loop] in
            await former?.value
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await desktop.run() }
                group.addTask { await desk.run() }
                for feature in features { group.addTask { await feature.run() } }
                group.addTask {
                    await present.run { isSeen in
                        // Not awaited: a notification server that hangs must not delay other session events.
                        Task(executorPreference: loop) { await desk.setScreen(isSeen: isSeen) }
                    } positionLost: {
                        Task(executorPreference: loop) { await features.handle(.positionLost) }
                    } consider: {
                        await features.handle(.person($0))
                    }
                }
            }
        }
    }

    private nonisolated func prepare(_ feature: some Feature) { feature.assumeIsolated { $0.prepareToWatch() } }

    private func stop() async {
        guard let task = watching else { return }
        watching = nil
        ending = task
        task.cancel()
        await task.value
        await desk.withdrawAll()
    }
}
