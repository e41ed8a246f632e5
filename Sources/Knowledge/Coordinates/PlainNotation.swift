internal import HunchModel

/// Converts digits of every script, full-width letters and signs, dashes and invisible marks to ASCII, as programs
/// expect them in numbers.
///
/// `５２．５２，１３．４０５` and `٥٢٫٥٢، ١٣٫٤٠٥` become `52.52,13.405`. For coordinates only: a text to geocode keeps its
/// letters.
package enum PlainNotation {
    /// Returns whether a text may contain a digit of any script. This is a quick test for most names.
    package static func mayHaveDigits(_ text: String) -> Bool {
        text.utf8.contains { $0.isASCIIDigit || mayBeginDigit($0) }
    }

    /// Returns whether a byte may begin the UTF-8 of an Arabic, N'Ko, Indic, South-East Asian or full-width digit, or
    /// of one beyond U+FFFF. Latin, Greek, Cyrillic, Chinese and Japanese letters begin with other bytes.
    private static func mayBeginDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xD9, 0xDB, 0xDF, 0xE0, 0xE1, 0xEA, 0xEF, 0xF0: true
        default: false
        }
    }

    /// Returns the text in ASCII notation. Characters without a counterpart stay.
    package static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                plain.append(scalar)
            } else if let counterpart = counterpart(of: scalar) {
                plain.append(counterpart)
            } else if scalar.properties.generalCategory != .format, scalar != arabicThousandsSeparator {
                plain.append(scalar)
            }
        }
        return String(plain)
    }

    private static let arabicThousandsSeparator: Unicode.Scalar = "\u{66C}"
    /// The full-width forms, in the order of ASCII.
    private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E
    private static let fullWidthOffset: UInt32 = 0xFEE0

    private static func counterpart(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "\u{66B}", "。", "｡": return "."
        case "،", "、": return ","
        // The apostrophe of Swiss numbers. After minutes, it equals the prime.
        case "’": return "'"
        // The minus sign, and the en dash and non-breaking hyphen that people use instead.
        case "\u{2212}", "\u{2013}", "\u{2011}": return "-"
        case _ where fullWidth.contains(scalar.value): return Unicode.Scalar(scalar.value - fullWidthOffset)
        default: break
        }
        let properties = scalar.properties
        if properties.generalCategory == .decimalNumber, let value = properties.numericValue {
            return Unicode.Scalar(UInt8(clamping: value) + UInt8(ascii: "0"))
        }
        return properties.isWhitespace ? " " : nil
    }
}
