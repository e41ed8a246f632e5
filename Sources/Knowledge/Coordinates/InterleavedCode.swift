internal import HunchModel

/// Codes with interleaved bits of longitude and latitude: OpenStreetMap's short links, Organic Maps' codes and
/// geohashes.
package struct InterleavedCode {
    /// The leading bits of the longitude, counted from 180° west: a fraction of 360°.
    package private(set) var longitude: UInt64 = 0
    private(set) var longitudeBits = 0
    /// The leading bits of the latitude, counted from the south pole: a fraction of 180°.
    package private(set) var latitude: UInt64 = 0
    package private(set) var latitudeBits = 0

    /// The maximum number of bits of each angle. Further bits are smaller than a micrometre on Earth.
    private static let maximumBits = 60

    /// Reads the bits of digits, most significant first.
    ///
    /// - Returns: `nil` if a character is not a digit, or there are too many.
    package init?(_ text: some StringProtocol, alphabet: [UInt8], bitsPerDigit: Int, longitudeFirst: Bool) {
        guard !text.isEmpty, text.utf8.count * bitsPerDigit <= 2 * Self.maximumBits else { return nil }
        var isLongitude = longitudeFirst
        for byte in text.utf8 {
            guard let digit = alphabet.firstIndex(of: byte) else { return nil }
            for shift in stride(from: bitsPerDigit - 1, through: 0, by: -1) {
                let bit = UInt64(digit >> shift & 1)
                if isLongitude {
                    longitude = longitude << 1 | bit
                    longitudeBits += 1
                } else {
                    latitude = latitude << 1 | bit
                    latitudeBits += 1
                }
                isLongitude.toggle()
            }
        }
    }

    /// Returns whether a code looks like the name of a page, such as `download` or `About`: it has only letters, and
    /// only the first may be a capital. Fewer than one in a thousand codes of ten characters look like that.
    package static func isLikeWord(_ code: some StringProtocol) -> Bool {
        code.utf8.allSatisfy(\.isASCIILetter) && code.utf8.dropFirst().allSatisfy { $0 >= UInt8(ascii: "a") }
    }

    /// Returns the degrees of a point within the cell of the code: 0 is its south-west corner, 0.5 its centre.
    package func degrees(at fraction: Double) -> (latitude: Double, longitude: Double) {
        let rows = Double(sign: .plus, exponent: latitudeBits, significand: 1)
        let columns = Double(sign: .plus, exponent: longitudeBits, significand: 1)
        return (
            (Double(latitude) + fraction) / rows * 180 - 90, (Double(longitude) + fraction) / columns * 360 - 180
        )
    }
}
