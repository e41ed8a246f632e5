public import HunchDBus
internal import HunchModel

/// Players that a trace tells of instead of a bus: their properties go in, and what ``MPRISPlayers`` would observe comes
/// out.
public struct TracedPlayers: Sendable {
    private var followed: [BusName: FollowedPlayer] = [:]
    private var arbiter = PlayerArbiter()
    private var generation = 0

    /// Begins without players.
    public init() {}

    /// Takes in what a player told of itself: properties of both its interfaces. One that was not there has come.
    ///
    /// - Returns: what there is to observe. Hunch's own card and playerctl's proxy are no players.
    public mutating func take(
        _ name: BusName, _ properties: VariantMap, at now: MonotonicInstant
    ) -> [MediaObservation] {
        guard name != MPRIS.hunch, name != MPRIS.playerctld,
            followed[name] != nil || followed.count < MPRISPlayers.playerLimit
        else { return [] }
        generation += 1
        var player = followed[name] ?? FollowedPlayer(name: name, generation: generation)
        // A player that hangs tells nothing, and is told of by nothing.
        player.isResponding = true
        player.state.applyRoot(properties)
        player.state.applyPlayer(properties, at: now)
        let change = player.tracker.due(player.state)
        let observation = change.map { report($0, &player, name, now) }
        followed[name] = player
        return observation.map { [$0] } ?? []
    }

    /// Takes in that a player left the bus.
    public mutating func remove(_ name: BusName, at now: MonotonicInstant) -> [MediaObservation] {
        guard var player = followed.removeValue(forKey: name) else { return [] }
        return [report(.gone, &player, name, now)]
    }

    private mutating func report(
        _ change: MediaObservation.Change, _ player: inout FollowedPlayer, _ name: BusName, _ now: MonotonicInstant
    ) -> MediaObservation {
        arbiter.note(change, of: name, at: now)
        return player.report(change, of: name, at: now)
    }

    /// Takes back the last touch of players, as ``MPRISPlayers/takeBackTouch(of:)`` does.
    public mutating func takeBackTouch(of players: [MPRISPlayer.ID]) {
        for player in players { arbiter.takeBackTouch(of: player) }
    }

    /// The players as they are at an instant, in the order of ``MPRISPlayers/players()``.
    public func players(at now: MonotonicInstant) -> [MPRISPlayer] {
        let seen = followed.map { $1.snapshot($0, at: now) }
        return arbiter.rank(seen, at: now) { _ in nil }.map(\.player)
    }
}
