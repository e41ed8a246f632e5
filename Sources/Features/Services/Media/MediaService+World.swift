internal import DirectionServices
internal import Players
internal import Agent
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import Media
internal import Prediction
internal import Suggestions
internal import Triggers

/// The desktop as the world of the media policy.
extension MediaService: MediaWorld {
    /// The candidates at triggers, from this machine.
    nonisolated var candidates: MediaCandidates {
        MediaCandidates(
            now: configuration.now, history: history, habits: habits, present: present,
            name: { [weak self] in await self?.name(of: $0) ?? $0.rawValue },
            runningContentApps: { [weak self] in try await self?.runningContentApps() ?? [] },
            mayPlay: { [weak self] point in
                let item = point.item ?? ItemIdentity.identifier(of: point.info)
                return await self?.obstacle(to: item, of: point.application) == nil
            },
            learned: { [learned] in try await learned.choices(at: $0, $1) })
    }

    func facts() async -> MediaPolicy.Facts {
        var known: [MediaPolicy.KnownPlayer] = []
        for player in await players?.players() ?? [] {
            let application = await desktopID(of: player)
            known.append(
                MediaPolicy.KnownPlayer(player: player, application: application, name: await name(of: application)))
        }
        let devices = await monitor?.status().devices ?? []
        let board = await desk.board
        return MediaPolicy.Facts(
            now: configuration.now(), instant: .now, isWatching: players != nil, players: known, devices: devices,
            board: board)
    }

    func report(_ problem: String, _ error: any Error) {
        problems.report(localized("%1: %2", problem, ErrorMapping.logged(error)), about: problem)
    }

    func settle(_ problem: String) { problems.settle(problem) }

    // MARK: Timers

    func set(_ timer: MediaPolicy.Timer, after delay: Duration) {
        cancel(timer)
        timers[timer] = loop.schedule(after: delay) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.fire(timer) }
        }
    }

    func cancel(_ timer: MediaPolicy.Timer) { timers.removeValue(forKey: timer).map(loop.cancel) }

    private func fire(_ timer: MediaPolicy.Timer) async {
        guard timers.removeValue(forKey: timer) != nil else { return }
        await driver.process(.timer(timer), in: self)
    }

    func wait(_ suggestion: Suggestion, for device: AudioDevice?) {
        Task(executorPreference: loop) { [desk] in await desk.wait(suggestion.id, for: device?.name) }
    }

    // MARK: Players and apps

    func refreshed(_ identifier: MPRISPlayer.ID) async -> MPRISPlayer? {
        guard let players, let known = await players.players().first(where: { $0.id == identifier }) else { return nil }
        return try? await players.refreshed(known)
    }

    func check(_ identifiers: [MPRISPlayer.ID]) async { await players?.check(identifiers) }

    func takeBackTouch(of identifiers: [MPRISPlayer.ID]) async { await players?.takeBackTouch(of: identifiers) }

    func pause(_ identifiers: Set<MPRISPlayer.ID>) async throws {
        guard await !isPausedElsewhere() else { return }
        for player in await players?.players() ?? [] where identifiers.contains(player.id) && player.status == .playing
        {
            try await players?.pause(player)
        }
    }

    func copyArtwork(_ url: String, of application: AppID) async -> String? {
        await library.artwork(url, of: application)
    }

    func play(
        _ item: ContentItem.ID, of suggestion: Suggestion, context: PlaybackContext, activationToken: String?
    ) async throws -> Bool {
        guard let players else { throw MediaError(.notRunning, localized("Hunch is switched off")) }
        let app = await library.app(suggestion.application, players: players, activationToken: activationToken)
        if let file = await library.missingFile(item, of: app.application) {
            throw MediaError(
                .cannotOpen, localized("%1 cannot open %2: the file no longer exists", app.name, file))
        }
        do {
            try await app.initiatePlayback(of: item, context: context)
            return true
        } catch let error as MediaError where error.code == .noPlayer {
            // A browser has a player only once something plays, and most pages wait until the user presses Play there.
            if app.application.isBrowser, ItemIdentity.uri(of: item) != nil { return false }
            let hadPlayer = try await history.use { store, _ in
                try store.resumePoints().contains { $0.application == suggestion.application }
            }
            if hadPlayer { throw error }
            return false
        }
    }

    // MARK: Suggestions

    func hold() async throws -> Hold? { try await desk.hold() }

    func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        try await learned.suggestion(for: choice, context)
    }

    func offer(
        _ suggestion: Suggestion, with companion: Suggestion?, keysCountFrom: MonotonicInstant?, after occasion: Date?,
        isTakenUp: Bool
    ) async throws -> OfferOutcome {
        try await desk.offer(
            suggestion, with: companion.map { [$0] } ?? [], keysCountFrom: keysCountFrom, after: occasion,
            isTakenUp: isTakenUp
        ) { [weak self, learned] suggestion, token in
            switch suggestion.action {
            case .play: try await self?.play(suggestion, activationToken: token)
            case .open: try await learned.open(suggestion, activationToken: token)
            case .openDirections, .call, .save, .remind, .openPage:
                try await learned.launcher.perform(suggestion, activationToken: token)
            }
        }
    }

    func withdraw(because reason: String, where condition: @Sendable (Suggestion) -> Bool) async {
        await desk.withdraw(because: reason, where: condition)
    }

    func holdKeys(until instant: MonotonicInstant) async { await desk.holdKeys(until: instant) }
}
