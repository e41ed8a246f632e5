/// A square within a square of 100 km, given by the digits of a grid reference. The first half of the digits counts
/// eastwards, the second half northwards.
struct GridSquare: Hashable, Sendable {
    /// The metres from the south-west corner of the 100 km square to the centre of this one.
    let easting: Double
    let northing: Double
    /// The number of digits of both halves together.
    let digits: Int

    /// Reads one group of digits, or two of the same length.
    ///
    /// - Returns: `nil` if the tokens are anything else, or the number of digits is not one of `lengths`.
    init?(_ tokens: ArraySlice<GridToken>, digits lengths: Set<Int>) {
        let groups = tokens.map { $0.digits == 0 ? [] : Array($0.text.utf8) }
        guard groups.count == 1 || groups.count == 2 && groups[0].count == groups[1].count else { return nil }
        let digits = groups.flatMap { $0 }
        guard lengths.contains(digits.count), digits.count.isMultiple(of: 2) else { return nil }
        let half = digits.count / 2
        let size = (0..<half).reduce(100_000.0) { size, _ in size / 10 }
        easting = (Self.value(of: digits[..<half]) + 0.5) * size
        northing = (Self.value(of: digits[half...]) + 0.5) * size
        self.digits = digits.count
    }

    private static func value(of digits: ArraySlice<UInt8>) -> Double {
        digits.reduce(0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
    }
}
