internal import HunchModel

/// What followed in each context, and how often. Bounded in contexts and in what is kept of each and of all.
///
/// A hash table with linear probing (Knuth, *The Art of Computer Programming*, 6.4): the keys are mixed already.
struct CountTable: Sendable {
    /// How many items are kept of a context on average, at most.
    static let meanSuccessors = 8

    let capacity: Int
    /// What a row's decayed counts are multiplied with before something is added: 1 for none.
    let decay: Float
    private var rows: [CountRow] = []
    /// One more than the index of a row, from the place on that its key gives; 0 for none. A power of two, at most three
    /// quarters of it in use.
    private var buckets: [UInt16] = []
    /// Of all rows.
    private var successorCount = 0

    /// - Parameter capacity: in contexts; below 2¹⁶.
    init(capacity: Int, decay: Float = 1) {
        self.capacity = capacity
        self.decay = decay
    }

    var count: Int { rows.count }

    /// In memory.
    var byteCount: Int {
        Storage.bytes(of: rows) + Storage.bytes(of: buckets) + rows.reduce(0) { $0 + $1.byteCount }
    }

    /// What was seen in a context, as far as its items are still known.
    subscript(key: ContextKey, items: ItemTable) -> CountRow? {
        guard let index = index(of: key) else { return nil }
        var row = rows[index]
        return row.touched > items.lastEviction || row.keep(items.holds) ? row : nil
    }

    /// Counts an item that was just used.
    mutating func add(_ item: Int, to key: ContextKey, _ items: ItemTable) {
        // After four thousand million events all are as late: then rows go in the order in which they came.
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
        // An array by itself doubles its storage, most of which may never be needed.
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

    /// The quarter that was not touched for longest goes at once, so that it is seldom.
    private mutating func dropOldest() {
        rows = Array(rows.sorted { $0.touched < $1.touched }.dropFirst(rows.count / 4))
        successorCount = rows.reduce(0) { $0 + $1.count }
        rebuildBuckets(buckets.count)
    }
}
