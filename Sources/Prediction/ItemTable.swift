internal import Glibc
internal import HunchModel

/// The actions that are known, by number, with how often and how lately each was done. Bounded.
///
/// A number is a place of the table and, above its bits, how often the place was given to another action. So the numbers
/// of actions that had to go are told from those of their followers wherever they still stand.
struct ItemTable: Sendable {
    /// A power of two.
    static let capacity = 1_024
    /// Half-lives of the decayed counters, in events.
    static let halfLives = [2.0, 8, 40, 250]

    /// How an item was used; nothing for numbers that are free.
    private struct Use: Sendable {
        var count = 0.0
        var last = 0
        /// As of the last use, one for each half-life.
        var decayed = SIMD4<Double>(repeating: 0)
    }

    /// The events that are added to an item's age before its count is divided by it. Else what was done just now would be
    /// worth many times as much as what was done a hundred events ago.
    private static let newAge = 200.0
    /// The share of an item's hours that is left after it is done again: some fifty uses count.
    private static let hourMemory: Float = 0.98
    /// The counts of a use at the hours from three before it to three after it, around midnight too.
    private static let nearness = (-3...3).map { (distance: $0, count: exp2f(-0.8 * Float(abs($0)))) }
    /// The mean of these counts over all hours of the day.
    private static let meanNearness = nearness.reduce(0) { $0 + $1.count } / 24
    /// The hours of the day, and the mean of their counts.
    private static let hourStride = 25

    /// By place, apart from each other: what is read at each event refers to nothing that would be counted.
    private var actions: [HashedAction?] = []
    private var uses: [Use] = []
    /// By place as far as an hour is known, the counts of an item about each hour of the day, then their mean.
    private var hours: [Float] = []
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
            + Storage.bytes(of: hours) + Storage.bytes(of: numbersByPlace) + Storage.bytes(of: numbers)
            + Storage.bytes(of: free)
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

    /// Returns the number of other items that were used since an item was; `nil` for one that is not known.
    func rank(of number: Int) -> Int? { byRecency.firstIndex(of: number) }

    /// Returns how often an item was done about an hour, each time counting by how near its hour was, and how often about
    /// any hour on average; `nil` where no hour of it is known.
    ///
    /// - Parameter hour: 0…23.
    func count(of number: Int, about hour: Int) -> (near: Double, mean: Double)? {
        let first = Self.place(number) * Self.hourStride
        guard holds(number), first < hours.count else { return nil }
        let mean = hours[first + Self.hourStride - 1]
        return mean > 0 ? (Double(hours[first + hour]), Double(mean)) : nil
    }

    /// Counts one more use of an action and returns its number. Items that were done least may have to go before.
    ///
    /// - Parameter hour: when it was used, 0…23; `nil` where that is not known.
    mutating func use(_ action: HashedAction, hour: Int? = nil) -> Int {
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
        if let hour { add(hour, to: place) }
        return number
    }

    private mutating func add(_ hour: Int, to place: Int) {
        let first = place * Self.hourStride
        let end = first + Self.hourStride
        if end > hours.count { hours += Array(repeating: 0, count: end - hours.count) }
        for index in first..<end { hours[index] *= Self.hourMemory }
        for (distance, count) in Self.nearness { hours[first + (hour + distance + 24) % 24] += count }
        hours[end - 1] += Self.meanNearness
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

    /// The eighth that was done least often for how long ago goes at once, so that it is seldom.
    private mutating func evict() {
        lastEviction = clock
        let ranked = byRecency.enumerated().map { rank, number in
            let use = uses[Self.place(number)]
            return (weight: use.count / (Double(clock - use.last) + Self.newAge), rank: rank, number: number)
        }.sorted { ($0.weight, -$0.rank) < ($1.weight, -$1.rank) }
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
        for index in hours.indices.dropFirst(place * Self.hourStride).prefix(Self.hourStride) { hours[index] = 0 }
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
