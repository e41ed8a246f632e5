import Localization

/// The faults of the lines of a file. Each is shown once, at the first line that has it.
package struct LineFaults {
    private let limit: Int
    /// The number of further lines with each fault.
    private var repetitions: [String: Int] = [:]
    /// The shown faults, in their order.
    private var shown: [String] = []
    /// The number of lines with a fault.
    package private(set) var lines = 0

    /// - Parameter limit: the maximum number of faults that are shown.
    package init(limit: Int) { self.limit = limit }

    /// Notes the fault of a line, and shows one that no line had before.
    package mutating func note(_ fault: String, line: Int) {
        lines += 1
        if let count = repetitions[fault] { return repetitions[fault] = count + 1 }
        guard shown.count < limit else { return }
        repetitions[fault] = 0
        shown.append(fault)
        Output.complain(localized("line %1: %2", line, fault))
    }

    /// Shows how many further lines have the same faults.
    package func finish() {
        for fault in shown {
            guard let count = repetitions[fault], count > 0 else { continue }
            Output.complain(
                localizedPlural(
                    "%1 further line has this fault: %2", "%1 further lines have this fault: %2", count, fault))
        }
    }
}
