/// What followed in each context, and how often. Bounded in contexts and in what is kept of each.
struct CountTable: Sendable {
    /// Which context: a table's own number and up to four values.
    struct Key: Hashable, Sendable {
        var table: Int
        var first: UInt64
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    struct Successor: Sendable {
        var item: Int
        var count: Double
    }

    struct Row: Sendable {
        /// At most ``CountTable/maximumSuccessors``, in the order in which they came.
        var successors: [Successor] = []
        /// The sum of the counts.
        var total = 0.0
        var last = -1
        var touched = 0
    }

    static let maximumSuccessors = 64

    let capacity: Int
    /// What a row's counts are multiplied with before something is added: 1 for plain counts.
    let decay: Double
    private var rows: [Key: Row] = [:]
    private var clock = 0

    init(capacity: Int, decay: Double = 1) {
        self.capacity = capacity
        self.decay = decay
    }

    var count: Int { rows.count }

    subscript(key: Key) -> Row? { rows[key] }

    /// In memory.
    var byteCount: Int { Storage.bytes(of: rows) + rows.values.reduce(0) { $0 + Storage.bytes(of: $1.successors) } }

    mutating func add(_ item: Int, to key: Key) {
        clock += 1
        rows[key, default: Row()].add(item, decay: decay, clock: clock)
        if rows.count > capacity { dropOldest() }
    }

    /// Removes items from every row, and rows of which nothing is left.
    mutating func remove(_ items: Set<Int>) {
        for (key, row) in rows where row.successors.contains(where: { items.contains($0.item) }) {
            var row = row
            row.successors.removeAll { items.contains($0.item) }
            row.total = row.successors.reduce(0) { $0 + $1.count }
            if items.contains(row.last) { row.last = -1 }
            rows[key] = row.successors.isEmpty ? nil : row
        }
    }

    /// Removes rows by their keys.
    mutating func removeRows(where isGone: (Key) -> Bool) {
        rows = rows.filter { !isGone($0.key) }
    }

    /// The quarter that was not touched for longest goes at once, so that it is seldom.
    private mutating func dropOldest() {
        let touched = rows.values.map(\.touched).sorted()
        let bound = touched[touched.count / 4]
        rows = rows.filter { $0.value.touched >= bound }
    }
}

extension CountTable.Row {
    fileprivate mutating func add(_ item: Int, decay: Double, clock: Int) {
        touched = clock
        last = item
        if decay != 1 {
            for index in successors.indices { successors[index].count *= decay }
            total *= decay
        }
        if let index = successors.firstIndex(where: { $0.item == item }) {
            successors[index].count += 1
        } else if successors.count < CountTable.maximumSuccessors {
            successors.append(CountTable.Successor(item: item, count: 1))
        } else if let least = successors.indices.min(by: { successors[$0].count < successors[$1].count }) {
            total -= successors[least].count
            successors[least] = CountTable.Successor(item: item, count: 1)
        }
        total += 1
    }

    func count(of item: Int) -> Double { successors.first { $0.item == item }?.count ?? 0 }
}
