/// A seeded random generator for property tests: the same seed gives the same values on every machine.
///
/// The algorithm is Sebastiano Vigna's SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>, public domain).
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of `seed`. Print the seed when a property fails, so that the failure can be repeated.
    public init(seed: UInt64) { state = seed }

    /// The next 64 uniformly distributed bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
