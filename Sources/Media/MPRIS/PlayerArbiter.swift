internal import HunchDBus

/// Why a player stands where it does among the others.
public struct PlayerStanding: Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
        /// It plays.
        case plays
        /// The person began, went on with or paused it so long ago.
        case touched(ago: Duration)
        /// How likely it is played on the device in use, 0…1, among those that are there.
        case learned(Double)
        /// It holds something that would go on.
        case paused
        /// It would begin anew, or holds nothing.
        case stopped
        /// A browser that plays nothing: it is there for other things.
        case idleBrowser
        /// It did not answer when it was last asked.
        case silent
    }

    /// The player.
    public let player: MPRISPlayer
    /// Why it stands there.
    public let reason: Reason

    /// Whether it is the one that is meant when it is the first: it answers, and is no browser that plays nothing.
    public var isEligible: Bool { reason != .silent && reason != .idleBrowser }
}

/// Tells which of several players is the active one, and why.
///
/// What plays comes first; then what the person touched last; then what they usually play on the device in use. Browsers
/// that play nothing, which have a player for every page that ever made a sound, come after all others, and after them
/// those that do not answer.
struct PlayerArbiter {
    private struct Touch {
        var instant: MonotonicInstant
        /// The one before.
        var former: MonotonicInstant?
    }

    private var touches: [MPRISPlayer.ID: Touch] = [:]
    private var playing: Set<MPRISPlayer.ID> = []

    /// Takes in what a player did. The next item of a queue begins without the person, and what ends ends so too.
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

    /// Takes back the last touch of a player: it was a device that went away, and not the person.
    mutating func takeBackTouch(of player: MPRISPlayer.ID) {
        guard let touch = touches[player] else { return }
        touches[player] = touch.former.map { Touch(instant: $0) }
    }

    /// The players, the active one first.
    ///
    /// - Parameter likelihood: how likely a player is played on the device in use, 0…1; `nil` when nothing was learned.
    func rank(
        _ players: [MPRISPlayer], at now: MonotonicInstant, likelihood: (MPRISPlayer) -> Double?
    ) -> [PlayerStanding] {
        players.map { player in
            let touched = touches[player.id]?.instant
            let likelihood = likelihood(player)
            let standing = PlayerStanding(player: player, reason: reason(player, touched, likelihood, now))
            let status = player.status?.order ?? PlaybackStatus.allCases.count
            return (standing: standing, touched: touched, likelihood: likelihood ?? 0, status: status)
        }.sorted { left, right in
            let (group, other) = (left.standing.group, right.standing.group)
            if group != other { return group < other }
            if left.touched != right.touched {
                guard let one = left.touched, let another = right.touched else { return left.touched != nil }
                return another < one
            }
            if left.likelihood != right.likelihood { return left.likelihood > right.likelihood }
            return (left.status, left.standing.player.name) < (right.status, right.standing.player.name)
        }.map(\.standing)
    }

    private func reason(
        _ player: MPRISPlayer, _ touched: MonotonicInstant?, _ likelihood: Double?, _ now: MonotonicInstant
    ) -> PlayerStanding.Reason {
        guard player.isResponding else { return .silent }
        if player.status == .playing { return .plays }
        if player.isBrowser, player.status != .paused { return .idleBrowser }
        if let touched { return .touched(ago: touched.duration(to: now)) }
        if let likelihood { return .learned(likelihood) }
        return player.status == .paused ? .paused : .stopped
    }

    private mutating func touch(_ player: MPRISPlayer.ID, _ now: MonotonicInstant) {
        touches[player] = Touch(instant: now, former: touches[player]?.instant)
    }
}

extension PlayerStanding {
    fileprivate var group: Int {
        switch reason {
        case .plays: 0
        case .touched, .learned, .paused, .stopped: 1
        case .idleBrowser: 2
        case .silent: 3
        }
    }
}
