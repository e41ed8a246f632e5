extension Learner {
    /// The size of the learner's tables, actions and weights in memory, in bytes: their storage as Swift lays it out,
    /// without the allocator's overhead. At most 7 MB plus the texts of 1,024 actions. It is 0.05 to 1 MB for most
    /// people, and 1.7 MB for a user with 3,000 different actions.
    public var byteCount: Int {
        MemoryLayout<Self>.size + items.byteCount + calibration.byteCount + mixture.byteCount
            + recent.byteCount + returns.byteCount + occasions.byteCount + Storage.bytes(of: tables)
            + tables.reduce(0) { $0 + $1.byteCount }
    }
}

/// The sizes of collections in memory.
enum Storage {
    /// The size of a heap object's header with an array's count and capacity.
    private static let header = 32

    static func bytes<Element>(of array: [Element]) -> Int {
        array.capacity == 0 ? 0 : header + array.capacity * MemoryLayout<Element>.stride
    }

    /// Returns the size of a hash table: a power of two of buckets, three quarters full, with one bit for each.
    static func bytes<Key, Value>(of dictionary: [Key: Value]) -> Int {
        guard dictionary.capacity > 0 else { return 0 }
        var buckets = 1
        while buckets * 3 / 4 < dictionary.capacity { buckets *= 2 }
        return header + buckets * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride) + buckets / 8
    }

    /// Returns the size of a text in addition to its own 16 bytes.
    static func bytes(of text: String) -> Int { text.utf8.count <= 15 ? 0 : header + text.utf8.count + 1 }
}
