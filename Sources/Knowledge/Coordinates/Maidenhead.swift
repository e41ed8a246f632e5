internal import HunchModel

/// Maidenhead locators of radio amateurs: `JO62qm`. The place is the centre of the field.
///
/// Source: IARU Region 1, "VHF Managers Handbook": fields of 20° by 10°, squares of 2° by 1°, subsquares of 5′ by
/// 2.5′, then tenths and twenty-fourths in turn.
enum Maidenhead {
    private static let firstDivisor = 18
    private static let letterDivisor = 24
    private static let digitDivisor = 10

    /// Returns the degrees of a locator of 4, 6, 8 or 10 characters in any case; `nil` for any other text.
    static func degrees(of code: ArraySlice<UInt8>) -> (latitude: Double, longitude: Double)? {
        guard [4, 6, 8, 10].contains(code.count) else { return nil }
        var (longitude, latitude, width) = (-180.0, -90.0, 360.0)
        for (index, byte) in code.enumerated() {
            let pair = index / 2
            let divisor = pair == 0 ? firstDivisor : pair.isMultiple(of: 2) ? letterDivisor : digitDivisor
            let value = pair.isMultiple(of: 2) ? letterValue(byte) : digitValue(byte)
            guard let value, value < divisor else { return nil }
            if index.isMultiple(of: 2) {
                width /= Double(divisor)
                longitude += Double(value) * width
            } else {
                // A field is half as high as wide, in degrees.
                latitude += Double(value) * width / 2
            }
        }
        return (latitude + width / 4, longitude + width / 2)
    }

    /// Returns whether a code cannot mean anything else. Six characters in capitals may be a British postcode without
    /// its space (EH1 1AA), so the last two letters must be small. Four characters may be a road or a flight.
    static func isUnmistakable(_ code: ArraySlice<UInt8>) -> Bool {
        guard code.count == 6 else { return code.count > 6 }
        let isCapital = { (byte: UInt8) in byte.isASCIILetter && byte & 0x20 == 0 }
        return code.prefix(2).allSatisfy(isCapital) && !code.suffix(2).contains(where: isCapital)
    }

    private static func letterValue(_ byte: UInt8) -> Int? { byte.isASCIILetter ? Int(byte | 0x20) - 0x61 : nil }
    private static func digitValue(_ byte: UInt8) -> Int? { byte.isASCIIDigit ? Int(byte) - 0x30 : nil }
}
