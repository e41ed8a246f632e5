internal import FoundationEssentials
internal import HunchModel

/// Counts the occurrences of each trigger that were followed by any action, and by each single one. Five songs after
/// connecting headphones are five actions, but one occurrence.
///
/// Bounded: 256 triggers, and 64 actions of each.
struct Occasions: Sendable {
    private static let triggerLimit = 256

    /// The occurrences of a trigger.
    private struct Row: Sendable {
        /// The time in seconds within which actions follow one occurrence of a trigger.
        private static let time = 300.0
        private static let actionLimit = 64

        private(set) var total = 0
        /// The number of occurrences by the number of the action.
        private(set) var counts: [UInt64: Int] = [:]
        /// The date of the first action of the last occurrence, and the numbers of all its actions.
        private var begin: Date?
        private var done: Set<UInt64> = []
        private(set) var touched = 0

        mutating func note(_ actions: [HashedAction], at date: Date?, clock: Int) {
            touched = clock
            let age = date.flatMap { date in begin.map { date.timeIntervalSince($0) } }
            if age.map({ !(0..<Self.time).contains($0) }) ?? true {
                total += 1
                (begin, done) = (date, [])
            }
            for action in actions where done.count < Self.actionLimit && done.insert(action.number).inserted {
                counts[action.number, default: 0] += 1
            }
            while counts.count > Self.actionLimit, let least = counts.min(by: { $0.value < $1.value }) {
                counts[least.key] = nil
            }
        }
    }

    private var rows: [Trigger: Row] = [:]
    private var clock = 0

    /// Counts actions. They must come in chronological order.
    ///
    /// - Parameter date: the date of the actions; `nil` if only the order is known. Then each is an occurrence of its own.
    mutating func note(_ actions: [HashedAction], after trigger: Trigger, at date: Date?) {
        clock += 1
        rows[trigger, default: Row()].note(actions, at: date, clock: clock)
        guard rows.count > Self.triggerLimit else { return }
        let middle = rows.values.map(\.touched).sorted()[rows.count / 2]
        rows = rows.filter { $0.value.touched >= middle }
    }

    /// Returns after how many occurrences of a trigger an action was done, and after how many anything was.
    func share(of action: Action, after trigger: Trigger?) -> Explanation.Share? {
        guard let trigger, let row = rows[trigger] else { return nil }
        return Explanation.Share(count: row.counts[HashedAction(action).number] ?? 0, total: row.total)
    }

    /// The size in memory, in bytes, without the texts of triggers.
    var byteCount: Int { Storage.bytes(of: rows) + rows.values.reduce(0) { $0 + Storage.bytes(of: $1.counts) } }
}
