internal import HunchModel

/// What followed in one context. Most contexts lead to one item only: that one is kept in the row itself.
struct CountRow: Sendable {
    /// An item that followed, with how often it did.
    struct Successor: Sendable {
        var item: Int32
        var count: Float
        /// The same with the past decayed; as the count where nothing decays.
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
    /// The item that came last, or −1 when it is not known any more.
    private(set) var last: Int32
    /// When something was added last.
    private(set) var touched: UInt32

    init(_ key: ContextKey, first item: Int32, at clock: UInt32) {
        self.key = key
        first = Successor(item)
        last = item
        touched = clock
    }

    /// How many items there are.
    var count: Int { others.count + 1 }
    /// The sum of the counts.
    var total: Double { others.reduce(Double(first.count)) { $0 + Double($1.count) } }

    /// In memory, beside the row itself.
    var byteCount: Int { Storage.bytes(of: others) }

    func count(of item: Int) -> Double {
        Double(first.item == item ? first.count : others.first { $0.item == item }?.count ?? 0)
    }

    /// Shows each item with its count and its decayed count.
    @inline(__always)
    func forEach(_ body: (_ item: Int, _ count: Double, _ recent: Double) -> Void) {
        body(Int(first.item), Double(first.count), Double(first.recent))
        for other in others { body(Int(other.item), Double(other.count), Double(other.recent)) }
    }

    /// Counts an item once more. When there are too many, the one counted least goes.
    ///
    /// - Parameter decay: what the decayed counts are multiplied with before; 1 for none.
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

    /// Removes items that are not known any more; returns whether one is left.
    mutating func keep(_ isKnown: (Int) -> Bool) -> Bool {
        others.removeAll { !isKnown(Int($0.item)) }
        if !isKnown(Int(last)) { last = -1 }
        if isKnown(Int(first.item)) { return true }
        guard !others.isEmpty else { return false }
        first = others.removeFirst()
        return true
    }
}
