internal import Players
package import EventLoops
internal import History
package import HunchModel
internal import Learning

/// Passes events to ``MediaPolicy``, and carries out its effects in a ``MediaWorld``.
package actor MediaDriver: LoopActor {
    package let loop: EventLoop
    package let records: MediaRecords
    private let present: CurrentContext
    /// The time limit for resuming playback without the user.
    private let resumeTime: Duration
    private var policy: MediaPolicy
    private var lastStart: MediaPolicy.Start.ID = 0
    /// The starts that wait for their device to reconnect.
    private var waiting: [MediaPolicy.Start.ID: CheckedContinuation<Bool?, Never>] = [:]
    /// The errors of starts that have ended.
    private var failures: [MediaPolicy.Start.ID: any Error] = [:]

    package init(loop: EventLoop, records: MediaRecords, timing: MediaPolicy.Timing, resumeTime: Duration) {
        self.loop = loop
        self.records = records
        self.resumeTime = resumeTime
        present = records.present
        policy = MediaPolicy(timing)
    }

    /// The reason for which nothing was suggested at the last trigger.
    package var lastHold: Hold? { policy.lastHold }
    /// The results of the attempts to suggest something.
    package var log: TriggerLog { policy.log }

    /// Whether a start waits for its device.
    package var isWaiting: Bool { !waiting.isEmpty }

    /// Passes an event to the policy, and carries out its effects.
    package func process(_ event: MediaPolicy.Event, in world: some MediaWorld) async {
        let facts = await world.facts()
        for effect in policy.handle(event, facts) { await carryOut(effect, in: world) }
    }

    /// Starts the playback of an accepted suggestion.
    ///
    /// - Throws: `MediaError` if it does not play; `CancellationError` if the task was cancelled while it waited for its device.
    package func play(_ suggestion: Suggestion, activationToken: String?, in world: some MediaWorld) async throws {
        lastStart += 1
        let start = lastStart
        await process(.accepted(start, suggestion, activationToken: activationToken), in: world)
        if let error = failures.removeValue(forKey: start) { throw error }
    }

    /// Discards the state of all players and devices, when watching ends.
    package func reset(in world: some MediaWorld) async {
        for effect in policy.reset() { await carryOut(effect, in: world) }
    }

    /// Discards the playback state of an app, or of all, so that nothing of it is stored later.
    package func dropMemory(of application: AppID? = nil) { policy.dropMemory(of: application) }

    /// Discards the results of earlier triggers.
    package func forgetTriggers() { policy.forgetTriggers() }

    /// Discards the reason of the last trigger, before the next one.
    package func dropHold() { policy.lastHold = nil }

    private func carryOut(_ effect: MediaPolicy.Effect, in world: some MediaWorld) async {
        var answer: MediaPolicy.Event?
        do {
            answer = try await self.answer(to: effect, in: world)
            if effect.isProof { await world.settle(effect.problem) }
        } catch {
            if case .play(let start, _, _, _, _) = effect {
                failures[start] = error
            } else {
                await world.report(effect.problem, error)
            }
            answer = effect.failure
        }
        if let answer { await process(answer, in: world) }
    }

    /// Carries out an effect. Returns the answer for the policy, if it expects one.
    private func answer(
        to effect: MediaPolicy.Effect, in world: some MediaWorld
    ) async throws -> MediaPolicy.Event? {
        switch effect {
        case .setTimer(let timer, let delay): await world.set(timer, after: delay)
        case .cancelTimer(let timer): await world.cancel(timer)
        case .remember(let point, let player, let url):
            let isRecorded = try await records.remember(point)
            if isRecorded, let player { return .remembered(point, of: player, artwork: url) }
        case .endInterruptions(let device, let date): try await records.endInterruptions(by: device, before: date)
        case .rememberStarted(let point): try await records.rememberStarted(point)
        case .copyArtwork(let url, let point, let player):
            let copy = await world.copyArtwork(url, of: point.application)
            return .copiedArtwork(copy, inPlaceOf: url, point, of: player)
        case .record(let play): try await records.record(play)
        case .ask(let hearing): return .asked(await world.refreshed(hearing.player), hearing)
        case .takeBackTouch(let players): await world.takeBackTouch(of: players)
        case .use(let device, let isReconnect): await present.use(device, isReconnect: isReconnect)
        case .lose(let device): await present.lose(device.id)
        case .sendContext: await world.sendContext()
        case .holdKeys(let instant): await world.holdKeys(until: instant)
        case .pausePlayers(let players, let device):
            if try await records.policy(of: device).pauses { try await world.pause(players) }
            return .pausedPlayers(on: device)
        case .checkInterruption(let device, let date, let instant):
            let wasInterrupted = await records.wasInterrupted(device, since: date)
            return .checkedInterruption(of: device, at: instant, wasInterrupted: wasInterrupted)
        case .withdraw(.allMedia(let application)) where try await records.exclusions().contains(application): break
        case .withdraw(let withdrawal):
            await world.withdraw(because: withdrawal.reason, where: withdrawal.concerns)
        case .check, .readPolicy, .rank, .prepare, .makeSuggestion, .offer, .resume, .followContent:
            return try await suggest(effect, in: world)
        case .waitForDevice, .endWait, .askReplaced, .play, .refuse: return try await start(effect, in: world)
        }
        return nil
    }

    private func facts(of device: AudioDevice) async throws -> MediaPolicy.DeviceFacts {
        try await records.history.use { store, now in
            var facts = MediaPolicy.DeviceFacts()
            facts.policy = try store.policies()[device.id] ?? DevicePolicy()
            guard facts.policy.resumes else { return facts }
            facts.isPaused = try store.settings().isPaused(at: now)
            let excluded = try store.exclusions()
            facts.points = try store.resumePoints(device: device.id).filter { !excluded.contains($0.application) }
            return facts
        }
    }

    /// Carries out an effect of an attempt to suggest something.
    private func suggest(
        _ effect: MediaPolicy.Effect, in world: some MediaWorld
    ) async throws -> MediaPolicy.Event? {
        switch effect {
        case .check(let attempt, let players):
            await world.check(players)
            return .attempt(attempt, .checked(excluded: try await records.exclusions()))
        case .readPolicy(let attempt, let device):
            return .attempt(attempt, .policy(try await facts(of: device)))
        case .rank(let attempt, let trigger):
            let ranked = try await world.candidates.ranked(at: trigger)
            // Most triggers have no candidates. Then the store is not asked about a pause.
            let isIdle = ranked.isEmpty && !trigger.isDevice
            var hold = isIdle ? nil : try await world.hold()
            if ranked.isEmpty, hold == nil, trigger.isDevice {
                hold = try await records.excludedPlayer().map(Hold.excluded)
            }
            return .attempt(attempt, .ranked(ranked, hold))
        case .prepare(let attempt, let candidate, let trigger, let time):
            return .attempt(attempt, .prepared(await world.prepare(candidate, for: trigger, within: time)))
        case .makeSuggestion(let attempt, let choice, let trigger):
            let context = await world.candidates.context(at: trigger)
            return .attempt(attempt, .made(try await world.suggestion(for: choice, context)))
        case .offer(let attempt, let suggestion, let companion, let instant):
            let outcome = try await world.offer(
                suggestion, with: companion, keysCountFrom: instant, after: policy.attempts[attempt]?.occasion,
                isTakenUp: policy.attempts[attempt]?.isTakenUp ?? false)
            return .attempt(attempt, .offered(outcome))
        case .resume(let attempt, let suggestion):
            return .attempt(attempt, .resumed(await resume(suggestion, in: world)))
        case .followContent(let suggestion): await world.followContent(of: suggestion)
        default: break
        }
        return nil
    }

    /// Carries out an effect of a start.
    private func start(_ effect: MediaPolicy.Effect, in world: some MediaWorld) async throws -> MediaPolicy.Event? {
        switch effect {
        case .waitForDevice(let start, let device, let suggestion):
            await world.wait(suggestion, for: device)
            guard let hasReconnected = await waitForDevice(of: start) else {
                failures[start] = CancellationError()
                return .start(start, .cancelled)
            }
            if hasReconnected { await world.wait(suggestion, for: nil) }
            return .start(start, .waited(hasReconnected: hasReconnected))
        case .endWait(let starts, let hasReconnected):
            for start in starts { endWait(of: start, hasReconnected: hasReconnected) }
        case .askReplaced(let start, let identifiers):
            var players: [MPRISPlayer] = []
            for identifier in identifiers {
                if let player = await world.refreshed(identifier) { players.append(player) }
            }
            return .start(start, .askedReplaced(players))
        case .play(let start, let item, let suggestion, let context, let token):
            let isSeen = try await world.play(item, of: suggestion, context: context, activationToken: token)
            return .start(start, .played(isSeen: isSeen))
        case .refuse(let start, let error): failures[start] = error
        default: break
        }
        return nil
    }

    /// Returns whether the device of a start has reconnected; `nil` if the task was cancelled before.
    private func waitForDevice(of start: MediaPolicy.Start.ID) async -> Bool? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting[start] = $0 }
        } onCancel: {
            Task(executorPreference: loop) { await self.endWait(of: start, hasReconnected: nil) }
        }
    }

    private func endWait(of start: MediaPolicy.Start.ID, hasReconnected: Bool?) {
        waiting.removeValue(forKey: start)?.resume(returning: hasReconnected)
    }

    private func resume(_ suggestion: Suggestion, in world: some MediaWorld) async -> Bool {
        do {
            try await withDeadline(resumeTime, on: loop) { [self] in
                try await play(suggestion, activationToken: nil, in: world)
            }
            return true
        } catch let error as MediaError where error.code == .deviceGone {
            // That ends with the device's return.
            return false
        } catch {
            await world.report("\(suggestion.applicationName) did not continue playback", error)
            return false
        }
    }
}
