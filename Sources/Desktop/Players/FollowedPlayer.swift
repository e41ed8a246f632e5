internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Triggers

/// The recorded state of a player that Hunch follows.
struct FollowedPlayer {
    /// The time after the start of playback in which a player need not be heard yet.
    private static let startTime = Duration.seconds(3)

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
    /// The player's process and its ancestors, nearest first; empty if the bus did not return it, `nil` if it was not
    /// asked yet.
    var processes: [UInt32]?
    /// The player that represents this one, because both show the same playback of one app.
    var twin: BusName?
    /// The last position that the player reported while it played this item, to notice that it does not advance.
    private var told: (position: Int64, item: String?, at: MonotonicInstant)?
    private var isStalled = false
    /// The instant from which it plays; `nil` if it does not.
    private var playingSince: MonotonicInstant?
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

    /// Whether its program only shows the players of phones.
    var isBridge = false
    /// Whether it controls playback on another device.
    var isRemote: Bool { isBridge || PlayerTraits.isRemote(names, desktopEntry: state.desktopEntry) }

    /// Returns whether another player represents this one, which would then appear twice.
    func isProxied(by proxied: Set<UInt32>) -> Bool {
        state.proxiedProcess == nil && processes?.first.map(proxied.contains) == true
    }

    /// Applies properties of `org.mpris.MediaPlayer2.Player`.
    mutating func applyPlayer(_ properties: VariantMap, at now: MonotonicInstant) {
        let item = state.item
        state.applyPlayer(properties, at: now)
        guard state.status == .playing else {
            (told, isStalled, playingSince) = (nil, false, nil)
            return
        }
        if playingSince == nil || state.item != item { playingSince = now }
        if let position = properties["Position"].flatMap(MPRISMetadata.integer) { noteTold(position, now) }
    }

    /// Applies the position of a `Seeked` signal, in microseconds.
    mutating func applySeek(_ position: Int64, at now: MonotonicInstant) {
        state.applySeek(position, at: now)
        (told, isStalled) = (nil, false)
    }

    /// Compares a position with the previously reported one. Many players always report 0.
    private mutating func noteTold(_ position: Int64, _ now: MonotonicInstant) {
        guard let told, told.item == state.item else {
            self.told = (position, state.item, now)
            isStalled = false
            return
        }
        let advance = position.subtractingReportingOverflow(told.position).partialValue
        guard told.at.duration(to: now) >= .seconds(1) else { return }
        isStalled = position > 0 && advance.magnitude < PlaybackProgress.leastAdvance
        self.told = (position, state.item, now)
    }

    /// Records that a change is reported, and returns the observation.
    mutating func report(
        _ change: MediaObservation.Change, of owner: BusName, at now: MonotonicInstant, among streams: [AudioStream]?
    ) -> MediaObservation {
        if change == .gone { state.end(at: now) }
        var info = completed(tracker.report(change, state))
        state.locate(&info, at: now)
        return MediaObservation(change: change, player: snapshot(owner, at: now, among: streams), info: info)
    }

    /// Returns an item with what its app shows about it.
    private func completed(_ info: NowPlayingInfo?) -> NowPlayingInfo? {
        guard let info, let application, let shown else { return info }
        return shown.completed(info, of: application)
    }

    /// Its name for people. Chromium's engine names itself and not the app that is built on it, such as qutebrowser.
    private var identity: String {
        guard state.identity.lowercased().hasPrefix("chromium"), let application = application?.rawValue,
            !application.lowercased().contains("chromium")
        else { return state.identity }
        let parts = application.split(separator: ".").filter { !["browser", "desktop"].contains($0.lowercased()) }
        return parts.last.map(String.init) ?? application
    }

    /// - Parameter streams: the audio server's streams; `nil` if it does not report them.
    func snapshot(_ owner: BusName, at now: MonotonicInstant, among streams: [AudioStream]? = nil) -> MPRISPlayer {
        var info = completed(state.info)
        state.locate(&info, at: now)
        let names = names.sorted { ($0.text.utf8.count, $0) < ($1.text.utf8.count, $1) }
        var player = MPRISPlayer(
            id: owner, name: names.first ?? owner, names: names.sorted(), identity: identity,
            desktopEntry: state.desktopEntry, status: state.status, info: info, canPlay: state.canPlay,
            canSeek: state.canSeek, canControl: state.canControl, hasTrackList: state.hasTrackList,
            isResponding: isResponding, droppedChanges: droppedChanges, application: application)
        player.isRemote = isRemote
        player.isStalled = isStalled
        // plasma-browser-integration is a process of its own, separate from the browser that plays.
        player.processes = [state.proxiedProcess].compactMap(\.self) + (processes ?? [])
        if let playingSince {
            player.sound = player.sound(among: streams)
            player.hasJustStarted = playingSince.duration(to: now) < Self.startTime
        }
        return player
    }
}
