internal import Glibc

/// The evidence for each candidate at one moment: a column of values for each kind of evidence that says anything.
struct Moment: Sendable {
    /// Where the values of a kind of evidence are.
    struct Column: Sendable {
        let slot: Int
        /// Where its values begin, one for each candidate; `nil` when they are 1 for what is marked and 0 for the others.
        let start: Int?
        let marked: [Int]
        /// What the values were counted in; `nil` for evidence that is no count of a context.
        let row: CountRow?
    }

    /// The candidates' numbers; −1 for actions that are not known.
    let items: [Int]
    let gate: Weights.Gate
    /// How many actions the candidate with the number −1 stands for: all that are not known are equally likely.
    let unknownCount: Int
    private(set) var columns: [Column] = []
    /// The values of all columns, one column after the other.
    private var values: [Double] = []
    /// Empty until they are asked for with ``score(_:)``.
    private(set) var scores: [Double] = []
    /// A softmax over the scores; that of the candidate −1 is the share of each action that it stands for.
    private(set) var probabilities: [Double] = []

    /// The place of each number among the candidates, or −1.
    private var places: [Int]

    /// - Parameters:
    ///   - items: the candidates, each known one once, and −1 at most once.
    ///   - numberBound: one more than the greatest number.
    ///   - columnBound: about how many columns there will be.
    init(items: [Int], numberBound: Int, gate: Weights.Gate, unknownCount: Int, columnBound: Int) {
        self.items = items
        self.gate = gate
        self.unknownCount = unknownCount
        places = Array(repeating: -1, count: numberBound)
        for (place, number) in items.enumerated() where number >= 0 { places[number] = place }
        values.reserveCapacity(items.count * columnBound)
        columns.reserveCapacity(columnBound + EvidenceSlot.rankBuckets.count + Learner.lengths.count)
    }

    /// The place of an item among the candidates.
    func index(of number: Int) -> Int? {
        guard places.indices.contains(number), places[number] >= 0 else { return nil }
        return places[number]
    }

    /// Adds evidence that is 1 for some candidates and 0 for the others.
    mutating func add(_ slot: Int, marking indices: [Int]) {
        columns.append(Column(slot: slot, start: nil, marked: indices, row: nil))
    }

    /// Adds evidence.
    ///
    /// - Parameters:
    ///   - value: of every candidate that `fill` does not give another.
    ///   - row: what it was counted in.
    ///   - fill: sets the values of candidates by their places.
    mutating func add(
        _ slot: Int, _ value: Double, row: CountRow? = nil, fill: (inout UnsafeMutableBufferPointer<Double>) -> Void
    ) {
        let start = values.count
        values.append(contentsOf: repeatElement(value, count: items.count))
        values.withUnsafeMutableBufferPointer { all in
            var column = UnsafeMutableBufferPointer(rebasing: all[start...])
            fill(&column)
        }
        columns.append(Column(slot: slot, start: start, marked: [], row: row))
    }

    /// What a column says of a candidate.
    func value(_ column: Column, _ place: Int) -> Double {
        column.start.map { values[$0 + place] } ?? (column.marked.contains(place) ? 1 : 0)
    }

    /// The mean value of a column, of candidates that are as likely as given.
    func mean(_ column: Column, _ probabilities: [Double]) -> Double {
        guard let start = column.start else { return column.marked.reduce(0) { $0 + probabilities[$1] } }
        return values.withUnsafeBufferPointer { values in
            probabilities.withUnsafeBufferPointer { probabilities in
                var sum = 0.0
                for place in probabilities.indices { sum += probabilities[place] * values[start + place] }
                return sum
            }
        }
    }

    /// Scores the candidates with weights by the evidence's place, and makes probabilities of the scores.
    mutating func score(_ weights: [Double]) {
        scores = scores(weights)
        probabilities = softmax(scores)
    }

    /// How likely each candidate is by these weights.
    func probabilities(_ weights: [Double]) -> [Double] { softmax(scores(weights)) }

    private func scores(_ weights: [Double]) -> [Double] {
        var scores = Array(repeating: 0.0, count: items.count)
        scores.withUnsafeMutableBufferPointer { scores in
            values.withUnsafeBufferPointer { values in
                for column in columns where weights[column.slot] != 0 {
                    let weight = weights[column.slot]
                    for place in column.marked { scores[place] += weight }
                    guard let start = column.start else { continue }
                    for place in scores.indices { scores[place] += weight * values[start + place] }
                }
            }
        }
        return scores
    }

    private func softmax(_ scores: [Double]) -> [Double] {
        let greatest = scores.max() ?? 0
        var exponentials = scores.map { exp($0 - greatest) }
        var sum = exponentials.reduce(0, +)
        if unknownCount > 1, let place = items.lastIndex(of: -1) {
            sum += Double(unknownCount - 1) * exponentials[place]
        }
        for place in exponentials.indices { exponentials[place] /= sum }
        return exponentials
    }
}
