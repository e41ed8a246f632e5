extension Learner {
    /// What the learner takes in memory, in bytes, for its tables, actions and weights: their storage as Swift lays it
    /// out, without what the allocator adds. At most 7 MB beside the texts of 1,024 actions: it is 0.05 to 1 MB for most
    /// people, and 1.7 MB for one who does 3,000 different things.
    public var byteCount: Int {
        MemoryLayout<Self>.size + items.byteCount + calibration.byteCount + mixture.byteCount
            + recent.byteCount + returns.byteCount + Storage.bytes(of: tables) + tables.reduce(0) { $0 + $1.byteCount }
    }
}

/// What collections take in memory.
enum Storage {
    /// The header of an object on the heap and an array's count and capacity.
    private static let header = 32

    static func bytes<Element>(of array: [Element]) -> Int {
        array.capacity == 0 ? 0 : header + array.capacity * MemoryLayout<Element>.stride
    }

    /// A hash table fills three quarters of a power of two of buckets, each with a bit.
    static func bytes<Key, Value>(of dictionary: [Key: Value]) -> Int {
        guard dictionary.capacity > 0 else { return 0 }
        var buckets = 1
        while buckets * 3 / 4 < dictionary.capacity { buckets *= 2 }
        return header + buckets * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride) + buckets / 8
    }

    /// What a text takes beside its own 16 bytes.
    static func bytes(of text: String) -> Int { text.utf8.count <= 15 ? 0 : header + text.utf8.count + 1 }
}
