/// Deadlines in a binary heap. A cancelled timer leaves its entry behind until it surfaces or the heap is mostly such
/// entries, so that arming and cancelling a timer for every call stays cheap.
struct TimerQueue {
    private struct Entry: Comparable {
        let deadline: MonotonicInstant
        let token: Int

        /// Of equal deadlines, the one that was set first comes first.
        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.token) < (right.deadline, right.token)
        }
    }

    private var heap: [Entry] = []
    private var callbacks: [Int: () -> Void] = [:]
    private var nextToken = 0

    var isEmpty: Bool { callbacks.isEmpty }

    /// The earliest deadline that still matters.
    var nextDeadline: MonotonicInstant? {
        mutating get {
            while let first = heap.first, callbacks[first.token] == nil { removeFirst() }
            return heap.first?.deadline
        }
    }

    mutating func add(_ deadline: MonotonicInstant, _ callback: @escaping () -> Void) -> Int {
        nextToken += 1
        callbacks[nextToken] = callback
        heap.append(Entry(deadline: deadline, token: nextToken))
        siftUp(heap.count - 1)
        return nextToken
    }

    mutating func cancel(_ token: Int) {
        guard callbacks.removeValue(forKey: token) != nil else { return }
        if heap.count > 2 * callbacks.count + 64 { compact() }
    }

    /// The tokens of the timers whose time has come, earliest first. They count as armed until their callback is taken,
    /// so that each may still be cancelled by the callback of another.
    mutating func due(at instant: MonotonicInstant) -> [Int] {
        var due: [Int] = []
        while let first = heap.first, first.deadline <= instant || callbacks[first.token] == nil {
            if callbacks[first.token] != nil { due.append(first.token) }
            removeFirst()
        }
        return due
    }

    /// The callback of a timer that is due; `nil` when it was cancelled meanwhile.
    mutating func take(_ token: Int) -> (() -> Void)? { callbacks.removeValue(forKey: token) }

    private mutating func compact() {
        heap = heap.filter { callbacks[$0.token] != nil }
        heap.sort()
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child] < heap[least] { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func siftUp(_ index: Int) {
        var child = index
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }
}
