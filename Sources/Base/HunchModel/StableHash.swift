/// The 64-bit FNV-1a hash (Fowler, Noll, Vo). It is the same in every process, unlike Swift's `Hasher`.
public struct StableHash: Sendable {
    /// The hash value.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Hashes a sequence of bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// The hash in hexadecimal digits, for file names.
    public var digits: String { String(value, radix: 16) }
}
