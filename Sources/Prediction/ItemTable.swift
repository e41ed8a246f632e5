internal import Glibc
internal import HunchModel

/// The actions that are known, by number, with how often and how lately each was done. Bounded.
///
/// A number is a place of the table and, above its bits, how often the place was given to another action. So the numbers
/// of actions that had to go are told from those of their followers wherever they still stand.
struct ItemTable: Sendable {
    /// A power of two.
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

    /// By place, apart from each other: what is read at each event refers to nothing that would be counted.
    private var actions: [HashedAction?] = []
    private var uses: [Use] = []
    private var numbersByPlace: [Int] = []
    private var numbers: [HashedAction: Int] = [:]
    /// Places.
    private var free: [Int] = []
    /// The numbers of all items, the latest used first.
    private(set) var byRecency: [Int] = []
    /// The numbers of all items, the most often used first, the latest used first among equals.
    private(set) var byFrequency: [Int] = []
    /// The sum of the counts.
    private(set) var total = 0.0
    /// How many events there were.
    private(set) var clock = 0
    /// The last event before items had to go; 0 when none did.
    private(set) var lastEviction = 0

    /// One more than the greatest place in use.
    var placeBound: Int { uses.count }
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
        return texts + Storage.bytes(of: actions) + Storage.bytes(of: uses)
            + Storage.bytes(of: numbersByPlace) + Storage.bytes(of: numbers) + Storage.bytes(of: free)
            + Storage.bytes(of: byRecency) + Storage.bytes(of: byFrequency)
    }

    /// The place of an item by its number.
    static func place(_ number: Int) -> Int { number & (capacity - 1) }

    /// Whether a number is that of a known action.
    func holds(_ number: Int) -> Bool {
        number >= 0 && Self.place(number) < placeBound && numbersByPlace[Self.place(number)] == number
    }

    func number(of action: HashedAction) -> Int? { numbers[action] }
    func action(_ number: Int) -> Action? { holds(number) ? actions[Self.place(number)]?.action : nil }
    func hash(_ number: Int) -> UInt64 { holds(number) ? actions[Self.place(number)]?.number ?? 0 : 0 }
    func count(of number: Int) -> Double { holds(number) ? uses[Self.place(number)].count : 0 }

    /// The decayed counters of an item, as they are when the next event comes.
    func decayed(_ number: Int) -> SIMD4<Double> {
        guard holds(number) else { return SIMD4(repeating: 0) }
        let use = uses[Self.place(number)]
        return use.decayed * Self.factor(events: clock - use.last + 1)
    }

    /// Counts one more use of an action and returns its number. Items that were done least may have to go before.
    mutating func use(_ action: HashedAction) -> Int {
        let known = numbers[action]
        if known == nil, count == Self.capacity { evict() }
        clock += 1
        let number = known ?? add(action)
        if let index = byRecency.firstIndex(of: number) { byRecency.remove(at: index) }
        byRecency.insert(number, at: 0)
        let place = Self.place(number)
        uses[place].decayed = uses[place].decayed * Self.factor(events: clock - uses[place].last) + 1
        uses[place].count += 1
        uses[place].last = clock
        raiseFrequency(of: number)
        total += 1
        return number
    }

    private mutating func add(_ action: HashedAction) -> Int {
        let place = free.popLast() ?? actions.count
        if place == actions.count {
            actions.append(nil)
            uses.append(Use())
            numbersByPlace.append(place)
        }
        actions[place] = action
        let number = numbersByPlace[place]
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
    private mutating func evict() {
        lastEviction = clock
        let ranked = byRecency.enumerated().map { (weight: decayed($1)[3], age: $0, number: $1) }
            .sorted { ($0.weight, -$0.age) < ($1.weight, -$1.age) }
        for entry in ranked.prefix(Self.capacity / 8) { remove(entry.number) }
        byRecency = byRecency.filter(holds)
        byFrequency = byFrequency.filter(holds)
    }

    private mutating func remove(_ number: Int) {
        let place = Self.place(number)
        guard let action = actions[place] else { return }
        total -= uses[place].count
        numbers[action] = nil
        actions[place] = nil
        uses[place] = Use()
        // The next number of the place; a row keeps it in 31 bits.
        numbersByPlace[place] = (number + Self.capacity) & Int(Int32.max)
        free.append(place)
    }

    /// What is left of a counter after some events.
    private static func factor(events: Int) -> SIMD4<Double> {
        events < factors.count ? factors[events] : SIMD4(halfLives.map { exp2(-Double(events) / $0) })
    }

    private static let factors = (0..<2_048).map { events in SIMD4(halfLives.map { exp2(-Double(events) / $0) }) }
}
