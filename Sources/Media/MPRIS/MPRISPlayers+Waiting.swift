internal import HunchDBus

/// Someone who waits until the players are in some state.
struct PlayersWaiter {
    let isSatisfied: @Sendable ([MPRISPlayer]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
    let timer: LoopTimer
}

extension MPRISPlayers {
    /// Waits until the players are in a certain state.
    ///
    /// - Parameters:
    ///   - limit: how long to wait.
    ///   - find: looks at the players, now and after every change; returns `nil` as long as the state is not reached.
    /// - Returns: what `find` returned; `nil` when the time is up.
    /// - Throws: `CancellationError`.
    public func wait<Found: Sendable>(
        atMost limit: Duration, for find: @escaping @Sendable ([MPRISPlayer]) -> Found?
    ) async throws -> Found? {
        if let found = find(players()) { return found }
        try Task.checkCancellation()
        nextWaiter += 1
        let token = nextWaiter
        let loop = bus.loop
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // What is waited for may have come while this task was queued.
                if find(players()) != nil { return continuation.resume() }
                let timer = loop.schedule(after: limit) { [weak self] in
                    self?.assumeIsolated { $0.endWait(token) }
                }
                waiters[token] = PlayersWaiter(
                    isSatisfied: { find($0) != nil }, continuation: continuation, timer: timer)
            }
        } onCancel: {
            loop.execute { [weak self] in self?.assumeIsolated { $0.endWait(token) } }
        }
        try Task.checkCancellation()
        return find(players())
    }

    /// Waits until the players that were there at the start are known and have been asked for their state.
    ///
    /// - Parameter limit: how long to wait at most, as for a player that hangs.
    public func firstLook(atMost limit: Duration) async {
        // A task that is cancelled has no use for what it waits for.
        _ = try? await wait(atMost: limit) { [weak self] _ in
            let isOver = self?.assumeIsolated { $0.hasReadNames && $0.followed.values.allSatisfy(\.wasAsked) }
            return isOver == false ? nil : ()
        }
    }

    func endWait(_ token: Int) {
        guard let waiter = waiters.removeValue(forKey: token) else { return }
        bus.loop.cancel(waiter.timer)
        waiter.continuation.resume()
    }
}
