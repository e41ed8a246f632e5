internal import HunchModel
internal import EventLoops
public import HunchDBus
internal import Localization

extension MPRISPlayers {
    /// The cost of a report in a player's ``FloodBudget``, which allows about ten reports a second.
    private static let reportCost = 19

    private enum Listening {
        case over
        case flooded(Duration)
        case silent
    }

    /// Follows one player until it leaves the bus.
    func follow(_ owner: BusName) async {
        guard let player = followed[owner] else { return }
        let (generation, ended) = (player.generation, player.ended)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.listen(to: owner, generation) }
            group.addTask { for await _ in ended {} }
            await group.next()
            group.cancelAll()
        }
    }

    private func listen(to owner: BusName, _ generation: Int) async {
        var budget = FloodBudget(now: .now)
        var failures = 0
        while !Task.isCancelled, isCurrent(owner, generation) {
            let pause: Duration
            switch await listenOnce(to: owner, generation, &budget) {
            case .over: return
            case .flooded(let duration):
                reportExcess(of: owner)
                failures = 0
                pause = duration
            case .silent:
                guard failures < deadlines.retries.count else {
                    guard await hears(from: owner) else { return }
                    // Wait between requests to a player that sends signals but does not answer.
                    pause = .milliseconds(200)
                    break
                }
                pause = deadlines.retries[failures]
                failures += 1
            }
            do { try await bus.loop.sleep(for: pause) } catch { return }
        }
    }

    /// Subscribes, reads the state and processes signals until the player floods, stays silent or leaves. Ending the
    /// subscription keeps a flood from even reaching this process.
    private func listenOnce(
        to owner: BusName, _ generation: Int, _ budget: inout FloodBudget
    ) async -> Listening {
        let rules = [
            MatchRule(sender: owner, path: MPRIS.path, interface: .properties, member: "PropertiesChanged"),
            MatchRule(sender: owner, path: MPRIS.path, interface: MPRIS.player, member: "Seeked"),
        ]
        guard let stream = try? await bus.signals(rules, capacity: 256) else { return .over }
        guard await read(owner, generation) else { return isCurrent(owner, generation) ? .silent : .over }
        for await event in stream {
            guard isCurrent(owner, generation) else { return .over }
            var units = 1
            switch event {
            case .lost(let count):
                units = count
                followed[owner]?.droppedChanges += count
                if budget.spend(units, at: .now), await read(owner, generation) { continue }
            case .signal(let message):
                units = FloodBudget.units(message)
                if budget.spend(units, at: .now) {
                    let further = await take(message, owner, generation)
                    if budget.spend(further, at: .now) { continue }
                } else {
                    followed[owner]?.droppedChanges += 1
                }
            }
            return .flooded(budget.pause(from: .now))
        }
        return .over
    }

    /// Waits for any signal of a player. Returns `false` if the subscription ends first.
    private func hears(from owner: BusName) async -> Bool {
        let rule = MatchRule(sender: owner, path: MPRIS.path)
        guard let stream = try? await bus.signals([rule], capacity: 1) else { return false }
        for await _ in stream { return true }
        return false
    }

    func isCurrent(_ owner: BusName, _ generation: Int) -> Bool {
        followed[owner]?.generation == generation
    }

    /// Processes a signal of a player.
    ///
    /// - Returns: The additional cost beyond reading the signal, in units of the budget.
    private func take(_ message: Message, _ owner: BusName, _ generation: Int) async -> Int {
        guard let arrival = followed[owner]?.snapshotArrival, message.arrival > arrival else { return 0 }
        if message.member == "Seeked" {
            guard let position = try? message.arguments(Int64.self) else { return 0 }
            followed[owner]?.applySeek(position, at: .now)
            return 0
        }
        guard
            let (interface, properties, invalidated) = try? message.arguments(
                String.self, VariantMap.self, [String].self)
        else { return 0 }
        switch interface {
        case MPRIS.root.text:
            followed[owner]?.state.applyRoot(properties)
            await findApplication(of: owner, generation)
        case MPRIS.player.text: takePlayback(properties, of: owner)
        default: return 0
        }
        if !invalidated.isEmpty {
            _ = await read(owner, generation)
            return Self.reportCost
        }
        return await reportDue(owner, generation)
    }

    /// Reads all properties of the player and reports changes.
    ///
    /// - Returns: Whether the player answered.
    private func read(_ owner: BusName, _ generation: Int) async -> Bool {
        let proxy = Proxy(bus, owner, MPRIS.path)
        guard let root = try? await proxy.properties(MPRIS.root, timeout: deadlines.reply),
            isCurrent(owner, generation)
        else {
            noteSilence(of: owner, generation)
            return false
        }
        followed[owner]?.state.applyRoot(root)
        await readProcess(of: owner, generation)
        await findApplication(of: owner, generation)
        guard await readPlayback(owner, generation) else { return false }
        report(owner)
        return true
    }

    private func findApplication(of owner: BusName, _ generation: Int) async {
        guard let application, let player = followed[owner], player.generation == generation else { return }
        let found = await application(player.snapshot(owner, at: .now))
        guard isCurrent(owner, generation) else { return }
        followed[owner]?.application = found
        for other in followed.pair(owner) { self.report(other) }
    }

    private func noteSilence(of owner: BusName, _ generation: Int) {
        guard isCurrent(owner, generation) else { return }
        followed[owner]?.isResponding = false
        followed[owner]?.wasAsked = true
        changed()
    }

    private func readPlayback(_ owner: BusName, _ generation: Int, within limit: Duration? = nil) async -> Bool {
        let call = MethodCall(
            owner, MPRIS.path, .properties, "GetAll", body: [.string(MPRIS.player.text)], startsService: false)
        guard let reply = try? await bus.reply(to: call, timeout: limit ?? deadlines.reply),
            let properties = try? reply.arguments(VariantMap.self), isCurrent(owner, generation)
        else {
            noteSilence(of: owner, generation)
            return false
        }
        apply(properties, reply.arrival, to: owner)
        return true
    }

    private func apply(_ properties: VariantMap, _ arrival: UInt64, to owner: BusName) {
        guard let known = followed[owner]?.snapshotArrival, arrival > known else { return }
        followed[owner]?.isResponding = true
        followed[owner]?.wasAsked = true
        followed[owner]?.snapshotArrival = arrival
        takePlayback(properties, of: owner)
        changed()
    }

    /// Reports the pending change, with the player's position at this moment. Returns the cost in units of the budget.
    private func reportDue(_ owner: BusName, _ generation: Int) async -> Int {
        guard let player = followed[owner] else { return 0 }
        let due = player.tracker.due(player.state)
        switch due {
        case .started, .paused:
            // Status and metadata may arrive in two signals, so read the whole state. Without an answer, report the
            // signals.
            _ = await readPlayback(owner, generation)
            guard isCurrent(owner, generation) else { return 0 }
        case .changed, .stopped, .gone, nil:
            break
        }
        report(owner)
        changed()
        return due == nil ? 0 : Self.reportCost
    }

    func report(_ owner: BusName) {
        guard var player = followed[owner] else { return }
        // A player that another one represents counts as gone.
        let change =
            !followed.isReported(player) ? player.tracker.reported.map { _ in .gone } : player.tracker.due(player.state)
        guard let change else { return }
        report(change, &player, owner)
        followed[owner] = player
    }

    /// Asks players for their current states, all at once and with a short deadline, before they hold back a suggestion.
    /// One that does not answer counts as unresponsive from then on.
    public func check(_ players: [MPRISPlayer.ID]) async {
        await withTaskGroup(of: Void.self) { group in
            for player in followed.map({ $1.snapshot($0, at: .now) }) where players.contains(player.id) {
                group.addTask { _ = try? await self.refreshed(player, within: self.deadlines.check) }
            }
        }
    }

    /// Announces that Hunch asks a player to jump, so that its next position is believed.
    func announceJump(of player: MPRISPlayer) { followed[player.id]?.state.announceJump(at: .now) }

    /// Asks a player for its current state, which also shows that it answers.
    ///
    /// - Parameters:
    ///   - limit: The time to answer; `nil` for the usual one.
    ///   - name: The name of its app in errors; `nil` for its identity.
    /// - Throws: ``MediaError``: `noReply` if it does not answer in time, `notRunning` if it is gone.
    public func refreshed(
        _ player: MPRISPlayer, within limit: Duration? = nil, called name: String? = nil
    ) async throws -> MPRISPlayer {
        let name = name ?? player.identity
        guard let generation = followed[player.id]?.generation else {
            throw MediaError(.notRunning, localized("%1 is no longer running", name))
        }
        let hasAnswered = await readPlayback(player.id, generation, within: limit)
        guard isCurrent(player.id, generation) else {
            throw MediaError(.notRunning, localized("%1 is no longer running", name))
        }
        guard hasAnswered, let present = followed[player.id] else {
            throw MediaError(
                .noReply, localized("%1 does not answer; it may hang, so try to restart it", name))
        }
        report(player.id)
        return present.snapshot(player.id, at: .now, among: streams?())
    }
}
