internal import Glibc

/// The evidence for each candidate at one moment: a column of values for each kind of evidence that says anything.
struct Moment: Sendable {
    struct Column: Sendable {
        let slot: Int
        var values: [Double]
        /// What the values were counted in; `nil` for evidence that is no count of a context.
        var row: CountTable.Row?
    }

    /// The candidates' numbers; −1 for an action that is not known.
    let items: [Int]
    let gate: Weights.Gate
    private(set) var columns: [Column] = []
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
        var values = Array(repeating: 0.0, count: items.count)
        for index in indices { values[index] = 1 }
        add(slot, values)
    }

    mutating func add(_ slot: Int, _ values: [Double], row: CountTable.Row? = nil) {
        columns.append(Column(slot: slot, values: values, row: row))
    }

    /// - Parameter weights: by the evidence's place.
    mutating func score(_ weights: [Double]) {
        scores = Array(repeating: 0, count: items.count)
        for column in columns where weights[column.slot] != 0 {
            let weight = weights[column.slot]
            for index in items.indices { scores[index] += weight * column.values[index] }
        }
        let greatest = scores.max() ?? 0
        let exponentials = scores.map { exp($0 - greatest) }
        let sum = exponentials.reduce(0, +)
        probabilities = exponentials.map { $0 / sum }
    }
}
