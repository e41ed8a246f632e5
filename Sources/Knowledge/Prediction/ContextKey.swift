internal import HunchModel

/// A 64-bit hash of up to four numbers that identifies a context. Among the thousands of contexts kept, the probability
/// that any two collide is about one in 10¹¹.
struct ContextKey: Hashable, Sendable {
    private let bits: UInt64

    /// - Parameter first: The first value to hash, such as the last action or the name of a circumstance.
    init(_ first: UInt64) { bits = Self.mixed(first) }

    private init(bits: UInt64) { self.bits = bits }

    /// Returns the key of this context combined with a further value.
    func with(_ value: UInt64) -> ContextKey { ContextKey(bits: Self.mixed(bits ^ value)) }

    /// Returns the key of both contexts combined.
    func with(_ other: ContextKey) -> ContextKey { with(other.bits) }

    /// Returns the hash bucket for this key. `count` must be a power of two.
    func bucket(of count: Int) -> Int { Int(truncatingIfNeeded: bits) & (count - 1) }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): each input bit changes half of the output bits.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// An action with a precomputed 64-bit hash. Unlike Swift's own hashing, it is the same in every run.
struct HashedAction: Hashable, Sendable {
    let action: Action
    let number: UInt64

    init(_ action: Action) {
        self.action = action
        let parameters = action.parameters.reduce(0) { sum, parameter in
            // The sum does not depend on the order of the parameters.
            sum &+ TextHash.value(parameter.value, after: TextHash.value(parameter.key))
        }
        number = TextHash.value(action.kind.rawValue, after: TextHash.value(action.application.rawValue)) ^ parameters
    }

    static func == (left: HashedAction, right: HashedAction) -> Bool {
        left.number == right.number && left.action == right.action
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
enum TextHash {
    private static let basis: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3

    /// - Parameter before: The hash of the preceding text.
    static func value(_ text: String, after before: UInt64 = basis) -> UInt64 {
        // 0xFF separates the texts: it never occurs in UTF-8.
        var value = (before ^ 0xFF) &* prime
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* prime }
        return value
    }
}
