internal import EventLoops
internal import HunchDBus
internal import HunchModel

/// The recorded state of a player that Hunch follows.
struct FollowedPlayer {
    var names: Set<BusName>
    /// A number that distinguishes this player from earlier ones of the same connection.
    let generation: Int
    /// The media that apps show, which completes what the player says.
    let shown: ShownMedia?
    var state = PlayerState()
    var tracker = PlaybackTracker()
    var isResponding = false
    /// Whether the player was asked for its state at least once, with or without an answer.
    var wasAsked = false
    var droppedChanges = 0
    /// The process of a browser; 0 if the bus did not return it.
    var process: UInt32?
    /// The desktop identifier of the player's app; `nil` until it is found.
    var application: AppID?
    /// The arrival number of the last complete state. Earlier signals are already part of it.
    var snapshotArrival: UInt64 = 0
    /// Finished when the player leaves the bus.
    let end: AsyncStream<Never>.Continuation
    let ended: AsyncStream<Never>

    init(name: BusName, generation: Int, shown: ShownMedia?) {
        names = [name]
        self.shown = shown
        self.generation = generation
        (ended, end) = AsyncStream.makeStream()
    }

    /// Returns whether another player represents this one, which would then appear twice.
    func isProxied(by processes: Set<UInt32>) -> Bool {
        state.proxiedProcess == nil && process.map(processes.contains) == true
    }

    /// Records that a change is reported, and returns the observation.
    mutating func report(
        _ change: MediaObservation.Change, of owner: BusName, at now: MonotonicInstant
    ) -> MediaObservation {
        var info = completed(tracker.report(change, state))
        info?.position = state.position(at: now)
        return MediaObservation(change: change, player: snapshot(owner, at: now), info: info)
    }

    /// Returns an item with what its app shows about it.
    private func completed(_ info: NowPlayingInfo?) -> NowPlayingInfo? {
        guard let info, let application, let shown else { return info }
        return shown.completed(info, of: application)
    }

    func snapshot(_ owner: BusName, at now: MonotonicInstant) -> MPRISPlayer {
        var info = completed(state.info)
        info?.position = state.position(at: now)
        let names = names.sorted { ($0.text.utf8.count, $0) < ($1.text.utf8.count, $1) }
        return MPRISPlayer(
            id: owner, name: names.first ?? owner, names: names.sorted(), identity: state.identity,
            desktopEntry: state.desktopEntry, status: state.status, info: info, canPlay: state.canPlay,
            canSeek: state.canSeek, canControl: state.canControl, hasTrackList: state.hasTrackList,
            isResponding: isResponding, droppedChanges: droppedChanges, application: application)
    }
}
