public import AgentInterface
public import EventLoops
public import HunchDBus
public import HunchModel
internal import Localization
public import Triggers

/// Follows all MPRIS players on a session bus.
///
/// Each player has its own task, so that one that hangs delays no other. Input from players is bounded: texts are
/// truncated. A player that sends too much is ignored for 1 to 30 s and then asked once for its state. Following a
/// player never starts, stops or changes it.
///
///     let players = MPRISPlayers(on: bus)
///     async let following: Void = players.run()
///     for await observation in players.observations { … }
public actor MPRISPlayers: LoopActor {
    /// The most players that are followed at once, each with at most ``namesPerPlayer`` names.
    public static let playerLimit = 64
    /// The maximum number of names of one player.
    public static let namesPerPlayer = 8

    /// The changes of players, for one reader. Without a reader, the newest 512 are kept. Ends when ``run()`` ends.
    public nonisolated let observations: AsyncStream<MediaObservation>

    /// The players that are being ignored because they send too much. Without a reader, the newest 64 are kept. Ends
    /// when ``run()`` ends.
    public nonisolated let excesses: AsyncStream<MPRISPlayer>

    let bus: Connection
    nonisolated let deadlines: MediaDeadlines
    /// Finds the app of a player; see ``init(on:excluding:deadlines:shown:streams:application:)``.
    let application: (@Sendable (MPRISPlayer) async -> AppID)?
    /// Returns the audio server's streams; see ``init(on:excluding:deadlines:shown:streams:application:)``.
    let streams: (@Sendable () -> [AudioStream]?)?
    private let shown: ShownMedia?
    private let excluded: Set<BusName>
    private let yield: AsyncStream<MediaObservation>.Continuation
    private let yieldExcess: AsyncStream<MPRISPlayer>.Continuation
    private var arrivals: AsyncStream<BusName>.Continuation?
    var followed: PlayerTable = [:]
    private var arbiter = PlayerArbiter()
    private var generation = 0
    private(set) var hasReadNames = false
    var waiters: [Int: PlayersWaiter] = [:]
    var nextWaiter = 0

    /// The loop that executes the actor.
    public nonisolated var loop: EventLoop { bus.loop }

    /// Creates a follower that does not run yet.
    ///
    /// - Parameters:
    ///   - excluded: The names to ignore.
    ///   - shown: The media that apps show, which completes what their players say.
    ///   - streams: Returns the audio server's streams, `nil` if it does not report them. Called on the loop. Without
    ///     it, a player's claim to play is trusted.
    ///   - application: Returns the desktop identifier of a player's app. Called after a player described itself and
    ///     before anything about it is reported. `nil` leaves ``MPRISPlayer/application`` unknown.
    public init(
        on bus: Connection, excluding excluded: Set<BusName> = [MPRIS.playerctld, HunchNames.card],
        deadlines: MediaDeadlines = MediaDeadlines(), shown: ShownMedia? = nil,
        streams: (@Sendable () -> [AudioStream]?)? = nil,
        application: (@Sendable (MPRISPlayer) async -> AppID)? = nil
    ) {
        self.shown = shown
        self.streams = streams
        self.bus = bus
        self.application = application
        self.deadlines = deadlines
        self.excluded = excluded
        (observations, yield) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(512))
        (excesses, yieldExcess) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit {
        yield.finish()
        yieldExcess.finish()
    }

    /// Follows the players until the task is cancelled. Call it once.
    ///
    /// - Throws: ``MediaError`` with the code `disconnected` if the bus goes away; `DBusError` if it refuses the
    ///   subscription; `CancellationError`.
    public func run() async throws {
        defer {
            yield.finish()
            yieldExcess.finish()
        }
        let changes = try await bus.signals(
            [.ownerChanges(in: MPRIS.namespace)], capacity: 4_096)
        let (arrivals, continuation) = AsyncStream<BusName>.makeStream()
        self.arrivals = continuation
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.followNames(changes) }
            group.addTask {
                await withDiscardingTaskGroup { players in
                    for await owner in arrivals { players.addTask { await self.follow(owner) } }
                }
            }
            defer {
                group.cancelAll()
                continuation.finish()
                removeAll()
            }
            try await group.next()
        }
    }

    /// Returns the current players of this computer: playing ones first, then the one the user used last, then the
    /// others, then browsers that are not playing, then unresponsive ones. See ``rankedPlayers(likelihood:)``.
    public func players() -> [MPRISPlayer] { rankedPlayers().map(\.player).filter { !$0.isRemote } }

    /// Returns the current players, those of other devices last, the active one first, with the reason for each rank.
    ///
    /// - Parameter likelihood: The probability that a player is played on the device in use, 0…1; `nil` if nothing was
    ///   learned. It ranks the players that the user did not use.
    public func rankedPlayers(likelihood: (MPRISPlayer) -> Double? = { _ in nil }) -> [RankedPlayer] {
        let now = MonotonicInstant.now
        return arbiter.rank(followed.snapshots(at: now, among: streams?()), at: now, likelihood: likelihood)
    }

    /// Undoes the last use of each player, because a device that disconnected paused it, not the user.
    public func takeBackTouch(of players: [MPRISPlayer.ID]) {
        for player in players { arbiter.takeBackTouch(of: player) }
    }

    /// Forgets when the user used a player.
    public func forgetUse(of player: MPRISPlayer.ID) { arbiter.forgetUse(of: player) }

    /// Pauses a player.
    ///
    /// - Throws: ``MediaError``: `noReply`, `refused`, `notRunning` or `disconnected`; `CancellationError`.
    public func pause(_ player: MPRISPlayer) async throws {
        let name = player.identity.isEmpty ? player.name.text : player.identity
        try await PlayerCommands(bus: bus, player: player, deadline: deadlines.reply, name: name).pause()
    }

    // MARK: Names

    private func followNames(_ changes: SignalStream) async throws {
        try await readNames()
        for await event in changes {
            guard case .signal(let message) = event else {
                try await readNames()
                continue
            }
            guard let change = message.ownerChange else { continue }
            assign(change.name, to: change.owner)
        }
        try Task.checkCancellation()
        throw MediaError(.disconnected, localized("the session bus closed the connection"))
    }

    private func readNames() async throws {
        let prefix = MPRIS.namespace + "."
        let present = Set(try await bus.names().filter { $0.text.hasPrefix(prefix) })
        for known in followed.values.flatMap(\.names) where !present.contains(known) { assign(known, to: nil) }
        for name in present.sorted() { assign(name, to: try await bus.owner(of: name)) }
        hasReadNames = true
        changed()
    }

    private func assign(_ name: BusName, to owner: BusName?) {
        guard name.text.hasPrefix(MPRIS.namespace + "."), !excluded.contains(name) else { return }
        defer { changed() }
        for former in followed.keys where former != owner && followed[former]?.names.contains(name) == true {
            followed[former]?.names.remove(name)
            if followed[former]?.names.isEmpty == true { remove(former, lastName: name) }
        }
        guard let owner else { return }
        if let count = followed[owner]?.names.count {
            if count < Self.namesPerPlayer { followed[owner]?.names.insert(name) }
        } else if followed.count < Self.playerLimit {
            generation += 1
            followed[owner] = FollowedPlayer(name: name, generation: generation, shown: shown)
            arrivals?.yield(owner)
        }
    }

    private func remove(_ owner: BusName, lastName: BusName) {
        guard var player = followed.removeValue(forKey: owner) else { return }
        player.names = [lastName]
        player.end.finish()
        if followed.isReported(player) { report(.gone, &player, owner) }
        lookAtProxied(player.state.proxiedProcess)
        for twin in followed.unpair(owner) { report(twin) }
    }

    private func removeAll() {
        for player in followed.values { player.end.finish() }
        followed = [:]
        arrivals = nil
        changed()
    }

    // MARK: Reporting

    /// Reports a change of a player, whose state is already updated.
    func report(_ change: MediaObservation.Change, _ player: inout FollowedPlayer, _ owner: BusName) {
        let now = MonotonicInstant.now
        arbiter.note(change, of: owner, at: now)
        yield.yield(player.report(change, of: owner, at: now, among: streams?()))
    }

    /// Reports the items that an app plays again, after what it shows changed.
    public func reportItems(of application: AppID) {
        for (owner, var player) in followed where player.application == application && player.tracker.isPlaying {
            report(.changed, &player, owner)
            followed[owner] = player
        }
    }

    /// Reports that a player sends too much.
    func reportExcess(of owner: BusName) {
        if let player = followed[owner] { yieldExcess.yield(player.snapshot(owner, at: .now)) }
    }

    /// Resumes the waiters whose state is reached.
    func changed() {
        guard !waiters.isEmpty else { return }
        let present = players()
        for (token, waiter) in waiters where waiter.isSatisfied(present) { endWait(token) }
    }
}

extension PlaybackStatus {
    var order: Int {
        switch self {
        case .playing: 0
        case .paused: 1
        case .stopped: 2
        }
    }
}
