/// What followed in each context, and how often. Bounded in contexts and in what is kept of each.
struct CountTable: Sendable {
    /// An item that was seen in a context, with how often it was.
    struct Successor: Sendable {
        var item: Int32
        var count: Float
    }

    static let maximumSuccessors = 64

    let capacity: Int
    /// What a row's counts are multiplied with before something is added: 1 for plain counts.
    let decay: Float
    private var rows: [ContextKey: CountRow] = [:]
    private var clock: UInt32 = 0

    init(capacity: Int, decay: Float = 1) {
        self.capacity = capacity
        self.decay = decay
    }

    var count: Int { rows.count }

    subscript(key: ContextKey) -> CountRow? { rows[key] }

    /// In memory.
    var byteCount: Int { Storage.bytes(of: rows) + rows.values.reduce(0) { $0 + $1.byteCount } }

    mutating func add(_ item: Int, to key: ContextKey) {
        clock &+= 1
        // Only the order of times counts, and it would start anew after four thousand million of them.
        if clock == .max { rows = [:] }
        if rows[key]?.add(Int32(item), decay: decay, at: clock) == nil {
            rows[key] = CountRow(first: Int32(item), at: clock)
            if rows.count > capacity { dropOldest() }
        }
    }

    /// Removes items from every row, and rows of which nothing is left.
    ///
    /// - Parameter isGone: by number, whether an item goes.
    mutating func remove(where isGone: [Bool]) {
        var empty: [ContextKey] = []
        var index = rows.startIndex
        while index != rows.endIndex {
            if !rows.values[index].remove(where: isGone) { empty.append(rows.keys[index]) }
            rows.formIndex(after: &index)
        }
        for key in empty { rows[key] = nil }
    }

    /// The quarter that was not touched for longest goes at once, so that it is seldom.
    private mutating func dropOldest() {
        let touched = rows.values.map(\.touched).sorted()
        let bound = touched[touched.count / 4]
        rows = rows.filter { $0.value.touched >= bound }
    }
}

/// What was seen in one context. Most contexts lead to one item only: that one is kept in the row itself.
struct CountRow: Sendable {
    private(set) var first: CountTable.Successor
    /// In the order in which they came; with ``first`` at most ``CountTable/maximumSuccessors``.
    private(set) var others: [CountTable.Successor] = []
    /// The sum of the counts.
    private(set) var total: Float = 1
    /// The item that came last, or −1.
    private(set) var last: Int32
    /// When something was added last.
    private(set) var touched: UInt32

    init(first item: Int32, at clock: UInt32) {
        first = CountTable.Successor(item: item, count: 1)
        last = item
        touched = clock
    }

    /// How many items there are.
    var count: Int { others.count + 1 }

    /// In memory, beside the row itself.
    var byteCount: Int { Storage.bytes(of: others) }

    func count(of item: Int) -> Double {
        Double(first.item == item ? first.count : others.first { $0.item == item }?.count ?? 0)
    }

    /// Shows each item with its count.
    @inline(__always)
    func forEach(_ body: (_ item: Int, _ count: Double) -> Void) {
        body(Int(first.item), Double(first.count))
        for other in others { body(Int(other.item), Double(other.count)) }
    }

    mutating func add(_ item: Int32, decay: Float, at clock: UInt32) {
        touched = clock
        last = item
        if decay != 1 {
            first.count *= decay
            for index in others.indices { others[index].count *= decay }
            total *= decay
        }
        if first.item == item {
            first.count += 1
        } else if let index = others.firstIndex(where: { $0.item == item }) {
            others[index].count += 1
        } else if count < CountTable.maximumSuccessors {
            others.append(CountTable.Successor(item: item, count: 1))
        } else {
            replaceLeast(by: item)
        }
        total += 1
    }

    private mutating func replaceLeast(by item: Int32) {
        let new = CountTable.Successor(item: item, count: 1)
        let least = others.indices.min { others[$0].count < others[$1].count }
        if let least, others[least].count < first.count {
            total -= others[least].count
            others[least] = new
        } else {
            total -= first.count
            first = new
        }
    }

    /// Removes items; returns whether one is left.
    mutating func remove(where isGone: [Bool]) -> Bool {
        func goes(_ successor: CountTable.Successor) -> Bool { isGone[Int(successor.item)] }
        guard goes(first) || others.contains(where: goes) else { return true }
        others.removeAll(where: goes)
        if goes(first) {
            if others.isEmpty { return false }
            first = others.removeFirst()
        }
        total = others.reduce(first.count) { $0 + $1.count }
        if last >= 0, isGone[Int(last)] { last = -1 }
        return true
    }
}
