internal import HunchModel

/// Numbers words in the order of their first occurrence. All words are stored in one piece of memory, since an import
/// has a million of them.
struct WordTable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var slots = [Int32](repeating: -1, count: 1 << 16)

    var count: Int { ends.count - 1 }

    /// Returns the number of a word, adding it if it is new.
    mutating func number(of word: UnsafeBufferPointer<UInt8>) -> Int {
        if count * 2 >= slots.count { grow() }
        var slot = Self.hash(word) & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if isEqual(number, word) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = count
        slots[slot] = Int32(number)
        bytes.append(contentsOf: word)
        ends.append(bytes.count)
        return number
    }

    /// Returns the word with a number.
    func word(_ number: Int) -> ArraySlice<UInt8> { bytes[ends[number]..<ends[number + 1]] }

    /// All numbers, ordered by the bytes of their words.
    var sorted: [Int] {
        // Nearly all words differ within their first eight bytes, which are compared as one integer.
        var keys = (0..<count).map { number in
            var start: UInt64 = 0
            let word = word(number)
            for offset in 0..<8 {
                start = start << 8 | (offset < word.count ? UInt64(word[word.startIndex + offset]) : 0)
            }
            return (start, number)
        }
        keys.sort { one, other in
            one.0 != other.0 ? one.0 < other.0 : word(one.1).lexicographicallyPrecedes(word(other.1))
        }
        return keys.map(\.1)
    }

    private func isEqual(_ number: Int, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = ends[number]
        guard ends[number + 1] - start == word.count else { return false }
        for index in word.indices where bytes[start + index] != word[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for number in 0..<count {
            var slot = bytes[ends[number]..<ends[number + 1]].withUnsafeBufferPointer(Self.hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }

    /// Returns the 64-bit FNV-1a hash of a word, folded to 31 bits.
    private static func hash(_ word: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
    }
}
