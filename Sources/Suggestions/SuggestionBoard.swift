public import FoundationEssentials
public import HunchModel

/// The suggestions of now: at most one that came uninvited, perhaps with a companion, and those that the person asked for.
///
/// A value without clock, timers or output: the agent tells it what happened and when, and carries out the effects.
/// The same calls give the same effects.
///
/// ```swift
/// switch board.offer(suggestion, at: now) {
/// case .offered(let effects): carryOut(effects); show(suggestion)
/// case .held(let reason): remember(reason)
/// }
/// ```
public struct SuggestionBoard: Sendable {
    /// The limits, which may change at any time.
    public var limits: SuggestionLimits
    /// The dates on which pairs were muted, those included whose time is over; see ``isMuted(_:at:)``.
    public private(set) var mutedPairs: [SuggestionPair: Date]
    /// What is neither over nor forgotten, the oldest first.
    public private(set) var lives: [SuggestionLife] = []

    private var memory = EngagementMemory()
    private var acceptance = AcceptanceMemory()

    /// Makes a board.
    ///
    /// - Parameters:
    ///   - mutedPairs: the pairs that were muted before, and when.
    ///   - engagements: what became of earlier suggestions, the oldest first, so that limits hold beyond a restart. Those
    ///     of the last hour say what was shown; all of them count dismissals in a row, and say how likely the next one is to be
    ///     taken.
    public init(
        limits: SuggestionLimits = SuggestionLimits(), mutedPairs: [SuggestionPair: Date] = [:],
        engagements: [Engagement] = []
    ) {
        self.limits = limits
        self.mutedPairs = [:]
        restore(mutedPairs: mutedPairs, engagements: engagements)
    }

    /// The suggestion with an identifier, unless it is over.
    public func life(of identifier: Suggestion.ID) -> SuggestionLife? { lives.first { $0.id == identifier } }

    /// When ``expire(at:)`` has something to do next; `nil` when nothing is due.
    public var nextDeadline: Date? { lives.lazy.map(deadline).min() }

    /// Why nothing could be offered for any app now; `nil` when something could. For a look before anyone is asked to
    /// prepare; ``offer(_:at:)`` decides.
    public func hold(at now: Date) -> OfferHold? {
        if let taken = lives.first(where: { !$0.wasRequested && !$0.state.isOpen }) {
            return .beingCarriedOut(taken.id)
        }
        return memory.room(at: now, perHour: limits.perHour).map(OfferHold.tooMany)
    }

    /// Offers a suggestion that nobody asked for, in place of the one that stands.
    ///
    /// - Parameter companion: what may be taken instead, as to call a place rather than to go there. It is left out when it
    ///   would not be offered by itself; taking either ends the other, and with the suggestion the companion goes.
    public mutating func offer(_ suggestion: Suggestion, with companion: Suggestion? = nil, at now: Date)
        -> OfferOutcome
    {
        if let reason = reasonToHold(suggestion, at: now) { return .held(reason) }
        var effects: [SuggestionEffect] = []
        if let standing {
            effects = change(standing.id, .withdraw(reason: "replaced by \(suggestion.id)"), at: now)
        }
        lives.append(SuggestionLife(suggestion, at: now))
        if let companion, companion.expiry > now, life(of: companion.id) == nil {
            let hold = hold(
                of: SuggestionPair(companion), score: companion.score, kind: companion.kind, at: now)
            if hold == nil { lives.append(SuggestionLife(companion, at: now, companionOf: suggestion.id)) }
        }
        return .offered(effects)
    }

    /// The one that came uninvited, without its companion.
    public var standing: SuggestionLife? { lives.first { !$0.wasRequested && $0.companionOf == nil } }

    /// What stands beside a suggestion; `nil` when nothing does any more.
    public func companion(of identifier: Suggestion.ID) -> Suggestion? {
        lives.first { $0.companionOf == identifier && $0.state.isOpen }?.suggestion
    }

    /// Adds suggestions that a caller asked for. They do not count towards what a person is bothered with, and stand until
    /// their time passes or the caller asks for too many others.
    ///
    /// - Parameter requester: identifies the caller. What one asks for does not end what another asked for, unless all of
    ///   them together ask for more than ``SuggestionLimits/requestedInAll``; then the one with the most loses its oldest.
    /// - Returns: the effects. Suggestions whose identifier is taken are left out.
    public mutating func present(
        _ suggestions: [Suggestion], for requester: String, at now: Date
    ) -> [SuggestionEffect] {
        var taken = Set(lives.map { $0.id })
        for suggestion in suggestions where taken.insert(suggestion.id).inserted {
            lives.append(SuggestionLife(suggestion, at: now, requester: requester))
        }
        var effects: [SuggestionEffect] = []
        let own = lives.filter { $0.requester == requester && $0.state.isOpen }
        for excess in own.dropLast(limits.requested).map({ $0.id }) {
            effects += change(excess, .withdraw(reason: "too many"), at: now)
        }
        while let excess = excessOfAllRequested {
            effects += change(excess, .withdraw(reason: "too many"), at: now)
        }
        return effects
    }

    /// The oldest suggestion of the caller that has asked for the most; `nil` while all together have not asked for too many.
    private var excessOfAllRequested: Suggestion.ID? {
        guard lives.count > limits.requestedInAll else { return nil }
        let open = lives.filter { $0.wasRequested && $0.state.isOpen }
        guard open.count > limits.requestedInAll else { return nil }
        let most = Dictionary(grouping: open, by: \.requester).values.max { $0.count < $1.count }
        return most?.first?.id
    }

    /// Lets an event happen to a suggestion.
    ///
    /// - Throws: ``SuggestionError``; nothing has changed then.
    public mutating func apply(
        _ event: SuggestionEvent, to identifier: Suggestion.ID, at now: Date
    ) throws(SuggestionError) -> [SuggestionEffect] {
        guard let index = lives.firstIndex(where: { $0.id == identifier }) else {
            throw SuggestionError(
                .unknownSuggestion, "there is no suggestion \(identifier), or it is over")
        }
        let engagements = try lives[index].apply(event, at: now)
        let life = lives[index]
        if life.state.isOver { lives.remove(at: index) }
        var effects = [SuggestionEffect.changed(life)] + engagements.map(SuggestionEffect.engaged)
        if !life.wasRequested {
            for engagement in engagements { note(engagement) }
        }
        // What was unmuted stays so until it is turned down once more.
        let isTiring =
            engagements.contains { $0.outcome == .dismissed }
            && memory.dismissals(of: life.pair) >= limits.dismissalsToMute
        if event == .mute || isTiring, !isMuted(life.pair, at: now) {
            mutedPairs[life.pair] = now
            effects.append(.muted(life.pair))
        }
        return effects + endCounterpart(of: life, at: now)
    }

    /// What was offered together ends together, but that a companion may be turned down by itself.
    private mutating func endCounterpart(of life: SuggestionLife, at now: Date) -> [SuggestionEffect] {
        let isTaken = !life.state.isOpen && !life.state.isOver
        if let principal = life.companionOf {
            return isTaken ? change(principal, .withdraw(reason: "\(life.id) was taken instead"), at: now) : []
        }
        guard isTaken || life.state.isOver, let companion = lives.first(where: { $0.companionOf == life.id }),
            companion.state.isOpen
        else { return [] }
        return change(companion.id, .withdraw(reason: "\(life.id) is over"), at: now)
    }

    /// Ends what is past its time: open suggestions expire, and what takes too long to carry out has failed.
    public mutating func expire(at now: Date) -> [SuggestionEffect] {
        lives.filter { deadline($0) <= now }.flatMap { life in
            change(life.id, life.state.isOpen ? .expire : .fail(reason: "it took too long"), at: now)
        }
    }

    /// Whether a pair is not offered now because the person turned it down too often.
    public func isMuted(_ pair: SuggestionPair, at now: Date) -> Bool {
        mutedPairs[pair].map { limits.isMuted(since: $0, at: now) } ?? false
    }

    /// Lets a pair be offered again, with no dismissals counted. Returns whether it was muted.
    @discardableResult
    public mutating func unmute(_ pair: SuggestionPair) -> Bool {
        memory.forgetDismissals(of: pair)
        return mutedPairs.removeValue(forKey: pair) != nil
    }

    /// Takes the past anew from what is left of it; what stands stays. See ``init(limits:mutedPairs:engagements:)``.
    public mutating func restore(mutedPairs: [SuggestionPair: Date], engagements: [Engagement]) {
        self.mutedPairs = mutedPairs
        memory = EngagementMemory()
        acceptance = AcceptanceMemory()
        for engagement in engagements { note(engagement) }
    }

    private mutating func note(_ engagement: Engagement) {
        memory.note(engagement, maximumPairs: limits.pairs)
        acceptance.note(engagement, maximumTriggers: limits.pairs)
    }

    /// Forgets who was muted, shown and dismissed, for when the person wants to be forgotten; what stands stays.
    public mutating func forget() {
        memory = EngagementMemory()
        acceptance = AcceptanceMemory()
        mutedPairs = [:]
    }

    /// Why no suggestion like this would be offered now; `nil` when one would, as far as its app, its score, the person's
    /// answers to earlier ones and the hour decide.
    ///
    /// - Parameters:
    ///   - score: how likely it is the right one, 0…1.
    ///   - kind: as ``HunchModel/Suggestion/kind`` has it.
    public func hold(of pair: SuggestionPair, score: Double, kind: Suggestion.Kind, at now: Date) -> OfferHold? {
        if isMuted(pair, at: now) { return .muted(pair) }
        let chance = acceptance.chance(of: score, kind: kind, trigger: pair.trigger, at: now)
        if chance < limits.leastChance { return .unlikely(chance: chance) }
        return memory.room(at: now, perHour: limits.perHour).map(OfferHold.tooMany)
    }

    private func reasonToHold(_ suggestion: Suggestion, at now: Date) -> OfferHold? {
        let pair = SuggestionPair(suggestion)
        if suggestion.expiry <= now { return .expired }
        if life(of: suggestion.id) != nil { return .identifierTaken }
        let own = hold(of: pair, score: suggestion.score, kind: suggestion.kind, at: now)
        switch own {
        case .muted, .unlikely: return own
        default: break
        }
        if let standing {
            guard standing.state.isOpen else { return hold(at: now) }
            let isSameMoment = abs(now.timeIntervalSince(standing.state.date)) < limits.moment
            // Of two places, the person turned away from the newer one last.
            let isNewerPlace = [standing.suggestion, suggestion].allSatisfy(\.opensDirections)
            if isSameMoment, !isNewerPlace, standing.suggestion.score >= suggestion.score {
                return .betterOneStands(standing.id)
            }
        }
        return hold(at: now)
    }

    private func deadline(_ life: SuggestionLife) -> Date {
        guard case .accepted(let since) = life.state else { return life.suggestion.expiry }
        return since.addingTimeInterval(limits.carryingOut)
    }

    /// An event that is known to be legal.
    private mutating func change(
        _ identifier: Suggestion.ID, _ event: SuggestionEvent, at now: Date
    ) -> [SuggestionEffect] {
        (try? apply(event, to: identifier, at: now)) ?? []
    }
}

extension Suggestion {
    fileprivate var opensDirections: Bool { if case .openDirections = action { true } else { false } }
}
