public import HunchDBus
internal import HunchModel

/// All MPRIS players on a session bus, followed as they come, play and go.
///
/// One task serves each player, so that one that hangs delays no other. What a player says is bounded: texts are cut,
/// and one that says too much is left alone for 1 to 30 s and then asked once for its state. Nothing is ever started,
/// stopped or changed in a player.
///
///     let players = MPRISPlayers(on: bus)
///     async let following: Void = players.run()
///     for await observation in players.observations { … }
public actor MPRISPlayers {
    /// The most players that are followed at once, each with at most ``namesPerPlayer`` names; further ones are left out.
    public static let playerLimit = 64
    /// The most names of one player that are kept.
    public static let namesPerPlayer = 8

    /// What players do, for one reader. Of observations that nobody reads, the newest 512 are kept.
    ///
    /// It ends when ``run()`` does.
    public nonisolated let observations: AsyncStream<MediaObservation>

    /// Players as they are left alone for a while, because they say too much. Of those that nobody reads, the newest 64 are
    /// kept. It ends when ``run()`` does.
    public nonisolated let excesses: AsyncStream<MPRISPlayer>

    let bus: Connection
    nonisolated let deadlines: MediaDeadlines
    /// Finds out whose a player is; see ``init(on:excluding:deadlines:application:)``.
    let application: (@Sendable (MPRISPlayer) async -> String)?
    private let excluded: Set<BusName>
    private let yield: AsyncStream<MediaObservation>.Continuation
    private let yieldExcess: AsyncStream<MPRISPlayer>.Continuation
    private var arrivals: AsyncStream<BusName>.Continuation?
    var followed: [BusName: FollowedPlayer] = [:]
    private var arbiter = PlayerArbiter()
    private var generation = 0
    private(set) var hasReadNames = false
    var waiters: [Int: PlayersWaiter] = [:]
    var nextWaiter = 0

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Makes a follower that does not run yet.
    ///
    /// - Parameters:
    ///   - excluded: names of players that are none.
    ///   - application: finds out the desktop identifier of a player's app. It is asked once a player has said what it
    ///     is, and before anything is told of it; `nil` leaves ``MPRISPlayer/application`` unknown.
    public init(
        on bus: Connection, excluding excluded: Set<BusName> = [MPRIS.playerctld, MPRIS.hunch],
        deadlines: MediaDeadlines = MediaDeadlines(),
        application: (@Sendable (MPRISPlayer) async -> String)? = nil
    ) {
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
    /// - Throws: ``MediaError`` with the code `disconnected` when the bus goes away; `DBusError` when it refuses the
    ///   subscription; `CancellationError`.
    public func run() async throws {
        defer {
            yield.finish()
            yieldExcess.finish()
        }
        let changes = try await bus.signals(
            [
                MatchRule(
                    sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged",
                    argument0Namespace: MPRIS.namespace)
            ], capacity: 4_096)
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

    /// The players as they are now: what plays, then what the person touched last, then the others; browsers that play
    /// nothing come after those, and players that do not answer last. See ``standings(likelihood:)``.
    public func players() -> [MPRISPlayer] { standings().map(\.player) }

    /// The players as they are now, the active one first, and why each stands where it does.
    ///
    /// - Parameter likelihood: how likely a player is played on the device in use, 0…1, which counts among those that the
    ///   person did not touch; `nil` when nothing was learned of it.
    public func standings(likelihood: (MPRISPlayer) -> Double? = { _ in nil }) -> [PlayerStanding] {
        let now = MonotonicInstant.now
        let proxied = proxiedProcesses
        let seen = followed.filter { !$1.isProxied(by: proxied) }.map { $1.snapshot($0, at: now) }
        return arbiter.rank(seen, at: now, likelihood: likelihood)
    }

    /// Takes back the last touch of players: a device that went away paused them, and not the person.
    public func takeBackTouch(of players: [MPRISPlayer.ID]) {
        for player in players { arbiter.takeBackTouch(of: player) }
    }

    /// Pauses a player.
    ///
    /// - Throws: ``MediaError``: `noReply`, `refused`, `notRunning` or `disconnected`; `CancellationError`.
    public func pause(_ player: MPRISPlayer) async throws {
        try await PlayerCommands(bus: bus, player: player, deadline: deadlines.reply).pause()
    }

    // MARK: Names

    private func followNames(_ changes: SignalStream) async throws {
        try await readNames()
        for await event in changes {
            guard case .signal(let message) = event else {
                try await readNames()
                continue
            }
            guard let (text, _, owner) = try? message.arguments(String.self, String.self, String.self),
                let name = try? BusName(text)
            else { continue }
            assign(name, to: owner.isEmpty ? nil : try? BusName(owner))
        }
        try Task.checkCancellation()
        throw MediaError(.disconnected, "the session bus closed the connection")
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
            followed[owner] = FollowedPlayer(name: name, generation: generation)
            arrivals?.yield(owner)
        }
    }

    private func remove(_ owner: BusName, lastName: BusName) {
        guard var player = followed.removeValue(forKey: owner) else { return }
        player.names = [lastName]
        player.end.finish()
        report(.gone, &player, owner)
        lookAtProxied(player.state.proxiedProcess)
    }

    private func removeAll() {
        for player in followed.values { player.end.finish() }
        followed = [:]
        arrivals = nil
        changed()
    }

    // MARK: Reporting

    /// Reports a change of a player; the state is the player's own.
    func report(_ change: MediaObservation.Change, _ player: inout FollowedPlayer, _ owner: BusName) {
        let now = MonotonicInstant.now
        arbiter.note(change, of: owner, at: now)
        yield.yield(player.report(change, of: owner, at: now))
    }

    /// Tells that a player says too much.
    func reportExcess(of owner: BusName) {
        if let player = followed[owner] { yieldExcess.yield(player.snapshot(owner, at: .now)) }
    }

    /// Lets those who wait for something look at the players.
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
