internal import HunchModel

/// The occurrences of a word in one segment of the gazetteer: the ranks of places, ascending, with the role of the
/// word in each.
///
/// They are stored in blocks of at most ``blockSize`` entries. An entry is a variable-length integer (LEB128): the
/// difference to the previous rank, times four, plus the ``Role``. In the first entry, the difference is 0; the table
/// has the first rank of each block.
package struct Postings {
    /// The role of a word in a place.
    package enum Role: UInt8, Comparable {
        /// The word is in the address, not in a name.
        case context = 0
        /// The word is a whole name.
        case onlyWord = 1
        /// The word is in a name of two words.
        case oneOfTwo = 2
        /// The word is in a longer name.
        case oneOfMore = 3

        /// - Parameter words: the number of words of the name.
        package init(words: Int) { self = words == 1 ? .onlyWord : words == 2 ? .oneOfTwo : .oneOfMore }

        package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
    }

    /// The maximum number of places of a block.
    package static let blockSize = 1_024

    /// The ranks, ascending.
    private(set) var ranks: [UInt32] = []
    private(set) var roles: [Role] = []

    var count: Int { ranks.count }

    /// Appends a place. If it is the last one already, it keeps the better role.
    mutating func append(_ rank: UInt32, _ role: Role) {
        if ranks.last == rank {
            roles[roles.count - 1] = Self.better(roles[roles.count - 1], role)
        } else {
            ranks.append(rank)
            roles.append(role)
        }
    }

    /// Returns the better of two roles: a word in a name before one in the address, then a word in a shorter name.
    static func better(_ one: Role, _ other: Role) -> Role {
        one == .context ? other : other == .context ? one : min(one, other)
    }

    /// Adds the places of a block.
    ///
    /// - Parameter first: the first rank of the block.
    /// - Returns: `false` if the block is corrupt. Its readable part was added.
    mutating func append(block: UnsafeRawBufferPointer, first: UInt32) -> Bool {
        var rank = first
        var index = 0
        while index < block.count {
            var value: UInt32 = 0
            var shift: UInt32 = 0
            while true {
                guard index < block.count, shift < 32 else { return false }
                let byte = block[index]
                index += 1
                value |= UInt32(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            let (next, overflow) = rank.addingReportingOverflow(value >> 2)
            guard !overflow, let role = Role(rawValue: UInt8(value & 3)) else { return false }
            rank = next
            append(rank, role)
        }
        return true
    }

    /// Returns the bytes of a block of entries.
    ///
    /// - Parameter entries: rank times four plus role, ascending.
    package static func block(_ entries: ArraySlice<UInt32>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 2)
        var last = (entries.first ?? 0) >> 2
        for entry in entries {
            var value = ((entry >> 2) - last) << 2 | entry & 3
            last = entry >> 2
            while value >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
                value >>= 7
            }
            bytes.append(UInt8(value))
        }
        return bytes
    }

    /// Returns the role of the word in a place; `nil` if the place does not have the word.
    func role(of rank: UInt32) -> Role? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if ranks[middle] < rank { low = middle + 1 } else { high = middle }
        }
        return low < count && ranks[low] == rank ? roles[low] : nil
    }

    /// Returns the union. Places in both get the better role.
    func union(_ other: Postings) -> Postings {
        if ranks.isEmpty { return other }
        if other.ranks.isEmpty { return self }
        var result = Postings()
        result.ranks.reserveCapacity(count + other.count)
        result.roles.reserveCapacity(count + other.count)
        var (left, right) = (0, 0)
        while left < count || right < other.count {
            if right == other.count || left < count && ranks[left] <= other.ranks[right] {
                result.append(ranks[left], roles[left])
                left += 1
            } else {
                result.append(other.ranks[right], other.roles[right])
                right += 1
            }
        }
        return result
    }
}
