/// The FNV-1a hash (Fowler, Noll, Vo) of 64 bits: the same in every process, unlike Swift's own.
public struct StableHash: Sendable {
    /// The hash of the bytes so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Hashes a sequence of bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// The hash in hexadecimal digits, as file names use it.
    public var digits: String { String(value, radix: 16) }
}
