public import HunchModel

/// Creation of suggestion identifiers.
public enum SuggestionIdentifier {
    /// Returns a unique identifier: `s` and 25 random letters and digits, about 129 bits. All characters are valid in
    /// an element of a D-Bus object path.
    public static func make(using random: inout some RandomNumberGenerator) -> Suggestion.ID {
        var identifier = "s"
        // Each draw from the system's generator is a system call, so one draw provides several characters.
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
