/// Geohashes: digits in base 32 of which each halves the world five times. The place is the middle of the cell.
///
/// Source: G. Niemeyer's geohash.org, "Tips & Tricks".
enum Geohash {
    private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)
    private static let lengths = 1...12

    /// Returns the degrees of a code of 1 to 12 characters in any case; `nil` when the text is none.
    static func degrees(of code: some StringProtocol) -> (latitude: Double, longitude: Double)? {
        guard lengths.contains(code.utf8.count) else { return nil }
        return InterleavedCode(code.lowercased(), alphabet: alphabet, bitsPerDigit: 5, longitudeFirst: true)?
            .degrees(at: 0.5)
    }
}
