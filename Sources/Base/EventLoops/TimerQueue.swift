/// A binary heap of deadlines. Cancelling a timer leaves its entry in the heap until it reaches the top or such entries
/// dominate. This keeps it cheap to add and cancel a timer for every call.
struct TimerQueue {
    private struct Entry: Comparable {
        let deadline: MonotonicInstant
        let token: Int

        /// Orders by deadline. Of equal deadlines, the one that was added first comes first.
        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.token) < (right.deadline, right.token)
        }
    }

    private var heap: [Entry] = []
    private var callbacks: [Int: () -> Void] = [:]
    private var nextToken = 0

    var isEmpty: Bool { callbacks.isEmpty }

    /// The earliest deadline of a timer that was not cancelled.
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

    /// Returns the tokens of the due timers, earliest first. The callback of one may still cancel another.
    mutating func due(at instant: MonotonicInstant) -> [Int] {
        var due: [Int] = []
        while let first = heap.first, first.deadline <= instant || callbacks[first.token] == nil {
            if callbacks[first.token] != nil { due.append(first.token) }
            removeFirst()
        }
        return due
    }

    /// Removes and returns the callback of a due timer, or returns `nil` if the timer was cancelled meanwhile.
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
