internal import Players
package import FoundationEssentials
package import History
internal import EventLoops
internal import HunchDBus
internal import Localization
package import HunchModel
internal import Learning
internal import Triggers
internal import Prediction
package import Suggestions

/// Suggesting or resuming playback at a trigger.
extension MediaPolicy {
    /// The state of an attempt to suggest something at a trigger. It lasts until all asked apps have answered.
    package struct Attempt: Sendable {
        package typealias ID = Int

        package let trigger: MediaTrigger
        package var step = Step.starting
        /// The excluded apps. They hold nothing back.
        package var excluded: Set<AppID> = []
        /// Whether the trigger happened before the agent started. Then nothing begins to play.
        package let isTakenUp: Bool
        /// Whether the user wants to see what happens at a trigger that has not happened. Its device need not be there.
        package let isCaused: Bool
        /// The date of the trigger, if an appointment held it for a while. Then nothing begins to play either.
        package var occasion: Date?
        /// Whether the user wants suggestions at the device.
        package var suggests = true
        /// The candidates that were not tried yet, likeliest first.
        package var candidates: ArraySlice<SuggestionCandidate> = []
        /// The share of probability of the candidates that are still available.
        package var remaining = 1.0
        /// Whether an app reported that it plays. Then no media is suggested, as with any player.
        package var isPlaying = false
        /// The reason that holds back the attempt, so far.
        package var hold: Hold?
    }

    /// The answer that an attempt waits for.
    package enum Step: Sendable {
        case checking
        case starting
        case resuming
        /// The preparation of a candidate; `score` is its share of the available ones.
        case preparing(MediaCandidate, score: Double)
        case preparingCompanion(of: Suggestion)
        case making
        case offering(Suggestion)
    }

    /// An answer to an effect of an attempt.
    package enum Answer: Sendable {
        /// The players answered or not, which the facts show now.
        case checked(excluded: Set<AppID>)
        case policy(DeviceFacts)
        /// The candidates, likeliest first, and the reason why nothing may be suggested now.
        case ranked([SuggestionCandidate], Hold?)
        case prepared(Preparation)
        /// The suggestion for a learned action; `nil` if nothing can open it now.
        case made(Suggestion?)
        case offered(OfferOutcome)
        case resumed(Bool)
        /// The effect failed, which the driver has reported.
        case failed
    }

    /// The stored facts about a device.
    package struct DeviceFacts: Sendable {
        package var policy = DevicePolicy()
        package var isPaused = false
        /// The resume points of apps that are not excluded. Read only if the user switched resuming on.
        package var points: [ResumePoint] = []
    }

    /// The result of asking an app to prepare.
    package enum Preparation: Sendable {
        case ready(Suggestion)
        case alreadyPlaying(name: String)
        case failed(String)
    }

    /// The maximum number of apps that are asked to prepare for one trigger.
    private static let candidateLimit = 5

    /// Asks the likeliest app to prepare, and suggests the result. If a player says that it plays, asks it first.
    package mutating func consider(
        _ trigger: MediaTrigger, isTakenUp: Bool = false, isCaused: Bool = false, after occasion: Date? = nil,
        _ facts: Facts
    ) -> [Effect] {
        lastAttempt += 1
        attempts[lastAttempt] = Attempt(
            trigger: trigger, isTakenUp: isTakenUp, isCaused: isCaused, occasion: occasion)
        // A player that did not answer before may answer now.
        let claims = facts.players.map(\.player).filter { $0.status == .playing && !$0.isRemote }.map(\.id)
        guard !claims.isEmpty else { return begin(lastAttempt) }
        attempts[lastAttempt]?.step = .checking
        return [.check(lastAttempt, claims)]
    }

    /// Repeats the suggestion that was open when an earlier agent was killed, if its device is still in use. Nothing
    /// begins to play: no device has connected.
    mutating func makeAgain(_ trigger: Trigger, _ facts: Facts) -> [Effect] {
        let device = facts.deviceInUse
        if let event = PersonEvent(trigger) { return consider(.person(event, device), isTakenUp: true, facts) }
        guard let device, trigger == .device(device.id) else { return [] }
        return [.use(device, isReconnect: true)]
            + consider(.device(device, readyAt: facts.instant), isTakenUp: true, facts)
    }

    private mutating func begin(_ id: Attempt.ID) -> [Effect] {
        guard let trigger = attempts[id]?.trigger else { return [] }
        attempts[id]?.step = .starting
        guard case .device(let device, _) = trigger else { return [.rank(id, trigger)] }
        endInterruption(of: device.id)
        return [.readPolicy(id, of: device)]
    }

    /// The player that holds back an attempt; `nil` if none does.
    private func playing(at id: Attempt.ID, _ facts: Facts) -> KnownPlayer? {
        facts.playing(except: attempts[id]?.excluded ?? [])
    }

    /// Continues an attempt with an answer. An answer to an attempt that has ended is dropped.
    package mutating func proceed(_ id: Attempt.ID, _ answer: Answer, _ facts: Facts) -> [Effect] {
        guard let attempt = attempts[id] else { return [] }
        let former = lastHold
        lastHold = attempt.hold
        let effects = advance(id, attempt, answer, facts)
        let hold = lastHold
        attempts[id]?.hold = hold
        // The caller that offers it notes whether the user saw it.
        if case .offered(.offered) = answer { return effects }
        if hold == nil { lastHold = former }
        if attempts[id] == nil {
            let hasResumed = if case .resumed(true) = answer { true } else { false }
            // Positions come and go all day long, also without a movement. An item that belongs to no device is not
            // evidence.
            if attempt.trigger.trigger == .move, !hasResumed, hold == nil { return effects }
            note(
                TriggerResult(
                    attempt.trigger.trigger, at: facts.now, after: attempt.occasion, isTakenUp: attempt.isTakenUp,
                    wasOffered: hasResumed, hold: hasResumed ? .continued : hold))
            if hold == .appointmentFirst {
                return effects + awaitPrecedence(at: attempt.trigger, since: attempt.occasion ?? facts.now, facts)
            }
        }
        return effects
    }

    private mutating func advance(
        _ id: Attempt.ID, _ attempt: Attempt, _ answer: Answer, _ facts: Facts
    ) -> [Effect] {
        switch (attempt.step, answer) {
        case (.checking, .checked(let excluded)):
            attempts[id]?.excluded = excluded
            return begin(id)
        case (.starting, .policy(let device)): return resume(id, device, facts)
        case (.starting, .ranked(let candidates, let hold)): return start(id, candidates, hold, facts)
        case (.resuming, .prepared(let preparation)): return resume(id, preparation, facts)
        case (.resuming, .resumed(let isPlaying)): return isPlaying ? end(id) : rank(id)
        case (.preparing(let candidate, let score), .prepared(let preparation)):
            return handle(preparation, of: candidate, score, id, facts)
        case (.preparingCompanion(let suggestion), .prepared(let preparation)):
            switch preparation {
            case .ready(let companion): return offer(suggestion, with: companion, id, facts)
            case .failed: return offer(suggestion, with: nil, id, facts)
            case .alreadyPlaying:
                attempts[id]?.isPlaying = true
                return next(id, facts)
            }
        case (.making, .made(let suggestion)): return offer(suggestion, id, facts)
        case (.offering(let suggestion), .offered(let outcome)): return handle(outcome, of: suggestion, id, facts)
        default: return end(id)
        }
    }

    private mutating func end(_ id: Attempt.ID) -> [Effect] {
        attempts[id] = nil
        return []
    }

    private mutating func end(_ id: Attempt.ID, because hold: Hold) -> [Effect] {
        lastHold = hold
        return end(id)
    }

    // MARK: Resuming

    /// Resumes the latest playback on a device, if the user switched that on. Not if something plays already or
    /// Hunch is paused.
    private mutating func resume(_ id: Attempt.ID, _ device: DeviceFacts, _ facts: Facts) -> [Effect] {
        attempts[id]?.suggests = device.policy.suggests
        let points = device.points.filter {
            !$0.info.isFinished && facts.claimant(of: $0.item, in: $0.application) == nil
        }
        let latest = points.max { $0.date < $1.date }
        guard attempts[id]?.isTakenUp == false, attempts[id]?.isCaused == false, attempts[id]?.occasion == nil,
            device.policy.resumes, !device.isPaused,
            facts.isWatching,
            playing(at: id, facts) == nil, let latest,
            let trigger = attempts[id]?.trigger
        else { return rank(id) }
        attempts[id]?.step = .resuming
        let candidate = MediaCandidate(
            application: latest.application, item: latest.item, info: latest.info, score: 1, explanation: [])
        return [.prepare(id, candidate, trigger, within: timing.preparation)]
    }

    private mutating func resume(_ id: Attempt.ID, _ preparation: Preparation, _ facts: Facts) -> [Effect] {
        switch preparation {
        case .ready(let suggestion):
            // The device may have disconnected, or the user started playback, while the app prepared.
            guard facts.isWatching, playing(at: id, facts) == nil,
                facts.deviceInUse?.id == attempts[id]?.trigger.device?.id
            else { return rank(id) }
            return [.resume(id, suggestion)]
        case .failed(let reason):
            lastHold = .notPrepared(reason)
            return rank(id)
        case .alreadyPlaying(let name): return end(id, because: .playing(name))
        }
    }

    // MARK: Candidates

    private mutating func rank(_ id: Attempt.ID) -> [Effect] {
        guard let attempt = attempts[id] else { return [] }
        if !attempt.suggests, let device = attempt.trigger.device {
            return end(id, because: .suggestionsOff(device: device.name))
        }
        attempts[id]?.step = .starting
        return [.rank(id, attempt.trigger)]
    }

    private mutating func start(
        _ id: Attempt.ID, _ ranked: [SuggestionCandidate], _ hold: Hold?, _ facts: Facts
    ) -> [Effect] {
        guard let trigger = attempts[id]?.trigger else { return [] }
        // Most triggers have no candidates. That is not a hold.
        if !trigger.isDevice, ranked.isEmpty { return end(id) }
        var candidates = ranked
        var claimant: KnownPlayer?
        var claimed = 0.0
        candidates.removeAll { candidate in
            guard let media = candidate.asMedia, let player = facts.claimant(of: media.item, in: media.application)
            else { return false }
            claimant = player
            claimed += media.score
            return true
        }
        attempts[id]?.remaining = max(1 - claimed, 0.01)
        if let playing = playing(at: id, facts) {
            lastHold = .playing(playing.name)
            candidates.removeAll(where: \.isMedia)
            if candidates.isEmpty { return end(id) }
        }
        // Do not ask apps to prepare while there is a hold. With nothing to suggest, another suggestion holds nothing back.
        if let hold, !candidates.isEmpty || ![.likelierSuggested, .appointmentFirst].contains(hold) {
            return end(id, because: hold)
        }
        if candidates.isEmpty {
            lastHold =
                claimant.map { .notPrepared(localized("%1 says that it plays, but makes no sound", $0.name)) }
                ?? .nothingPlayed(device: trigger.deviceName)
        }
        attempts[id]?.candidates = candidates.prefix(Self.candidateLimit)
        return next(id, facts)
    }

    /// Tries the next candidate.
    private mutating func next(_ id: Attempt.ID, _ facts: Facts) -> [Effect] {
        while var attempt = attempts[id], let candidate = attempt.candidates.popFirst() {
            attempts[id] = attempt
            switch candidate {
            case .other(let choice):
                attempts[id]?.step = .making
                return [.makeSuggestion(id, choice, attempt.trigger)]
            case .media where attempt.isPlaying: continue
            case .media(let first):
                var candidate = first
                candidate.score = min(first.score / attempt.remaining, 1)
                if let hold = hold(of: candidate, at: attempt.trigger, facts), hold.concernsOneApp {
                    lastHold = hold
                    continue
                }
                attempts[id]?.step = .preparing(first, score: candidate.score)
                return [.prepare(id, candidate, attempt.trigger, within: timing.preparation)]
            }
        }
        return end(id)
    }

    private func hold(of candidate: MediaCandidate, at trigger: MediaTrigger, _ facts: Facts) -> Hold? {
        facts.board.hold(
            of: SuggestionPair(trigger: trigger.trigger, application: candidate.application, kind: .media),
            score: candidate.score, kind: .media, at: facts.now)
    }

    /// - Parameter score: the candidate's share of the available ones.
    private mutating func handle(
        _ preparation: Preparation, of candidate: MediaCandidate, _ score: Double, _ id: Attempt.ID, _ facts: Facts
    ) -> [Effect] {
        guard let attempt = attempts[id] else { return [] }
        switch preparation {
        case .failed(let reason):
            lastHold = .notPrepared(reason)
            attempts[id]?.remaining = max(attempt.remaining * (1 - score), 0.01)
            return next(id, facts)
        case .alreadyPlaying(let name):
            lastHold = .playing(name)
            attempts[id]?.isPlaying = true
            return next(id, facts)
        case .ready(let suggestion):
            guard var second = CompanionRule.second(to: candidate, among: attempt.candidates.compactMap(\.asMedia))
            else { return offer(suggestion, with: nil, id, facts) }
            second.score = min(second.score / attempt.remaining, 1)
            guard hold(of: second, at: attempt.trigger, facts) == nil else {
                return offer(suggestion, with: nil, id, facts)
            }
            attempts[id]?.step = .preparingCompanion(of: suggestion)
            // The first suggestion waits for the companion, so it gets a quarter of the time.
            return [.prepare(id, second, attempt.trigger, within: timing.preparation / 4)]
        }
    }

    // MARK: Offering

    private mutating func offer(
        _ suggestion: Suggestion, with companion: Suggestion?, _ id: Attempt.ID, _ facts: Facts
    ) -> [Effect] {
        // The device may have disconnected, or the user started playback, while the app prepared.
        guard let trigger = attempts[id]?.trigger else { return [] }
        guard isStill(id, facts) else { return abandon(id, trigger, facts) }
        if let playing = playing(at: id, facts) { return end(id, because: .playing(playing.name)) }
        if !trigger.isDevice, facts.board.stands(suggestion) { return end(id, because: .likelierSuggested) }
        attempts[id]?.step = .offering(suggestion)
        let isAlone = !facts.players.contains(where: \.player.isActive)
        return [
            .offer(id, suggestion, companion: companion, keysCountFrom: isAlone ? keysCount(at: trigger, facts) : nil)
        ]
    }

    /// Suggests an action other than media, which is independent of playback.
    private mutating func offer(_ suggestion: Suggestion?, _ id: Attempt.ID, _ facts: Facts) -> [Effect] {
        guard let trigger = attempts[id]?.trigger else { return [] }
        guard let suggestion else { return next(id, facts) }
        if facts.board.stands(suggestion) { return end(id, because: .likelierSuggested) }
        if trigger.isDevice, !isStill(id, facts) { return abandon(id, trigger, facts) }
        attempts[id]?.step = .offering(suggestion)
        return [.offer(id, suggestion, companion: nil, keysCountFrom: nil)]
    }

    private mutating func handle(
        _ outcome: OfferOutcome, of suggestion: Suggestion, _ id: Attempt.ID, _ facts: Facts
    ) -> [Effect] {
        switch outcome {
        case .offered:
            lastHold = nil
            return end(id) + (suggestion.kind == .media ? [.followContent(suggestion)] : [])
        case .held(let hold):
            lastHold = hold
            return hold.concernsOneApp ? next(id, facts) : end(id)
        }
    }

    /// Whether the output is still the same as at the trigger.
    private func isStill(_ id: Attempt.ID, _ facts: Facts) -> Bool {
        attempts[id].map { $0.isCaused || facts.deviceInUse?.id == $0.trigger.device?.id } ?? false
    }

    /// Ends an attempt because sound went elsewhere. If it comes back at once, the attempt is made again.
    private mutating func abandon(_ id: Attempt.ID, _ trigger: MediaTrigger, _ facts: Facts) -> [Effect] {
        if case .device(let device, _) = trigger { noteInterruption(of: device.id, at: facts.instant) }
        return end(id, because: .outputChanged)
    }

    /// Returns the instant from which a media key counts. Only devices send spurious keys.
    private func keysCount(at trigger: MediaTrigger, _ facts: Facts) -> MonotonicInstant {
        guard case .device(_, let ready) = trigger else { return facts.instant }
        return ready.advanced(by: timing.keys)
    }
}

extension Hold {
    /// Whether another app might be suggested instead.
    fileprivate var concernsOneApp: Bool {
        switch self {
        case .muted, .unlikely: true
        default: false
        }
    }
}
