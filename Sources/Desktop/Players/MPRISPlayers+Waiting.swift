internal import EventLoops
internal import HunchDBus

/// A task that waits for a state of the players.
struct PlayersWaiter {
    let isSatisfied: @Sendable ([MPRISPlayer]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
    let timer: LoopTimer
}

extension MPRISPlayers {
    /// Waits for a state of the players.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait.
    ///   - find: Checks the players, now and after every change. Returns `nil` until the state is reached.
    /// - Returns: The result of `find`; `nil` if the time is up.
    /// - Throws: `CancellationError`.
    public func wait<Found: Sendable>(
        atMost limit: Duration, for find: @escaping @Sendable ([MPRISPlayer]) -> Found?
    ) async throws -> Found? {
        if let found = find(players()) { return found }
        try Task.checkCancellation()
        nextWaiter += 1
        let token = nextWaiter
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The state may have been reached while this task was queued.
                if find(players()) != nil { return continuation.resume() }
                let timer = schedule(after: limit) { $0.endWait(token) }
                waiters[token] = PlayersWaiter(
                    isSatisfied: { find($0) != nil }, continuation: continuation, timer: timer)
            }
        } onCancel: {
            execute { $0.endWait(token) }
        }
        try Task.checkCancellation()
        return find(players())
    }

    /// Waits until all players that were on the bus at the start have been asked for their state.
    ///
    /// - Parameter limit: The longest time to wait, for example for a player that hangs.
    public func firstLook(atMost limit: Duration) async {
        // A cancelled task does not need the result.
        _ = try? await wait(atMost: limit) { [weak self] _ in
            let isOver = self?.assumeIsolated { $0.hasReadNames && $0.followed.values.allSatisfy(\.wasAsked) }
            return isOver == false ? nil : ()
        }
    }

    func endWait(_ token: Int) {
        guard let waiter = waiters.removeValue(forKey: token) else { return }
        loop.cancel(waiter.timer)
        waiter.continuation.resume()
    }
}
