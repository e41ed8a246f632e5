internal import HunchModel

/// The successor counts of one context. Most contexts have only one successor, so the first is stored inline.
struct CountRow: Sendable {
    /// An item that followed the context, with its counts.
    struct Successor: Sendable {
        var item: Int32
        var count: Float
        /// The decayed count; equal to `count` where nothing decays.
        var recent: Float

        init(_ item: Int32) {
            self.item = item
            count = 1
            recent = 1
        }
    }

    static let maximumSuccessors = 64

    let key: ContextKey
    private(set) var others: [Successor] = []
    private(set) var first: Successor
    /// The latest successor, or −1 if it is no longer known.
    private(set) var last: Int32
    /// The clock value of the last addition.
    private(set) var touched: UInt32

    init(_ key: ContextKey, first item: Int32, at clock: UInt32) {
        self.key = key
        first = Successor(item)
        last = item
        touched = clock
    }

    /// The number of distinct successors.
    var count: Int { others.count + 1 }
    /// The sum of the counts.
    var total: Double { others.reduce(Double(first.count)) { $0 + Double($1.count) } }

    /// The size in memory, in bytes, without the row itself.
    var byteCount: Int { Storage.bytes(of: others) }

    func count(of item: Int) -> Double {
        Double(first.item == item ? first.count : others.first { $0.item == item }?.count ?? 0)
    }

    /// Calls `body` for each item with its count and its decayed count.
    @inline(__always)
    func forEach(_ body: (_ item: Int, _ count: Double, _ recent: Double) -> Void) {
        body(Int(first.item), Double(first.count), Double(first.recent))
        for other in others { body(Int(other.item), Double(other.count), Double(other.recent)) }
    }

    /// Counts an item once more. When the row is full, the new item replaces the one with the smallest count.
    ///
    /// - Parameter decay: The factor for the decayed counts before the addition; 1 for none.
    mutating func add(_ item: Int32, decay: Float, at clock: UInt32) {
        touched = clock
        last = item
        if decay != 1 {
            first.recent *= decay
            for index in others.indices { others[index].recent *= decay }
        }
        if first.item == item {
            first.count += 1
            first.recent += 1
        } else if let index = others.firstIndex(where: { $0.item == item }) {
            others[index].count += 1
            others[index].recent += 1
        } else if count < Self.maximumSuccessors {
            others.append(Successor(item))
        } else {
            replaceLeast(by: item)
        }
    }

    private mutating func replaceLeast(by item: Int32) {
        let least = others.indices.min { others[$0].count < others[$1].count }
        if let least, others[least].count < first.count {
            others[least] = Successor(item)
        } else {
            first = Successor(item)
        }
    }

    /// Removes items that are no longer known. Returns whether any item is left.
    mutating func keep(_ isKnown: (Int) -> Bool) -> Bool {
        others.removeAll { !isKnown(Int($0.item)) }
        if !isKnown(Int(last)) { last = -1 }
        if isKnown(Int(first.item)) { return true }
        guard !others.isEmpty else { return false }
        first = others.removeFirst()
        return true
    }
}
