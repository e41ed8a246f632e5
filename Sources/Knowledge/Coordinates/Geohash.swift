/// Geohashes: base-32 digits, each of which halves the cell five times. The place is the centre of the cell.
///
/// Source: G. Niemeyer's geohash.org, "Tips & Tricks".
package enum Geohash {
    private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)
    private static let lengths = 1...12

    /// Returns the degrees of a code of 1 to 12 characters in any case; `nil` for any other text.
    package static func degrees(of code: some StringProtocol) -> (latitude: Double, longitude: Double)? {
        guard lengths.contains(code.utf8.count) else { return nil }
        return InterleavedCode(code.lowercased(), alphabet: alphabet, bitsPerDigit: 5, longitudeFirst: true)?
            .degrees(at: 0.5)
    }
}
