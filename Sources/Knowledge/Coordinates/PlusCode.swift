#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
package import HunchModel

/// An Open Location Code ("Plus Code"), as specified by the Open Location Code project.
///
/// Pairs of base-20 digits divide the world from 20 degrees down to 1/8000 degree. Further digits divide that cell
/// into 4 columns and 5 rows each. A short code omits leading digits, which are recovered from a nearby place.
package struct PlusCode: Hashable, Sendable {
    /// The code in upper case, padding included.
    package let text: String
    /// The digits without separator and padding, as values 0…19.
    private let digits: [UInt8]
    /// The number of leading digits that a short code omits; 0 for a full one.
    let missing: Int

    private static let alphabet = Array("23456789CFGHJMPQRVWX".utf8)
    private static let separatorPosition = 8
    private static let pairDigits = 10
    private static let maximumDigits = 15

    /// Whether the code is full, so that it means one area on Earth.
    var isFull: Bool { missing == 0 }

    /// Reads a code; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.uppercased().utf8)
        guard bytes.count <= Self.maximumDigits + 1, let separator = bytes.firstIndex(of: UInt8(ascii: "+")),
            separator <= Self.separatorPosition, separator % 2 == 0, separator > 0
        else { return nil }
        let head = bytes[..<separator]
        let tail = bytes[(separator + 1)...]
        let significant = head.prefix { $0 != UInt8(ascii: "0") }
        if significant.count < head.count {
            // Padding is allowed only in full codes, in pairs, up to the separator, with nothing after it.
            guard separator == Self.separatorPosition, significant.count % 2 == 0, !significant.isEmpty, tail.isEmpty,
                head.dropFirst(significant.count).allSatisfy({ $0 == UInt8(ascii: "0") })
            else { return nil }
        }
        guard tail.count != 1 else { return nil }
        var digits: [UInt8] = []
        for byte in significant + tail {
            guard let value = Self.alphabet.firstIndex(of: byte) else { return nil }
            digits.append(UInt8(value))
        }
        missing = Self.separatorPosition - separator
        if missing == 0 {
            // Latitudes end at 9 × 20 degrees, longitudes at 18 × 20.
            guard digits.count >= 2, digits[0] < 9, digits[1] < 18 else { return nil }
        }
        guard digits.count + missing <= Self.maximumDigits else { return nil }
        self.digits = digits
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// Creates the code of the area around a coordinate.
    ///
    /// - Parameter length: the number of digits, 2…15. An odd number below 10 is rounded up.
    package init(_ coordinate: Coordinate, length: Int = 10) {
        let count = min(max(length + (length < Self.pairDigits ? length % 2 : 0), 2), Self.maximumDigits)
        // Count in whole cells of the finest size, so that rounding changes no digit.
        let rowsPerDegree = 8_000.0 * 3_125
        let columnsPerDegree = 8_000.0 * 1_024
        var row = Int64(clamping: ((coordinate.latitude + 90) * rowsPerDegree * 1e6).rounded() / 1e6, .towardZero)
        var column = Int64(
            clamping: ((coordinate.longitude + 180) * columnsPerDegree * 1e6).rounded() / 1e6, .towardZero)
        row = min(row, Int64(clamping: 180 * rowsPerDegree) - 1)
        column %= Int64(clamping: 360 * columnsPerDegree)
        var digits = [UInt8](repeating: 0, count: Self.maximumDigits)
        for index in stride(from: Self.maximumDigits - 1, through: Self.pairDigits, by: -1) {
            digits[index] = UInt8(row % 5 * 4 + column % 4)
            row /= 5
            column /= 4
        }
        for index in stride(from: Self.pairDigits - 1, through: 1, by: -2) {
            digits[index] = UInt8(column % 20)
            digits[index - 1] = UInt8(row % 20)
            row /= 20
            column /= 20
        }
        self.init(digits: Array(digits[..<count]))
    }

    private init(digits: [UInt8]) {
        self.digits = digits
        missing = 0
        var bytes = digits.map { Self.alphabet[Int($0)] }
        while bytes.count < Self.separatorPosition { bytes.append(UInt8(ascii: "0")) }
        bytes.insert(UInt8(ascii: "+"), at: Self.separatorPosition)
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The centre of the area of a full code; `nil` for a short one.
    package var center: Coordinate? {
        guard isFull else { return nil }
        var (south, west) = (-90.0, -180.0)
        var (height, width) = (400.0, 400.0)
        for (index, digit) in digits.enumerated() {
            if index >= Self.pairDigits {
                height /= 5
                width /= 4
                south += height * Double(digit / 4)
                west += width * Double(digit % 4)
            } else if index % 2 == 0 {
                height /= 20
                south += height * Double(digit)
            } else {
                width /= 20
                west += width * Double(digit)
            }
        }
        let middle = { (value: Double) in (value * 1e10).rounded() / 1e10 }
        return try? Coordinate(latitude: min(middle(south + height / 2), 90), longitude: middle(west + width / 2))
    }

    /// Returns the full code nearest to a place for a short code, or the full code itself.
    package func recovered(near reference: Coordinate) -> PlusCode {
        guard !isFull else { return self }
        // The size of the area that the missing digits select, in degrees.
        let cell = pow(20, 2 - Double(missing) / 2)
        let prefix = PlusCode(reference).digits.prefix(missing)
        let nearby = PlusCode(digits: Array(prefix) + digits)
        guard let center = nearby.center else { return nearby }
        var (latitude, longitude) = (center.latitude, center.longitude)
        if reference.latitude + cell / 2 < latitude, latitude - cell >= -90 {
            latitude -= cell
        } else if reference.latitude - cell / 2 > latitude, latitude + cell <= 90 {
            latitude += cell
        }
        if reference.longitude + cell / 2 < longitude {
            longitude -= cell
        } else if reference.longitude - cell / 2 > longitude {
            longitude += cell
        }
        guard let moved = try? Coordinate(latitude: latitude, longitude: longitude) else { return nearby }
        return PlusCode(moved, length: prefix.count + digits.count)
    }
}
