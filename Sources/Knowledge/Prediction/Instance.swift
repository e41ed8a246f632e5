internal import Glibc
internal import HunchModel

/// The evidence for each candidate at one moment: a sparse column of values for each kind of evidence.
///
/// Values that are equal for all candidates are omitted. They change neither the ranking nor the weights.
struct Instance: Sendable {
    /// The values of one kind of evidence.
    struct Column: Sendable {
        let slot: Int
        /// The entries of the candidates that have a value; all others have 0.
        let entries: Range<Int>
        /// The row that the values were counted in; `nil` for evidence that is not a context count.
        let row: CountRow?
    }

    private struct Entry: Sendable {
        let place: Int
        let value: Double
    }

    /// The candidates' numbers; −1 for unknown actions.
    let items: [Int]
    let situation: Situation
    /// The number of actions that the candidate −1 represents. All unknown actions are equally likely.
    let unknownCount: Int
    private(set) var columns: [Column] = []
    /// The values of all columns, one column after another.
    private var entries: [Entry] = []
    /// The candidates' scores; empty until ``score(_:)`` or ``take(_:)``.
    private(set) var scores: [Double] = []
    /// The softmax over the scores. For candidate −1, it is the probability of each action that it represents.
    private(set) var probabilities: [Double] = []

    /// The candidate at each place of the item table, or −1.
    private var places: [Int16]

    /// - Parameters:
    ///   - items: The candidates: each known one once, and −1 at most once.
    ///   - placeBound: One more than the greatest place in the item table.
    ///   - columnBound: The approximate number of columns.
    init(items: [Int], placeBound: Int, situation: Situation, unknownCount: Int, columnBound: Int) {
        self.items = items
        self.situation = situation
        self.unknownCount = unknownCount
        places = Array(repeating: -1, count: placeBound)
        for (place, number) in items.enumerated() where number >= 0 {
            places[ItemTable.place(number)] = Int16(place)
        }
        columns.reserveCapacity(columnBound)
        entries.reserveCapacity(items.count * 8)
    }

    /// Returns the index of an item among the candidates.
    func index(of number: Int) -> Int? {
        guard number >= 0, ItemTable.place(number) < places.count else { return nil }
        let place = Int(places[ItemTable.place(number)])
        return place >= 0 && items[place] == number ? place : nil
    }

    /// Adds a column of evidence, unless it stays empty.
    ///
    /// - Parameters:
    ///   - row: The row that the values were counted in.
    ///   - fill: Sets the candidates' values, with ``give(_:_:)``.
    mutating func add(_ slot: Int, row: CountRow? = nil, fill: (inout Instance) -> Void) {
        let start = entries.count
        fill(&self)
        guard entries.count > start else { return }
        columns.append(Column(slot: slot, entries: start..<entries.count, row: row))
    }

    /// Sets the value of a candidate, by its index, in the column being filled.
    mutating func give(_ place: Int, _ value: Double) { entries.append(Entry(place: place, value: value)) }

    /// Returns a candidate's value in a column.
    func value(_ column: Column, _ place: Int) -> Double {
        let entries = entries[column.entries]
        // In a column without gaps, the entry is at the candidate's index.
        if let entry = entries.dropFirst(place).first, entry.place == place { return entry.value }
        return entries.first { $0.place == place }?.value ?? 0
    }

    /// Computes the candidates' scores and probabilities from the weights, which are indexed by slot.
    mutating func score(_ weights: [Double]) {
        var scores = Array(repeating: 0.0, count: items.count)
        scores.withUnsafeMutableBufferPointer { scores in
            entries.withUnsafeBufferPointer { entries in
                for column in columns where weights[column.slot] != 0 {
                    let weight = weights[column.slot]
                    for index in column.entries { scores[entries[index].place] += weight * entries[index].value }
                }
            }
        }
        take(scores)
    }

    /// Sets the candidates' scores, and computes their probabilities.
    mutating func take(_ scores: [Double]) {
        self.scores = scores
        let greatest = scores.max() ?? 0
        probabilities = scores.map { exp($0 - greatest) }
        var sum = probabilities.reduce(0, +)
        if unknownCount > 1, let place = items.lastIndex(of: -1) {
            sum += Double(unknownCount - 1) * probabilities[place]
        }
        for place in probabilities.indices { probabilities[place] /= sum }
    }

    /// The index of the candidate with the greatest score; `nil` if several share it.
    var onlyBest: Int? {
        guard let greatest = scores.max(), let first = scores.firstIndex(of: greatest) else { return nil }
        return scores[(first + 1)...].contains(greatest) ? nil : first
    }

    /// Returns the candidates' scores under several models, one lane per model.
    ///
    /// - Parameter weights: Returns the models' weights of a kind of evidence.
    func scores(_ weights: (_ slot: Int) -> Mixture.Lanes) -> [Mixture.Lanes] {
        var scores = Array(repeating: Mixture.Lanes.zero, count: items.count)
        scores.withUnsafeMutableBufferPointer { scores in
            entries.withUnsafeBufferPointer { entries in
                for column in columns {
                    let weights = weights(column.slot)
                    for index in column.entries { scores[entries[index].place] += weights * entries[index].value }
                }
            }
        }
        return scores
    }

    /// Returns the dot product of a column and the candidates' factors, in every lane.
    func product(_ column: Column, _ factors: [Mixture.Lanes]) -> Mixture.Lanes {
        entries.withUnsafeBufferPointer { entries in
            factors.withUnsafeBufferPointer { factors in
                var sum = Mixture.Lanes.zero
                for index in column.entries { sum += factors[entries[index].place] * entries[index].value }
                return sum
            }
        }
    }
}
