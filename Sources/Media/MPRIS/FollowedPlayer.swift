internal import HunchDBus
internal import HunchModel

/// What is kept of a player that is followed.
struct FollowedPlayer {
    var names: Set<BusName>
    /// Tells this player from one of the same connection that was there before.
    let generation: Int
    var state = PlayerState()
    var tracker = PlaybackTracker()
    var isResponding = false
    /// Whether it was asked for its state at least once, and answered or did not.
    var wasAsked = false
    var droppedChanges = 0
    /// Of browsers, the process that plays; 0 when the bus does not tell.
    var process: UInt32?
    /// Desktop identifier of its app; `nil` before somebody found out.
    var application: String?
    /// When the state was last read as a whole: older changes are part of it.
    var snapshotArrival: UInt64 = 0
    /// Finished when the player goes.
    let end: AsyncStream<Never>.Continuation
    let ended: AsyncStream<Never>

    init(name: BusName, generation: Int) {
        names = [name]
        self.generation = generation
        (ended, end) = AsyncStream.makeStream()
    }

    /// Whether another player stands for this one, which would be seen twice.
    func isProxied(by processes: Set<UInt32>) -> Bool {
        state.proxiedProcess == nil && process.map(processes.contains) == true
    }

    /// Notes that a change is reported; the state is the player's own.
    mutating func report(
        _ change: MediaObservation.Change, of owner: BusName, at now: MonotonicInstant
    ) -> MediaObservation {
        var info = tracker.report(change, state)
        info?.position = state.position(at: now)
        return MediaObservation(change: change, player: snapshot(owner, at: now), info: info)
    }

    func snapshot(_ owner: BusName, at now: MonotonicInstant) -> MPRISPlayer {
        var info = state.info
        info?.position = state.position(at: now)
        let names = names.sorted { ($0.text.utf8.count, $0) < ($1.text.utf8.count, $1) }
        return MPRISPlayer(
            id: owner, name: names.first ?? owner, names: names.sorted(), identity: state.identity,
            desktopEntry: state.desktopEntry, status: state.status, info: info, canPlay: state.canPlay,
            canSeek: state.canSeek, canControl: state.canControl, hasTrackList: state.hasTrackList,
            isResponding: isResponding, droppedChanges: droppedChanges, application: application)
    }
}
