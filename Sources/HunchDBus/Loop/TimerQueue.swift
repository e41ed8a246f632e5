/// Deadlines in a binary heap. A cancelled timer leaves its entry behind until it surfaces or the heap is mostly such
/// entries, so that arming and cancelling a timer for every call stays cheap.
struct TimerQueue {
    struct Entry {
        let deadline: MonotonicInstant
        let token: Int
    }

    private var heap: [Entry] = []
    private var callbacks: [Int: () -> Void] = [:]
    private var nextToken = 0

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

    mutating func takeDue(at instant: MonotonicInstant) -> [() -> Void] {
        guard !heap.isEmpty else { return [] }
        var due: [() -> Void] = []
        while let first = heap.first {
            if let callback = callbacks[first.token] {
                if first.deadline > instant { break }
                callbacks[first.token] = nil
                due.append(callback)
            }
            removeFirst()
        }
        return due
    }

    private mutating func compact() {
        heap = heap.filter { callbacks[$0.token] != nil }
        heap.sort { $0.deadline < $1.deadline }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[least].deadline { least = child }
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
            guard heap[child].deadline < heap[parent].deadline else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }
}
