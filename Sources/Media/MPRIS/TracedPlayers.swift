public import EventLoops
public import HunchDBus
internal import HunchModel

/// Players from a trace instead of a bus. Converts their recorded properties into the observations of ``MPRISPlayers``.
public struct TracedPlayers: Sendable {
    private var followed: [BusName: FollowedPlayer] = [:]
    private var arbiter = PlayerArbiter()
    private var generation = 0

    /// Starts without players.
    public init() {}

    /// Applies a player's properties, of both interfaces. Adds the player if it is new.
    ///
    /// - Returns: The resulting observations; none for Hunch's own card and playerctl's proxy.
    public mutating func take(
        _ name: BusName, _ properties: VariantMap, at now: MonotonicInstant
    ) -> [MediaObservation] {
        guard name != MPRIS.hunch, name != MPRIS.playerctld,
            followed[name] != nil || followed.count < MPRISPlayers.playerLimit
        else { return [] }
        generation += 1
        var player = followed[name] ?? FollowedPlayer(name: name, generation: generation, shown: nil)
        // Traces only contain players that answered.
        player.isResponding = true
        player.state.applyRoot(properties)
        player.state.applyPlayer(properties, at: now)
        let change = player.tracker.due(player.state)
        let observation = change.map { report($0, &player, name, now) }
        followed[name] = player
        return observation.map { [$0] } ?? []
    }

    /// Removes a player that left the bus.
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

    /// Undoes the last use of each player, as ``MPRISPlayers/takeBackTouch(of:)`` does.
    public mutating func takeBackTouch(of players: [MPRISPlayer.ID]) {
        for player in players { arbiter.takeBackTouch(of: player) }
    }

    /// Returns the players at an instant, in the order of ``MPRISPlayers/players()``.
    public func players(at now: MonotonicInstant) -> [MPRISPlayer] {
        let seen = followed.map { $1.snapshot($0, at: now) }
        return arbiter.rank(seen, at: now) { _ in nil }.map(\.player)
    }
}
