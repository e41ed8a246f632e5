internal import HunchModel

/// Which context: up to four numbers as one of 64 bits. That two contexts of the thousands that are kept should have the
/// same one is as likely as one in 10¹¹.
struct ContextKey: Hashable, Sendable {
    private let bits: UInt64

    /// - Parameter first: what is told apart first: the action that came last, the name of a circumstance.
    init(_ first: UInt64) { bits = Self.mixed(first) }

    private init(bits: UInt64) { self.bits = bits }

    /// The context in which a further value holds.
    func with(_ value: UInt64) -> ContextKey { ContextKey(bits: Self.mixed(bits ^ value)) }

    /// The context in which both hold.
    func with(_ other: ContextKey) -> ContextKey { with(other.bits) }

    /// Where it belongs among so many, a power of two.
    func bucket(of count: Int) -> Int { Int(truncatingIfNeeded: bits) & (count - 1) }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): each bit of the input changes half of the output's.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// An action with a number of 64 bits that is made of it once, the same on every run, which Swift's own hashing is not.
struct HashedAction: Hashable, Sendable {
    let action: Action
    let number: UInt64

    init(_ action: Action) {
        self.action = action
        let parameters = action.parameters.reduce(0) { sum, parameter in
            // Their order says nothing.
            sum &+ TextHash.value(parameter.value, after: TextHash.value(parameter.key))
        }
        number = TextHash.value(action.kind.rawValue, after: TextHash.value(action.application)) ^ parameters
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

    /// - Parameter before: of a text that stands before this one.
    static func value(_ text: String, after before: UInt64 = basis) -> UInt64 {
        // The end of the text before, which no byte of UTF-8 is.
        var value = (before ^ 0xFF) &* prime
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* prime }
        return value
    }
}
