internal import HunchModel

/// A position as pages write it in one text: `48.2;16.37`, `48.2, 16.37, 151`, `48,2; 16,37`, `geo:48.2,16.37`,
/// `48°12'29"N 16°22'25"E`.
struct WrittenPosition: Hashable {
    /// The texts of two numbers in degrees, with a point.
    let latitude, longitude: String

    /// Reads a text; `nil` if it has not two numbers, or if its commas may mean several things.
    init?(_ text: String) {
        var text = text.cut(toBytes: Self.longest)
        if text.lowercased().hasPrefix("geo:") { text = String(text.dropFirst(4).prefix { $0 != ";" && $0 != "?" }) }
        if text.contains("°") { text = Self.separated(text) }
        guard let parts = Self.parts(text), let latitude = Self.number(parts[0]), let longitude = Self.number(parts[1])
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    private static let longest = 128
    /// The marks of degrees, minutes and seconds.
    private static let units: Set<Character> = ["°", "'", "′", "’", "\"", "″", "”"]

    /// Returns a position with a semicolon at the letter of a hemisphere that is between its numbers.
    private static func separated(_ text: String) -> String {
        let isAfter = text.first?.isNumber ?? false
        let letters = isAfter ? "NS" : "EW"
        return String(text.flatMap { letters.contains($0) ? (isAfter ? "\($0);" : ";\($0)") : "\($0)" })
    }

    /// Returns degrees with minutes and seconds as one number; other texts as they are.
    private static func decimal(_ text: String) -> String {
        let parts = text.replacing(",", with: ".").split(whereSeparator: units.contains).map { Double($0) }
        guard text.contains("°"), parts.count == 2 || parts.count == 3, let degrees = parts[0], degrees >= 0,
            let minutes = parts[1], (0..<60).contains(minutes), let seconds = parts.count > 2 ? parts[2] : 0,
            (0..<60).contains(seconds)
        else { return text.replacing("°", with: "") }
        // Rounding once keeps the shortest text of the number.
        return "\((degrees * 3_600 + minutes * 60 + seconds) / 3_600)"
    }

    /// Divides a text into its numbers, of which a third is the altitude.
    private static func parts(_ text: String) -> [String]? {
        func trimmed(_ part: Substring) -> String {
            String(
                part.drop { $0.isWhitespace || $0 == "," }.reversed().drop { $0.isWhitespace || $0 == "," }.reversed())
        }
        func divided(_ isSeparator: (Character) -> Bool) -> [String] {
            text.split(whereSeparator: isSeparator).map(trimmed).filter { !$0.isEmpty }
        }
        for isSeparator in [{ ";/|".contains($0) }, \.isWhitespace] as [(Character) -> Bool] {
            let parts = divided(isSeparator)
            if parts.count == 2 || parts.count == 3 { return parts }
            guard parts.count < 2 else { return nil }
        }
        let parts = divided { $0 == "," }
        switch parts.count {
        case 2: return parts
        case 3 where parts[0].contains(".") && parts[1].contains("."): return parts
        // Four whole numbers are two with decimal commas.
        case 4 where !text.contains("."): return ["\(parts[0]).\(parts[1])", "\(parts[2]).\(parts[3])"]
        default: return nil
        }
    }

    /// Returns a number in degrees with a point, without its unit; `nil` if the text is not a number. The letter of a
    /// hemisphere may stand at either end.
    static func number(_ text: String) -> String? {
        var text = text.replacing("\u{2212}", with: "-").filter { !$0.isWhitespace }
        var sign = ""
        for letter in ["N", "E", "S", "W"] where text.hasPrefix(letter) || text.hasSuffix(letter) {
            text = text.replacing(letter, with: "")
            if letter == "S" || letter == "W" { sign = "-" }
            break
        }
        text = decimal(text)
        if !text.contains("."), text.count(where: { $0 == "," }) == 1 { text = text.replacing(",", with: ".") }
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), Double(text)?.isFinite == true,
            sign.isEmpty || !text.hasPrefix("-") && !text.hasPrefix("+")
        else { return nil }
        return sign + (text.hasPrefix("+") ? String(text.dropFirst()) : text)
    }
}
