internal import AgentInterface
public import EventLoops
public import HunchDBus
internal import HunchModel
public import Triggers

/// Players from a trace instead of a bus. Converts their recorded properties into the observations of ``MPRISPlayers``.
public struct TracedPlayers: Sendable {
    private var followed: PlayerTable = [:]
    private var arbiter = PlayerArbiter()
    private var generation = 0

    /// Starts without players.
    public init() {}

    /// Applies a player's properties, of both interfaces. Adds the player if it is new.
    ///
    /// - Parameter processes: The player's process and its ancestors, nearest first; `nil` if they are as before.
    /// - Returns: The resulting observations; none for Hunch's own card and playerctl's proxy.
    public mutating func take(
        _ name: BusName, _ properties: VariantMap, processes: [UInt32]? = nil, at now: MonotonicInstant
    ) -> [MediaObservation] {
        guard name != HunchNames.card, name != MPRIS.playerctld,
            followed[name] != nil || followed.count < MPRISPlayers.playerLimit
        else { return [] }
        generation += 1
        var player = followed[name] ?? FollowedPlayer(name: name, generation: generation, shown: nil)
        // Traces only contain players that answered.
        player.isResponding = true
        player.state.applyRoot(properties)
        player.applyPlayer(properties, at: now)
        player.processes = processes ?? player.processes
        followed[name] = player
        return (followed.pair(name) + [name]).compactMap { report($0, now) }
    }

    /// Removes a player that left the bus.
    public mutating func remove(_ name: BusName, at now: MonotonicInstant) -> [MediaObservation] {
        guard var player = followed.removeValue(forKey: name) else { return [] }
        let gone = followed.isReported(player) ? [report(.gone, &player, name, now)] : []
        return gone + followed.unpair(name).compactMap { report($0, now) }
    }

    /// Reports the change of a player that is due, if any. A player that another one represents counts as gone.
    private mutating func report(_ name: BusName, _ now: MonotonicInstant) -> MediaObservation? {
        guard var player = followed[name] else { return nil }
        let due = player.tracker.due(player.state)
        let change = followed.isReported(player) ? due : player.tracker.reported.map { _ in .gone }
        let observation = change.map { report($0, &player, name, now) }
        followed[name] = player
        return observation
    }

    private mutating func report(
        _ change: MediaObservation.Change, _ player: inout FollowedPlayer, _ name: BusName, _ now: MonotonicInstant
    ) -> MediaObservation {
        arbiter.note(change, of: name, at: now)
        return player.report(change, of: name, at: now, among: nil)
    }

    /// Undoes the last use of each player, as ``MPRISPlayers/takeBackTouch(of:)`` does.
    public mutating func takeBackTouch(of players: [MPRISPlayer.ID]) {
        for player in players { arbiter.takeBackTouch(of: player) }
    }

    /// Returns the players at an instant, in the order of ``MPRISPlayers/players()``.
    ///
    /// - Parameter streams: The audio server's streams; `nil` if it does not report them.
    public func players(at now: MonotonicInstant, among streams: [AudioStream]? = nil) -> [MPRISPlayer] {
        arbiter.rank(followed.snapshots(at: now, among: streams), at: now) { _ in nil }.map(\.player)
            .filter { !$0.isRemote }
    }
}
