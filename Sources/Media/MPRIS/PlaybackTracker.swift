internal import HunchModel

/// Tells from one state of a player to the next what there is to report.
struct PlaybackTracker {
    /// What was last reported as playing or paused.
    private(set) var reported: NowPlayingInfo?
    private var wasPlaying = false

    /// What a state calls for; `nil` when all was reported.
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

    /// Notes that a change was reported, and returns what it concerns, without a position.
    mutating func report(_ change: MediaObservation.Change, _ state: PlayerState) -> NowPlayingInfo? {
        switch change {
        case .started, .changed:
            reported = state.info
            wasPlaying = true
            return reported
        case .paused:
            wasPlaying = false
            return reported
        case .stopped, .gone:
            wasPlaying = false
            defer { reported = nil }
            return reported
        }
    }

    /// The track's name within the player may change without anything that a person would see.
    private static func differ(_ left: NowPlayingInfo, _ right: NowPlayingInfo) -> Bool {
        var left = left
        left.trackIdentifier = right.trackIdentifier
        return left != right
    }
}
