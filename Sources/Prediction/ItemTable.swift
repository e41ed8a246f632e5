internal import Glibc
internal import HunchModel

/// The actions that are known, by number, with how often and how lately each was done. Bounded.
struct ItemTable: Sendable {
    static let capacity = 512
    /// Half-lives of the decayed counters, in events.
    static let halfLives = [2.0, 8, 40, 250]

    /// How an item was used; nothing for numbers that are free.
    private struct Use: Sendable {
        var count = 0.0
        var last = 0
        /// As of the last use, one for each half-life.
        var decayed = SIMD4<Double>(repeating: 0)
    }

    /// 2^(−1/h) for each half-life.
    private static let decay = SIMD4(halfLives.map { exp2(-1 / $0) })

    /// By number, apart from each other: what is read at each event refers to nothing that would be counted.
    private var actions: [HashedAction?] = []
    private var uses: [Use] = []
    private var numbers: [HashedAction: Int] = [:]
    private var free: [Int] = []
    /// The numbers of all items, the latest used first.
    private(set) var byRecency: [Int] = []
    /// The numbers of all items, the most often used first, the latest used first among equals.
    private(set) var byFrequency: [Int] = []
    /// The sum of the counts.
    private(set) var total = 0.0
    /// The sums of the decayed counters as of the last event.
    private var decayedTotals = SIMD4<Double>(repeating: 0)
    private var clock = 0

    /// One more than the greatest number in use.
    var numberBound: Int { uses.count }
    /// How many items there are.
    var count: Int { byRecency.count }

    /// In memory.
    var byteCount: Int {
        let texts = numbers.keys.reduce(0) { sum, hashed in
            let action = hashed.action
            let values = action.parameters.reduce(0) { $0 + Storage.bytes(of: $1.key) + Storage.bytes(of: $1.value) }
            return sum + Storage.bytes(of: action.application) + Storage.bytes(of: action.kind.rawValue)
                + Storage.bytes(of: action.parameters) + values
        }
        return texts + Storage.bytes(of: actions) + Storage.bytes(of: uses) + Storage.bytes(of: numbers)
            + Storage.bytes(of: free)
            + Storage.bytes(of: byRecency) + Storage.bytes(of: byFrequency)
    }

    func number(of action: HashedAction) -> Int? { numbers[action] }
    func action(_ number: Int) -> Action? { actions.indices.contains(number) ? actions[number]?.action : nil }
    /// What tells an action from all others, also from one that has its number later.
    func hash(_ number: Int) -> UInt64 { actions[number]?.number ?? 0 }
    func count(of number: Int) -> Double { uses.indices.contains(number) ? uses[number].count : 0 }

    /// The decayed counters of an item and their sums over all items, as they are when the next event comes.
    func decayed(_ number: Int) -> SIMD4<Double> {
        guard uses.indices.contains(number) else { return SIMD4(repeating: 0) }
        return uses[number].decayed * Self.factor(events: clock - uses[number].last + 1)
    }
    var decayedSums: SIMD4<Double> { decayedTotals * Self.decay }

    /// Counts one more use of an action and returns its number.
    ///
    /// - Parameter evicted: called with the numbers of items that had to go before; they are given out again.
    mutating func use(_ action: HashedAction, evicted: (Set<Int>) -> Void) -> Int {
        let known = numbers[action]
        if known == nil, count == Self.capacity { evicted(evict()) }
        clock += 1
        let number = known ?? add(action)
        if let index = byRecency.firstIndex(of: number) { byRecency.remove(at: index) }
        byRecency.insert(number, at: 0)
        uses[number].decayed = uses[number].decayed * Self.factor(events: clock - uses[number].last) + 1
        uses[number].count += 1
        uses[number].last = clock
        raiseFrequency(of: number)
        total += 1
        decayedTotals = decayedTotals * Self.decay + 1
        return number
    }

    private mutating func add(_ action: HashedAction) -> Int {
        let number: Int
        if let reused = free.popLast() {
            number = reused
            actions[number] = action
        } else {
            number = actions.count
            actions.append(action)
            uses.append(Use())
        }
        numbers[action] = number
        byFrequency.append(number)
        return number
    }

    /// Moves an item before all that were not used more often.
    private mutating func raiseFrequency(of number: Int) {
        guard var index = byFrequency.lastIndex(of: number) else { return }
        while index > 0, count(of: byFrequency[index - 1]) <= count(of: number) {
            byFrequency.swapAt(index, index - 1)
            index -= 1
        }
    }

    /// The eighth that was done least lately and least often goes at once, so that it is seldom.
    private mutating func evict() -> Set<Int> {
        let ranked = byRecency.enumerated().sorted {
            (decayed($0.element)[3], -$0.offset) < (decayed($1.element)[3], -$1.offset)
        }
        let gone = Set(ranked.prefix(Self.capacity / 8).map(\.element))
        remove(gone)
        return gone
    }

    private mutating func remove(_ gone: Set<Int>) {
        for number in gone.sorted() {
            guard let action = actions[number] else { continue }
            total -= uses[number].count
            decayedTotals -= uses[number].decayed * Self.factor(events: clock - uses[number].last)
            numbers[action] = nil
            actions[number] = nil
            uses[number] = Use()
            free.append(number)
        }
        decayedTotals = pointwiseMax(decayedTotals, SIMD4(repeating: 0))
        byRecency.removeAll { gone.contains($0) }
        byFrequency.removeAll { gone.contains($0) }
    }

    /// What is left of a counter after some events.
    private static func factor(events: Int) -> SIMD4<Double> {
        events < factors.count ? factors[events] : SIMD4(halfLives.map { exp2(-Double(events) / $0) })
    }

    private static let factors = (0..<2_048).map { events in SIMD4(halfLives.map { exp2(-Double(events) / $0) }) }
}
