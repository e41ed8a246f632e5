internal import Glibc
internal import HunchModel

/// The last actions in order, with the longest match between the latest ones and an earlier sequence. Bounded.
///
/// The action after the match is likely to come next, more so the longer the match. Hits and tries are counted by match
/// length. This is the match model of PAQ (Mahoney 2005).
struct RecentActions: Sendable {
    /// The longest common suffix of the histories at the current and an earlier position.
    struct Match: Hashable, Sendable {
        /// The number of latest actions that are the same in the same order, 1…40.
        let length: Int
        /// The number of the action that came next there.
        let next: Int
    }

    /// The most actions that are kept; a power of two.
    static let capacity = 4_096
    static let maximumLength = 40
    /// The most earlier positions of the last action to compare, the latest first.
    static let maximumPlaces = 64
    /// The match lengths that are counted together. The last bucket holds all greater lengths.
    static let lengthBuckets = [
        1..<2, 2..<3, 3..<4, 4..<5, 5..<6, 6..<7, 7..<9, 9..<13, 13..<21, 21..<33, 33..<maximumLength + 1,
    ]
    /// The shortest match that is used. For a single action, the n-grams already know as much.
    private static let leastLength = 2
    /// The decay factor per try in a bucket: about the last hundred count.
    private static let memory = 0.99
    private static let greatestProbability = 0.98

    private struct Entry: Sendable {
        let number: Int32
        /// The distance to the previous position of the same action; 0 if unknown.
        let back: Int32
    }

    /// A ring buffer, indexed by position modulo its capacity.
    private var entries: [Entry] = []
    /// The position of the next action, which is the number of actions so far.
    private var end = 0
    /// The position of each item's last use, by place in the item table.
    private var positions: [Int] = []
    private var hits = Array(repeating: 0.0, count: lengthBuckets.count)
    private var tries = Array(repeating: 0.0, count: lengthBuckets.count)
    /// The longest match of the last actions; `nil` if the last action is new, or if the action after the match is no
    /// longer known.
    private(set) var match: Match?

    var isEmpty: Bool { entries.isEmpty }

    /// The size in memory, in bytes.
    var byteCount: Int {
        Storage.bytes(of: entries) + Storage.bytes(of: positions) + Storage.bytes(of: hits) + Storage.bytes(of: tries)
    }

    /// Returns the numbers of the last actions, the latest first.
    func latest(_ count: Int) -> [Int] { (0..<min(count, entries.count)).map { number(end - 1 - $0) } }

    /// The log-odds that the action after the match comes next, −3.9…3.9; `nil` if the match is too short.
    var logOdds: Double? {
        guard let match, match.length >= Self.leastLength else { return nil }
        let bucket = Self.bucket(of: match.length)
        let probability = (hits[bucket] + 1) / (tries[bucket] + 2)
        let kept = min(max(probability, 1 - Self.greatestProbability), Self.greatestProbability)
        return log(kept / (1 - kept))
    }

    /// Counts whether the action after the match occurred.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the event's known actions.
    ///   - count: The number of all actions of the event. Each counts for an equal share of the try.
    mutating func learn(_ numbers: [Int], of count: Int) {
        guard let match else { return }
        let bucket = Self.bucket(of: match.length)
        tries[bucket] = tries[bucket] * Self.memory + 1
        hits[bucket] = hits[bucket] * Self.memory + (numbers.contains(match.next) ? 1 / Double(count) : 0)
    }

    /// Appends the actions of an event, and finds the longest match.
    mutating func append(_ numbers: [Int], _ items: ItemTable) {
        for number in numbers { append(number) }
        match = longestMatch().flatMap { items.holds($0.next) ? $0 : nil }
    }

    private mutating func append(_ number: Int) {
        let place = ItemTable.place(number)
        if place >= positions.count {
            positions += Array(repeating: -1, count: place + 1 - positions.count)
        }
        let last = positions[place]
        // The place may have belonged to another action.
        let isKnown = last >= end - entries.count && self.number(last) == number
        let entry = Entry(number: Int32(number), back: isKnown ? Int32(end - last) : 0)
        if entries.count < Self.capacity {
            // By default, an array doubles its storage past the capacity.
            if entries.count == entries.capacity {
                entries.reserveCapacity(min(max(entries.count * 2, 16), Self.capacity))
            }
            entries.append(entry)
        } else {
            entries[end & (Self.capacity - 1)] = entry
        }
        positions[place] = end
        end += 1
    }

    /// Returns the number of the action at a position in the ring.
    private func number(_ position: Int) -> Int { Int(entries[position & (Self.capacity - 1)].number) }

    /// Returns the match with the longest common past; the latest among equals.
    private func longestMatch() -> Match? {
        let first = end - entries.count
        var best: (length: Int, position: Int)?
        var position = end - 1
        for _ in 0..<Self.maximumPlaces where !entries.isEmpty {
            let back = Int(entries[position & (Self.capacity - 1)].back)
            position -= back
            guard back > 0, position >= first else { break }
            var length = 1
            while length < Self.maximumLength, position - length >= first,
                number(position - length) == number(end - 1 - length)
            {
                length += 1
            }
            if length > best?.length ?? 0 { best = (length, position) }
            if length == Self.maximumLength { break }
        }
        return best.map { Match(length: $0.length, next: number($0.position + 1)) }
    }

    private static func bucket(of length: Int) -> Int {
        lengthBuckets.firstIndex { $0.contains(length) } ?? lengthBuckets.count - 1
    }
}
