internal import HunchModel

/// Determines which change to report from one state of a player to the next.
struct PlaybackTracker {
    /// The item that was last reported as playing or paused.
    private(set) var reported: NowPlayingInfo?
    private var wasPlaying = false

    /// Whether an item was last reported as playing.
    var isPlaying: Bool { wasPlaying && reported != nil }

    /// Returns the change to report for a state; `nil` if there is none.
    func due(_ state: PlayerState) -> MediaObservation.Change? {
        switch state.status {
        case .playing:
            guard let info = state.info else { return nil }
            guard wasPlaying, let reported, state.item == ItemIdentity.identifier(of: reported) else { return .started }
            return Self.differ(info, reported) ? .changed : nil
        case .paused:
            return wasPlaying ? .paused : nil
        case .stopped:
            return reported != nil ? .stopped : nil
        case nil:
            return nil
        }
    }

    /// Records that a change was reported, and returns the item that it concerns, without a position.
    mutating func report(_ change: MediaObservation.Change, _ state: PlayerState) -> NowPlayingInfo? {
        switch change {
        case .started, .changed:
            reported = state.info
            wasPlaying = true
            return reported
        case .paused:
            wasPlaying = false
            followLength(state)
            return reported
        case .stopped, .gone:
            wasPlaying = false
            followLength(state)
            defer { reported = nil }
            return reported
        }
    }

    /// Takes over a length that was corrected since the last report.
    private mutating func followLength(_ state: PlayerState) {
        guard let reported, state.item == ItemIdentity.identifier(of: reported) else { return }
        self.reported?.length = state.info?.length
    }

    /// Returns whether two items differ. Ignores the track identifier, which may change without any visible effect.
    private static func differ(_ left: NowPlayingInfo, _ right: NowPlayingInfo) -> Bool {
        var left = left
        left.trackIdentifier = right.trackIdentifier
        return left != right
    }
}
