internal import HunchModel

/// A check whether an IP address is on the public internet.
///
/// Source: the IANA registries of special-purpose addresses, RFC 6890, for IPv4 and IPv6.
enum NetworkAddress {
    private static let reserved4: [(prefix: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]
    /// Global unicast, except for the reserved blocks below.
    private static let global6: (prefix: [UInt8], bits: Int) = ([0x20], 3)
    private static let reserved6: [(prefix: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x01, 0x00], 23), ([0x3F, 0xFF, 0x00], 20),
    ]

    /// - Parameter bytes: four for IPv4, sixteen for IPv6, in network order.
    static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: return !reserved4.contains { matches(bytes, $0) }
        case 16:
            // An IPv4 address within an IPv6 address: mapped, translated (RFC 6052) or 6to4.
            if matches(bytes, ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96))
                || matches(bytes, ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96))
            {
                return isPublic(Array(bytes[12...]))
            }
            if matches(bytes, ([0x20, 0x02], 16)) { return isPublic(Array(bytes[2..<6])) }
            return matches(bytes, global6) && !reserved6.contains { matches(bytes, $0) }
        default: return false
        }
    }

    private static func matches(_ bytes: [UInt8], _ block: (prefix: [UInt8], bits: Int)) -> Bool {
        for (index, byte) in block.prefix.enumerated() {
            let bits = min(8, block.bits - 8 * index)
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            if bytes[index] & mask != byte & mask { return false }
        }
        return true
    }
}
