public import HunchModel

/// Makes identifiers of suggestions.
public enum SuggestionIdentifier {
    /// An identifier that no other suggestion has, as far as chance goes: `s` and 25 letters and digits, about 129 bits.
    ///
    /// Fit for a D-Bus object path's element (letters, digits, underscores).
    public static func make(using random: inout some RandomNumberGenerator) -> Suggestion.ID {
        var identifier = "s"
        // A draw from the system's generator is a system call: one makes several characters.
        for count in [9, 8, 8] {
            var draw: UInt64 = random.next()
            for _ in 0..<count {
                identifier.unicodeScalars.append(alphabet[Int(draw % 36)])
                draw /= 36
            }
        }
        return identifier
    }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
}
