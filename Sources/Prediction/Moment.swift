internal import Glibc

/// The evidence for each candidate at one moment: a column of values for each kind of evidence that says anything.
struct Moment: Sendable {
    struct Column: Sendable {
        let slot: Int
        /// A value for each candidate; or empty, and the values are 1 for those that are marked and 0 for the others.
        let values: [Double]
        let marked: [Int]
        /// What the values were counted in; `nil` for evidence that is no count of a context.
        let row: CountTable.Row?

        func value(_ place: Int) -> Double { values.isEmpty ? (marked.contains(place) ? 1 : 0) : values[place] }

        /// The mean value, of candidates that are as likely as given.
        func mean(_ probabilities: [Double]) -> Double {
            if values.isEmpty { return marked.reduce(0) { $0 + probabilities[$1] } }
            var mean = 0.0
            for (probability, value) in zip(probabilities, values) { mean += probability * value }
            return mean
        }
    }

    /// The candidates' numbers; −1 for an action that is not known.
    let items: [Int]
    let gate: Weights.Gate
    private(set) var columns: [Column] = []
    /// Empty until they are asked for with ``score(_:)``.
    private(set) var scores: [Double] = []
    /// A softmax over the scores.
    private(set) var probabilities: [Double] = []

    /// The place of each number among the candidates, or −1.
    private var places: [Int]

    /// - Parameters:
    ///   - items: the candidates, each known one once.
    ///   - numberBound: one more than the greatest number.
    init(items: [Int], numberBound: Int, gate: Weights.Gate) {
        self.items = items
        self.gate = gate
        places = Array(repeating: -1, count: numberBound)
        for (place, number) in items.enumerated() where number >= 0 { places[number] = place }
    }

    /// The place of an item among the candidates.
    func index(of number: Int) -> Int? {
        guard places.indices.contains(number), places[number] >= 0 else { return nil }
        return places[number]
    }

    /// Adds evidence that is 1 for some candidates and 0 for the others.
    mutating func add(_ slot: Int, marking indices: [Int]) {
        columns.append(Column(slot: slot, values: [], marked: indices, row: nil))
    }

    mutating func add(_ slot: Int, _ values: [Double], row: CountTable.Row? = nil) {
        columns.append(Column(slot: slot, values: values, marked: [], row: row))
    }

    /// Scores the candidates with weights by the evidence's place, and makes probabilities of the scores.
    mutating func score(_ weights: [Double]) {
        scores = scores(weights)
        probabilities = Self.softmax(scores)
    }

    /// How likely each candidate is by these weights.
    func probabilities(_ weights: [Double]) -> [Double] { Self.softmax(scores(weights)) }

    private func scores(_ weights: [Double]) -> [Double] {
        var scores = Array(repeating: 0.0, count: items.count)
        for column in columns where weights[column.slot] != 0 {
            let weight = weights[column.slot]
            for place in column.marked { scores[place] += weight }
            for (place, value) in column.values.enumerated() { scores[place] += weight * value }
        }
        return scores
    }

    private static func softmax(_ scores: [Double]) -> [Double] {
        let greatest = scores.max() ?? 0
        let exponentials = scores.map { exp($0 - greatest) }
        let sum = exponentials.reduce(0, +)
        return exponentials.map { $0 / sum }
    }
}
