extension DBusError {
    static func invalidName(_ kind: String, _ text: some StringProtocol, _ reason: String) -> DBusError {
        DBusError(.invalidArgs, "\(text.cutForMessage(80)) is not \(kind): \(reason)")
    }
}

/// The rules that bus, interface and member names share (D-Bus specification, "Valid names").
enum NameRule {
    static let maximumLength = 255

    static func isLetterOrUnderscore(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the reason why a dotted name is invalid, or `nil` if it is valid.
    static func fault(inDotted text: some StringProtocol, hyphens: Bool, leadingDigits: Bool, minimum: Int) -> String? {
        if text.utf8.count > maximumLength { return "it is longer than 255 bytes" }
        let elements = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        if elements.count < minimum { return "it needs at least \(minimum) elements separated by dots" }
        for element in elements {
            guard let first = element.first else { return "an element is empty" }
            if !leadingDigits, isDigit(first) { return "an element begins with a digit" }
            let allowed = element.allSatisfy {
                isLetterOrUnderscore($0) || isDigit($0) || (hyphens && $0 == 0x2D)
            }
            if !allowed { return "only letters, digits\(hyphens ? ", hyphens" : "") and underscores are allowed" }
        }
        return nil
    }
}

extension StringProtocol {
    /// Returns the beginning of the text for an error message. Cuts by bytes, because one character may be megabytes.
    package func cutForMessage(_ bytes: Int = 255) -> String { String(decoding: utf8.prefix(bytes), as: UTF8.self) }
}
