/// Numbers with the marks of the user's language.
///
/// The catalogue has the marks, because numbers keep the C locale (``Catalogue/open(in:)``).
public enum LocalNumber {
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

    /// Returns a distance such as `8 km`, `1.5 km` or `400 m` with a space that does not break.
    ///
    /// - Parameter metres: 0 or more, limited to a million kilometres.
    public static func distance(_ metres: Double) -> String {
        let hundreds = Int(exactly: (min(max(metres, 0), 1e9) / 100).rounded()) ?? 0
        if hundreds < 10 { return "\(hundreds * 100)\u{A0}m" }
        let (kilometres, tenth) = hundreds.quotientAndRemainder(dividingBy: 10)
        if hundreds >= 100 || tenth == 0 { return "\(text((hundreds + 5) / 10))\u{A0}km" }
        return "\(kilometres)\(localizedIn("mark before decimals", "."))\(tenth)\u{A0}km"
    }

    /// Returns a size such as `12.3 MB` with a space that does not break; sizes below 1 MB in whole kilobytes.
    public static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000_000 else { return "\(text((bytes + 999) / 1_000))\u{A0}kB" }
        let tenths = bytes / 100_000
        return "\(text(tenths / 10))\(localizedIn("mark before decimals", "."))\(tenths % 10)\u{A0}MB"
    }
}
