internal import Glibc
internal import HunchModel

/// The evidence for each candidate at one moment: a column of values for each kind of evidence that says anything.
///
/// What a kind of evidence gives all candidates alike is left out: it changes neither who is likelier nor how weights move.
struct Moment: Sendable {
    /// Where the values of a kind of evidence are.
    struct Column: Sendable {
        let slot: Int
        /// Of the candidates that have a value; all others have 0.
        let entries: Range<Int>
        /// What the values were counted in; `nil` for evidence that is no count of a context.
        let row: CountRow?
    }

    private struct Entry: Sendable {
        let place: Int
        let value: Double
    }

    /// The candidates' numbers; −1 for actions that are not known.
    let items: [Int]
    let situation: Situation
    /// How many actions the candidate with the number −1 stands for: all that are not known are equally likely.
    let unknownCount: Int
    private(set) var columns: [Column] = []
    /// The values of all columns, one column after the other: a sparse matrix.
    private var entries: [Entry] = []
    /// Empty until they are asked for with ``score(_:)``.
    private(set) var scores: [Double] = []
    /// A softmax over the scores; that of the candidate −1 is the share of each action that it stands for.
    private(set) var probabilities: [Double] = []

    /// By place in the table of items, the place among the candidates, or −1.
    private var places: [Int16]

    /// - Parameters:
    ///   - items: the candidates, each known one once, and −1 at most once.
    ///   - placeBound: one more than the greatest place in the table of items.
    ///   - columnBound: about how many columns there will be.
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

    /// The place of an item among the candidates.
    func index(of number: Int) -> Int? {
        guard number >= 0, ItemTable.place(number) < places.count else { return nil }
        let place = Int(places[ItemTable.place(number)])
        return place >= 0 && items[place] == number ? place : nil
    }

    /// Adds evidence, if any candidate has some.
    ///
    /// - Parameters:
    ///   - row: what it was counted in.
    ///   - fill: gives candidates their values, with ``give(_:_:)``.
    mutating func add(_ slot: Int, row: CountRow? = nil, fill: (inout Moment) -> Void) {
        let start = entries.count
        fill(&self)
        guard entries.count > start else { return }
        columns.append(Column(slot: slot, entries: start..<entries.count, row: row))
    }

    /// Gives a candidate, by its place, a value in the column that is being filled.
    mutating func give(_ place: Int, _ value: Double) { entries.append(Entry(place: place, value: value)) }

    /// What a column says of a candidate.
    func value(_ column: Column, _ place: Int) -> Double {
        let entries = entries[column.entries]
        // Where all candidates have a value, it is at their place.
        if let entry = entries.dropFirst(place).first, entry.place == place { return entry.value }
        return entries.first { $0.place == place }?.value ?? 0
    }

    /// Scores the candidates with weights by the evidence's place, and makes probabilities of the scores.
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

    /// Takes over scores, and makes probabilities of them.
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

    /// The place of the candidate with the greatest score; `nil` where several have it.
    var onlyBest: Int? {
        guard let greatest = scores.max(), let first = scores.firstIndex(of: greatest) else { return nil }
        return scores[(first + 1)...].contains(greatest) ? nil : first
    }

    /// The candidates' scores by several models, a lane each.
    ///
    /// - Parameter weights: gives the models' weights of a kind of evidence.
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

    /// The sum of a column's values, each multiplied with what its candidate has, in every lane.
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
