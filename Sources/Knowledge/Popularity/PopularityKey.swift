internal import HunchModel

/// The number by which all computers know the same public content.
public struct PopularityKey: Hashable, Sendable {
    /// The 64-bit FNV-1a hash of the content's name.
    public let hash: UInt64

    /// Creates a key from its hash.
    public init(hash: UInt64) { self.hash = hash }

    /// Creates the key of an app's content. Content with a web address is known by it, without its fragment, whatever app
    /// shows it.
    public init(address: String?, application: String, index: String, item: String) {
        let page = address.map { $0.prefix { $0 != "#" } } ?? ""
        let isWeb = ["https://", "http://"].contains { page.lowercased().hasPrefix($0) }
        hash = StableHash((isWeb ? String(page) : "\(application)\n\(index)\n\(item)").utf8).value
    }

    /// Returns the column of the key in a row of the sketch: the upper ten bits of SplitMix64 of the key and the row
    /// (Steele, Lea and Flood 2014).
    func column(inRow row: Int) -> Int {
        var mixed = hash &+ UInt64(row + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Int(mixed >> (64 - UInt64(PopularitySketch.columns.trailingZeroBitCount)))
    }
}
