internal import HunchModel

/// The successor counts of many contexts, bounded in the number of contexts and of successors.
///
/// A hash table with linear probing (Knuth, *The Art of Computer Programming*, 6.4). The keys are already mixed.
struct CountTable: Sendable {
    /// The largest average number of successors per context.
    static let meanSuccessors = 8

    let capacity: Int
    /// The factor for a row's decayed counts before each addition; 1 for none.
    let decay: Float
    private var rows: [CountRow] = []
    /// The row index plus one, at or after the bucket of the row's key; 0 for an empty bucket. The size is a power of
    /// two, at most three quarters full.
    private var buckets: [UInt16] = []
    /// The number of successors in all rows.
    private var successorCount = 0

    /// - Parameter capacity: The most contexts; below 2¹⁶.
    init(capacity: Int, decay: Float = 1) {
        self.capacity = capacity
        self.decay = decay
    }

    var count: Int { rows.count }

    /// The size in memory, in bytes.
    var byteCount: Int {
        Storage.bytes(of: rows) + Storage.bytes(of: buckets) + rows.reduce(0) { $0 + $1.byteCount }
    }

    /// The row of a context without items that are no longer known; `nil` if nothing is left.
    subscript(key: ContextKey, items: ItemTable) -> CountRow? {
        guard let index = index(of: key) else { return nil }
        var row = rows[index]
        return row.touched > items.lastEviction || row.keep(items.holds) ? row : nil
    }

    /// Counts an item that was just used.
    mutating func add(_ item: Int, to key: ContextKey, _ items: ItemTable) {
        // After 2³² events the clock stays at its maximum. Rows are then dropped in insertion order.
        let clock = UInt32(clamping: items.clock)
        guard let index = index(of: key) else {
            append(CountRow(key, first: Int32(item), at: clock))
            return
        }
        let before = rows[index].count
        if rows[index].touched > items.lastEviction || rows[index].keep(items.holds) {
            rows[index].add(Int32(item), decay: decay, at: clock)
        } else {
            rows[index] = CountRow(key, first: Int32(item), at: clock)
        }
        successorCount += rows[index].count - before
        if isFull { dropOldest() }
    }

    private var isFull: Bool { rows.count > capacity || successorCount > capacity * Self.meanSuccessors }

    private func index(of key: ContextKey) -> Int? {
        guard !buckets.isEmpty else { return nil }
        var bucket = key.bucket(of: buckets.count)
        while buckets[bucket] > 0 {
            let index = Int(buckets[bucket]) - 1
            if rows[index].key == key { return index }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    private mutating func append(_ row: CountRow) {
        // An array doubles its storage by default. Most of that might never be needed.
        if rows.count == rows.capacity { rows.reserveCapacity(min(rows.count * 5 / 4 + 4, capacity + 1)) }
        rows.append(row)
        successorCount += 1
        if isFull {
            dropOldest()
        } else if rows.count * 4 > buckets.count * 3 {
            rebuildBuckets(max(buckets.count * 2, 8))
        } else {
            enter(rows.count - 1)
        }
    }

    private mutating func enter(_ index: Int) {
        var bucket = rows[index].key.bucket(of: buckets.count)
        while buckets[bucket] > 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = UInt16(index + 1)
    }

    private mutating func rebuildBuckets(_ count: Int) {
        buckets = Array(repeating: 0, count: count)
        for index in rows.indices { enter(index) }
    }

    /// Drops the least recently used quarter of the rows at once, so that this happens rarely.
    private mutating func dropOldest() {
        rows = Array(rows.sorted { $0.touched < $1.touched }.dropFirst(rows.count / 4))
        successorCount = rows.reduce(0) { $0 + $1.count }
        rebuildBuckets(buckets.count)
    }
}
