/// Numbers with the marks of the user's language.
///
/// The catalogue has the marks, because numbers keep the C locale (``Catalogue/open(in:)``).
public enum LocalNumber {
    /// Not within another literal, where xgettext does not find it.
    private static var mark: String { localizedIn("mark before decimals", ".") }

    /// Returns a number with a mark between thousands, such as `1,234`.
    public static func text(_ number: Int) -> String {
        let digits = "\(number.magnitude)"
        guard digits.count > 3 else { return "\(number)" }
        let mark = localizedIn("mark between thousands", ",")
        var text = number < 0 ? "−" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += mark }
            text.append(digit)
        }
        return text
    }

    /// Returns a number of tenths with one decimal, such as `1,234.5`.
    ///
    /// - Parameter tenths: 0 or more.
    public static func decimal(tenths: Int) -> String {
        "\(text(tenths / 10))\(mark)\(tenths % 10)"
    }

    /// Returns a distance such as `8 km`, `1.5 km` or `400 m` with a space that does not break.
    ///
    /// - Parameter metres: 0 or more, limited to a million kilometres.
    public static func distance(_ metres: Double) -> String {
        let hundreds = Int(exactly: (min(max(metres, 0), 1e9) / 100).rounded()) ?? 0
        if hundreds < 10 { return "\(hundreds * 100)\u{A0}m" }
        if hundreds >= 100 || hundreds.isMultiple(of: 10) { return "\(text((hundreds + 5) / 10))\u{A0}km" }
        return "\(decimal(tenths: hundreds))\u{A0}km"
    }

    /// Returns a number as people and programs write it in input: `91` instead of `91.0`.
    public static func exact(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

    /// Returns a share of one with two decimals, such as `0.75`.
    public static func share(_ share: Double) -> String {
        let hundredths = Int(exactly: (min(max(share, 0), 1) * 100).rounded()) ?? 0
        let decimals = hundredths % 100
        return "\(hundredths / 100)\(mark)\(decimals < 10 ? "0" : "")\(decimals)"
    }

    /// Returns a size such as `12.3 MB` with a space that does not break; sizes below 1 MB in whole kilobytes.
    public static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000_000 else { return "\(text((bytes + 999) / 1_000))\u{A0}kB" }
        return "\(decimal(tenths: bytes / 100_000))\u{A0}MB"
    }
}
