internal import EventLoops
internal import HunchDBus
public import HunchModel

/// A player with the reason for its rank among the others.
public struct RankedPlayer: Hashable, Sendable {
    /// The player.
    public let player: MPRISPlayer
    /// The reason for its rank.
    public let reason: PlayerRank

    /// Whether the player can be the active one: it answers, plays on this computer, and is neither a browser that plays
    /// nothing nor a player that makes no sound although it says that it plays.
    public var isEligible: Bool { ![.silent, .idleBrowser, .remote, .soundless].contains(reason) }

    package init(player: MPRISPlayer, reason: PlayerRank) {
        self.player = player
        self.reason = reason
    }
}

/// Determines which of several players is the active one, and why.
///
/// Playing ones come first, then the one that the user used last, then the one they usually play on the device in
/// use. Browsers that play nothing come after all others, because every page that ever made a sound has a player, and
/// so do players that make no sound although they say that they play. Unresponsive players and those of other devices
/// come last.
struct PlayerArbiter {
    private struct Touch {
        var instant: MonotonicInstant
        /// The instant of the previous use.
        var former: MonotonicInstant?
    }

    private var touches: [MPRISPlayer.ID: Touch] = [:]
    private var playing: Set<MPRISPlayer.ID> = []

    /// Records a change of a player. Only starting, resuming and pausing count as use by the user.
    mutating func note(_ change: MediaObservation.Change, of player: MPRISPlayer.ID, at now: MonotonicInstant) {
        switch change {
        case .started:
            if playing.insert(player).inserted { touch(player, now) }
        case .paused:
            playing.remove(player)
            touch(player, now)
        case .stopped: playing.remove(player)
        case .gone:
            touches[player] = nil
            playing.remove(player)
        case .changed: break
        }
    }

    /// Undoes the last use of a player, because a device that disconnected caused it, not the user.
    mutating func takeBackTouch(of player: MPRISPlayer.ID) {
        guard let touch = touches[player] else { return }
        touches[player] = touch.former.map { Touch(instant: $0) }
    }

    /// Forgets when the user used a player.
    mutating func forgetUse(of player: MPRISPlayer.ID) { touches[player] = nil }

    /// Returns the players, the active one first.
    ///
    /// - Parameter likelihood: The probability that a player is played on the device in use, 0…1; `nil` if unknown.
    func rank(
        _ players: [MPRISPlayer], at now: MonotonicInstant, likelihood: (MPRISPlayer) -> Double?
    ) -> [RankedPlayer] {
        players.map { player in
            let touched = touches[player.id]?.instant
            let likelihood = likelihood(player)
            let ranked = RankedPlayer(player: player, reason: reason(player, touched, likelihood, now))
            let status = player.status?.order ?? PlaybackStatus.allCases.count
            return (ranked: ranked, touched: touched, likelihood: likelihood ?? 0, status: status)
        }.sorted { left, right in
            let (group, other) = (left.ranked.group, right.ranked.group)
            if group != other { return group < other }
            if left.touched != right.touched {
                guard let one = left.touched, let another = right.touched else { return left.touched != nil }
                return another < one
            }
            if left.likelihood != right.likelihood { return left.likelihood > right.likelihood }
            return (left.status, left.ranked.player.name) < (right.status, right.ranked.player.name)
        }.map(\.ranked)
    }

    private func reason(
        _ player: MPRISPlayer, _ touched: MonotonicInstant?, _ likelihood: Double?, _ now: MonotonicInstant
    ) -> PlayerRank {
        if player.isRemote { return .remote }
        guard player.isResponding else { return .silent }
        if player.status == .playing { return player.isPlaying ? .plays : .soundless }
        if player.isBrowser, player.status != .paused { return .idleBrowser }
        if let touched { return .used(ago: touched.duration(to: now)) }
        if let likelihood { return .usual(likelihood) }
        return player.status == .paused ? .paused : .stopped
    }

    private mutating func touch(_ player: MPRISPlayer.ID, _ now: MonotonicInstant) {
        touches[player] = Touch(instant: now, former: touches[player]?.instant)
    }
}

extension RankedPlayer {
    fileprivate var group: Int {
        switch reason {
        case .plays: 0
        case .used, .usual, .paused, .stopped: 1
        case .idleBrowser, .soundless: 2
        case .silent: 3
        case .remote: 4
        }
    }
}
