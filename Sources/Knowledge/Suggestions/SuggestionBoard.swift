public import FoundationEssentials
public import HunchModel

/// The current suggestions: at most one uninvited suggestion, perhaps with companions, the urgent ones, and any
/// requested ones.
///
/// The board is a value without clock, timers or output. The agent passes it events with their dates and carries out
/// the effects. The same calls always have the same effects.
///
/// ```swift
/// switch board.offer(suggestion, at: now) {
/// case .offered(let effects): carryOut(effects); show(suggestion)
/// case .held(let reason): remember(reason)
/// }
/// ```
public struct SuggestionBoard: Sendable {
    /// The dismissal reason that disables further suggestions for the device.
    public static let never = "never"

    /// The limits, which may change at any time.
    public var limits: SuggestionLimits
    /// The dates on which pairs were muted, including expired mutes; see ``isMuted(_:at:)``.
    public private(set) var mutedPairs: [SuggestionPair: Date]
    /// The suggestions that have not ended, oldest first.
    public private(set) var lives: [SuggestionLife] = []

    private var memory = EngagementMemory()
    private var acceptance = AcceptanceMemory()

    /// Creates a board.
    ///
    /// - Parameters:
    ///   - mutedPairs: the muted pairs with their dates.
    ///   - engagements: the earlier engagements, oldest first, so that limits survive a restart. Those of the last
    ///     hour count towards the hourly limit. All count for dismissals in a row and for the chance of acceptance.
    public init(
        limits: SuggestionLimits = SuggestionLimits(), mutedPairs: [SuggestionPair: Date] = [:],
        engagements: [Engagement] = []
    ) {
        self.limits = limits
        self.mutedPairs = [:]
        restore(mutedPairs: mutedPairs, engagements: engagements)
    }

    /// Returns the suggestion with an identifier, unless it has ended.
    public func life(of identifier: Suggestion.ID) -> SuggestionLife? { lives.first { $0.id == identifier } }

    /// The next date at which ``expire(at:)`` has something to do; `nil` if nothing is due.
    public var nextDeadline: Date? { lives.lazy.map(deadline).min() }

    /// Returns the reason why no app could be suggested now; `nil` if one could. Check this before asking apps to
    /// prepare. The decision is up to ``offer(_:with:at:)``.
    ///
    /// - Parameter isUrgent: whether an urgent suggestion is meant, which has no hourly limit and waits for no other.
    public func hold(at now: Date, isUrgent: Bool = false) -> Hold? {
        if lives.contains(where: { !$0.wasRequested && !$0.state.isOpen }) { return .beingCarriedOut }
        if isUrgent { return nil }
        let kept = standing.filter { limits.isKept($0, at: now) }
        if !kept.isEmpty {
            return kept.contains(where: \.suggestion.isUrgent) ? .appointmentFirst : .likelierSuggested
        }
        return memory.room(at: now, perHour: limits.perHour).map(Hold.tooMany)
    }

    /// Forgets what was shown in the last hour, so that the hourly limit starts from zero.
    public mutating func liftLimit() { memory.forgetShown() }

    /// The date until which urgent suggestions hold those that are not; `nil` if none does.
    public func urgentEnd(at now: Date) -> Date? {
        standing.filter { $0.suggestion.isUrgent && limits.isKept($0, at: now) }
            .map { $0.state.date.addingTimeInterval(limits.urgentTime) }.max()
    }

    /// Offers an uninvited suggestion, replacing the previous one. Urgent ones are never replaced: each stands until it is
    /// answered or over.
    ///
    /// - Parameter companions: alternatives, best first, such as a call to a place instead of directions. One is omitted
    ///   if there is a hold on it. Accepting one of them ends the others, and companions end with the suggestion.
    public mutating func offer(_ suggestion: Suggestion, with companions: [Suggestion] = [], at now: Date)
        -> OfferOutcome
    {
        if let reason = reasonToHold(suggestion, at: now) { return .held(reason) }
        var effects: [SuggestionEffect] = []
        for former in standing where !former.suggestion.isUrgent {
            effects += change(former.id, .replace(by: suggestion.id), at: now)
        }
        lives.append(SuggestionLife(suggestion, at: now))
        for companion in companions where companion.expiry > now && life(of: companion.id) == nil {
            let hold = hold(
                of: SuggestionPair(companion), score: companion.score, kind: companion.kind, at: now)
            if hold == nil { lives.append(SuggestionLife(companion, at: now, companionOf: suggestion.id)) }
        }
        return .offered(effects)
    }

    /// The uninvited suggestions without their companions, oldest first: any number of urgent ones, and at most one other
    /// that is open.
    public var standing: [SuggestionLife] { lives.filter { !$0.wasRequested && $0.companionOf == nil } }

    /// Replaces the content of an open suggestion with the same identifier. Returns whether that changed anything.
    public mutating func revise(_ suggestion: Suggestion) -> Bool {
        guard let index = lives.firstIndex(where: { $0.id == suggestion.id }), lives[index].state.isOpen,
            lives[index].suggestion != suggestion
        else { return false }
        lives[index].revise(suggestion)
        return true
    }

    /// Returns the open companions of a suggestion, best first.
    public func companions(of identifier: Suggestion.ID) -> [Suggestion] {
        lives.filter { $0.companionOf == identifier && $0.state.isOpen }.map(\.suggestion)
    }

    /// Whether the same uninvited suggestion is already open.
    public func stands(_ suggestion: Suggestion) -> Bool {
        lives.contains { $0.state.isOpen && !$0.wasRequested && $0.suggestion.offersSame(as: suggestion) }
    }

    /// Adds suggestions that a caller requested. They do not count towards the hourly limit, and stay until they
    /// expire or exceed the limits of requested suggestions.
    ///
    /// - Parameter requester: identifies the caller. Each caller has its own limit. If all callers together exceed
    ///   ``SuggestionLimits/requestedInAll``, the caller with the most suggestions loses its oldest.
    /// - Returns: the effects. Suggestions with an existing identifier are ignored.
    public mutating func present(
        _ suggestions: [Suggestion], for requester: String, at now: Date
    ) -> [SuggestionEffect] {
        var taken = Set(lives.map { $0.id })
        for suggestion in suggestions where taken.insert(suggestion.id).inserted {
            lives.append(SuggestionLife(suggestion, at: now, requester: requester))
        }
        var effects: [SuggestionEffect] = []
        let own = lives.indices.filter { lives[$0].requester == requester && lives[$0].state.isOpen }
        for excess in own.dropLast(limits.requested).map({ lives[$0].id }) {
            effects += change(excess, .withdraw(reason: "too many"), at: now)
        }
        while let excess = excessOfAllRequested {
            effects += change(excess, .withdraw(reason: "too many"), at: now)
        }
        return effects
    }

    /// The oldest suggestion of the caller with the most requests; `nil` within the overall limit.
    private var excessOfAllRequested: Suggestion.ID? {
        guard lives.count > limits.requestedInAll else { return nil }
        let open = lives.filter { $0.wasRequested && $0.state.isOpen }
        guard open.count > limits.requestedInAll else { return nil }
        let most = Dictionary(grouping: open, by: \.requester).values.max { $0.count < $1.count }
        return most?.first?.id
    }

    /// Withdraws the open suggestions that satisfy a condition. One that was shown only just now does not count towards the
    /// hourly limit.
    public mutating func withdraw(
        because reason: String, at now: Date, where condition: (Suggestion) -> Bool
    ) -> [SuggestionEffect] {
        lives.filter { $0.state.isOpen && condition($0.suggestion) }.flatMap {
            change($0.id, .withdraw(reason: reason), at: now)
        }
    }

    /// Applies an event to a suggestion.
    ///
    /// - Throws: ``SuggestionError``, without any change to the board.
    public mutating func apply(
        _ event: SuggestionEvent, to identifier: Suggestion.ID, at now: Date
    ) throws(SuggestionError) -> [SuggestionEffect] {
        guard let index = lives.firstIndex(where: { $0.id == identifier }) else {
            throw SuggestionError(
                .unknownSuggestion, "there is no suggestion \(identifier), or it is over")
        }
        let isCompanion = lives[index].companionOf != nil
        let engagements = try lives[index].apply(event, at: now)
        let life = lives[index]
        if life.state.isOver { lives.remove(at: index) }
        var effects = [SuggestionEffect.changed(life)] + engagements.map(SuggestionEffect.engaged)
        if !life.wasRequested {
            // A companion was on the notification of its suggestion, which counts already.
            for engagement in engagements where !isCompanion || engagement.outcome != .shown { note(engagement) }
        }
        // After a mute has ended, only another dismissal may mute the pair again.
        let isTiring =
            engagements.contains { $0.outcome == .dismissed }
            && Self.isHeld(byMuteOf: life.pair, life.suggestion.kind)
            && memory.dismissals(of: life.pair) >= limits.dismissalsToMute
        if isTiring, !isMuted(life.pair, at: now) {
            mutedPairs[life.pair] = now
            effects.append(.muted(MutedPair(life.pair, date: now)))
        }
        return effects + endCounterpart(of: life, at: now)
    }

    /// Ends the companions of a suggestion that ended or was accepted, and the suggestion of an accepted companion.
    private mutating func endCounterpart(of life: SuggestionLife, at now: Date) -> [SuggestionEffect] {
        let isTaken = !life.state.isOpen && !life.state.isOver
        if let principal = life.companionOf {
            return isTaken ? change(principal, .replace(by: life.id), at: now) : []
        }
        guard isTaken || life.state.isOver else { return [] }
        return companions(of: life.id).flatMap { change($0.id, .withdraw(reason: "\(life.id) is over"), at: now) }
    }

    /// Expires open suggestions that are due, and fails those that take too long to carry out.
    public mutating func expire(at now: Date) -> [SuggestionEffect] {
        lives.filter { deadline($0) <= now }.flatMap { life in
            change(life.id, life.state.isOpen ? .expire : .fail(reason: "it took too long"), at: now)
        }
    }

    /// Whether a pair is muted now.
    public func isMuted(_ pair: SuggestionPair, at now: Date) -> Bool {
        mutedPairs[pair].map { limits.isMuted(since: $0, at: now) } ?? false
    }

    /// Replaces the remembered mutes and engagements, but keeps the current suggestions. See
    /// ``init(limits:mutedPairs:engagements:)``.
    public mutating func restore(mutedPairs: [SuggestionPair: Date], engagements: [Engagement]) {
        self.mutedPairs = mutedPairs
        memory = EngagementMemory()
        acceptance = AcceptanceMemory()
        for engagement in engagements where !engagement.wasRequested { note(engagement) }
    }

    private mutating func note(_ engagement: Engagement) {
        // An appointment uses up no part of the hourly limit, and an answer to it says nothing about other suggestions.
        if engagement.isUrgent, engagement.outcome == .shown { return }
        memory.note(engagement, maximumPairs: limits.pairs)
        if engagement.isUrgent { return }
        acceptance.note(engagement, maximumTriggers: limits.pairs)
    }

    /// Returns the reason not to offer a suggestion of this pair now, or `nil` if there is none. Considers mutes, the
    /// score, earlier engagements and the hourly limit. Only a mute of its own event holds an urgent suggestion.
    ///
    /// - Parameters:
    ///   - score: the probability that it is the right one, 0…1.
    ///   - kind: the kind of suggestion; see ``HunchModel/Suggestion/kind``.
    public func hold(of pair: SuggestionPair, score: Double, kind: Suggestion.Kind, at now: Date) -> Hold? {
        let isUrgent = kind.isUrgent(after: pair.trigger)
        if isMuted(pair, at: now), Self.isHeld(byMuteOf: pair, kind) { return .muted(pair) }
        if isUrgent { return nil }
        let chance = acceptance.chance(of: score, kind: kind, pair, at: now)
        if chance < limits.leastChance { return .unlikely(chance: chance) }
        return memory.room(at: now, perHour: limits.perHour).map(Hold.tooMany)
    }

    /// Whether a mute of a pair holds a suggestion of a kind: only that of its own event holds an urgent one.
    private static func isHeld(byMuteOf pair: SuggestionPair, _ kind: Suggestion.Kind) -> Bool {
        !kind.isUrgent(after: pair.trigger) || pair.subject != nil
    }

    private func reasonToHold(_ suggestion: Suggestion, at now: Date) -> Hold? {
        let pair = SuggestionPair(suggestion)
        if suggestion.expiry <= now { return .expired }
        if life(of: suggestion.id) != nil { return .identifierTaken }
        let own = hold(of: pair, score: suggestion.score, kind: suggestion.kind, at: now)
        switch own {
        case .muted, .unlikely: return own
        default: break
        }
        if !suggestion.isUrgent, let current = standing.first(where: { $0.state.isOpen && !$0.suggestion.isUrgent }) {
            let isSameMoment = abs(now.timeIntervalSince(current.state.date)) < limits.moment
            // Of two places or activities, the newer one is the one that the user viewed last.
            let both = [current.suggestion, suggestion]
            // The other headphones are no longer in use.
            let devices = both.compactMap(\.readyDevice?.id)
            let isNewer =
                both.allSatisfy(\.opensDirections) || both.allSatisfy { $0.activityApplication != nil }
                || devices.count == 2 && devices[0] != devices[1]
            if isSameMoment, !isNewer, current.suggestion.score >= suggestion.score {
                return .likelierSuggested
            }
        }
        return hold(at: now, isUrgent: suggestion.isUrgent)
    }

    private func deadline(_ life: SuggestionLife) -> Date {
        guard case .accepted(let since) = life.state else { return life.suggestion.expiry }
        return since.addingTimeInterval(limits.carryingOut)
    }

    /// Applies an event that is known to be legal.
    private mutating func change(
        _ identifier: Suggestion.ID, _ event: SuggestionEvent, at now: Date
    ) -> [SuggestionEffect] {
        (try? apply(event, to: identifier, at: now)) ?? []
    }
}

extension Suggestion {
    fileprivate var opensDirections: Bool { if case .openDirections = action { true } else { false } }
}
