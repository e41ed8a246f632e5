internal import Glibc
internal import HunchModel

/// The known actions by number, with their frequency and recency. Bounded.
///
/// The low bits of a number are a place in the table. The high bits count how often the place was reassigned to another
/// action. So a stale number never refers to the action that replaced an evicted one.
struct ItemTable: Sendable {
    /// The maximum number of items; a power of two.
    static let capacity = 1_024
    /// The half-lives of the decayed counters, in events.
    static let halfLives = [2.0, 8, 40, 250]

    /// The use of an item; all zero for free places.
    private struct Use: Sendable {
        var count = 0.0
        var last = 0
        /// The decayed counters as of the last use, one per half-life.
        var decayed = SIMD4<Double>(repeating: 0)
    }

    /// The events added to an item's age before its count is divided by it. Without them, a new item would count many
    /// times as much as one used a hundred events ago.
    private static let newAge = 200.0
    /// The decay factor of an item's hour counts per use: about the last fifty count.
    private static let hourMemory: Float = 0.98
    /// The counts that a use adds at the hours from three before to three after it, across midnight too.
    private static let nearness = (-3...3).map { (distance: $0, count: exp2f(-0.8 * Float(abs($0)))) }
    /// The mean of these counts over all hours of the day.
    private static let meanNearness = nearness.reduce(0) { $0 + $1.count } / 24
    /// The counts of the 24 hours, and their mean.
    private static let hourStride = 25

    /// Arrays by place, kept apart so that reading the frequently used ones needs no reference counting.
    private var actions: [HashedAction?] = []
    private var uses: [Use] = []
    /// The counts around each hour of the day and then their mean, up to the last place with a known hour.
    private var hours: [Float] = []
    private var numbersByPlace: [Int] = []
    private var numbers: [HashedAction: Int] = [:]
    /// The free places.
    private var free: [Int] = []
    /// The numbers of all items, the most recently used first.
    private(set) var byRecency: [Int] = []
    /// The numbers of all items, the most frequently used first. Among equals, the most recently used comes first.
    private(set) var byFrequency: [Int] = []
    /// The sum of the counts.
    private(set) var total = 0.0
    /// The number of events so far.
    private(set) var clock = 0
    /// The clock value of the last eviction; 0 if there was none.
    private(set) var lastEviction = 0

    /// One more than the greatest place in use.
    var placeBound: Int { uses.count }
    /// The number of items.
    var count: Int { byRecency.count }

    /// The size in memory, in bytes.
    var byteCount: Int {
        let texts = numbers.keys.reduce(0) { sum, hashed in
            let action = hashed.action
            let values = action.parameters.reduce(0) { $0 + Storage.bytes(of: $1.key) + Storage.bytes(of: $1.value) }
            return sum + Storage.bytes(of: action.application.rawValue) + Storage.bytes(of: action.kind.rawValue)
                + Storage.bytes(of: action.parameters) + values
        }
        return texts + Storage.bytes(of: actions) + Storage.bytes(of: uses)
            + Storage.bytes(of: hours) + Storage.bytes(of: numbersByPlace) + Storage.bytes(of: numbers)
            + Storage.bytes(of: free)
            + Storage.bytes(of: byRecency) + Storage.bytes(of: byFrequency)
    }

    /// Returns the place of an item by its number.
    static func place(_ number: Int) -> Int { number & (capacity - 1) }

    /// Returns whether a number is that of a known action.
    func holds(_ number: Int) -> Bool {
        number >= 0 && Self.place(number) < placeBound && numbersByPlace[Self.place(number)] == number
    }

    func number(of action: HashedAction) -> Int? { numbers[action] }
    func action(_ number: Int) -> Action? { holds(number) ? actions[Self.place(number)]?.action : nil }
    func hash(_ number: Int) -> UInt64 { holds(number) ? actions[Self.place(number)]?.number ?? 0 : 0 }
    func count(of number: Int) -> Double { holds(number) ? uses[Self.place(number)].count : 0 }

    /// Returns the decayed counters of an item as of the next event.
    func decayed(_ number: Int) -> SIMD4<Double> {
        guard holds(number) else { return SIMD4(repeating: 0) }
        let use = uses[Self.place(number)]
        return use.decayed * Self.factor(events: clock - use.last + 1)
    }

    /// Returns the number of other items used since an item's last use; `nil` if the item is not known.
    func rank(of number: Int) -> Int? { byRecency.firstIndex(of: number) }

    /// Returns an item's count around an hour, weighted by distance, and its mean over all hours; `nil` if no hour is
    /// known.
    ///
    /// - Parameter hour: 0…23.
    func count(of number: Int, about hour: Int) -> (near: Double, mean: Double)? {
        let first = Self.place(number) * Self.hourStride
        guard holds(number), first < hours.count else { return nil }
        let mean = hours[first + Self.hourStride - 1]
        return mean > 0 ? (Double(hours[first + hour]), Double(mean)) : nil
    }

    /// Counts one more use of an action and returns its number. May evict other items first.
    ///
    /// - Parameter hour: The hour of the use, 0…23; `nil` if unknown.
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

    /// Moves an item before all items that were used at most as often.
    private mutating func raiseFrequency(of number: Int) {
        guard var index = byFrequency.lastIndex(of: number) else { return }
        while index > 0, count(of: byFrequency[index - 1]) <= count(of: number) {
            byFrequency.swapAt(index, index - 1)
            index -= 1
        }
    }

    /// Evicts the eighth of the items with the least count for their age, at once, so that this happens rarely.
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
        // Makes the next number of the place. A row stores it in 31 bits.
        numbersByPlace[place] = (number + Self.capacity) & Int(Int32.max)
        free.append(place)
    }

    /// Returns the remaining share of each decayed counter after a number of events.
    private static func factor(events: Int) -> SIMD4<Double> {
        events < factors.count ? factors[events] : SIMD4(halfLives.map { exp2(-Double(events) / $0) })
    }

    private static let factors = (0..<2_048).map { events in SIMD4(halfLives.map { exp2(-Double(events) / $0) }) }
}
