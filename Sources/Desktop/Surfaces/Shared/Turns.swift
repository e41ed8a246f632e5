/// A first-come, first-served lock for the asynchronous methods of one actor. Only that actor may use it.
final class Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for a turn. The caller must call ``end()`` afterwards.
    nonisolated(nonsending) func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the turn to the longest waiting caller, if any.
    func end() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
