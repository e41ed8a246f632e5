/// The turns of what is done one at a time: who comes first is first. A part of one actor, which alone uses it.
final class Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for a turn; ``end()`` has to follow.
    nonisolated(nonsending) func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the turn to who waits longest, before anyone who comes meanwhile.
    func end() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
