/// Folds letters for comparing words: lower case, without marks.
///
/// Marks are removed from Latin, Greek, Hebrew and Arabic letters. “ß”, “þ” and “ĳ” become the two letters that replace
/// them on other keyboards. “æ” and “œ” become one, since the gazetteer drops the “e” of “ae” and “oe”.
package enum LetterFolding {
    /// One or two scalars. The second is 0 if there is only one. Both are 0 for a scalar to remove.
    package struct Result {
        package var first: UInt32
        package var second: UInt32 = 0
    }

    private static let bases: [(base: String, letters: String)] = [
        ("a", "ªàáâãäåāăąǎǟǡǻȁȃȧạảấầẩẫậắằẳẵặ"), ("b", "ḃḅḇɓ"), ("c", "çćĉċčḉ"), ("d", "ďđḋḍḏḑḓɖɗð"),
        ("e", "èéêëēĕėęěȅȇȩẹẻẽếềểễệəǝ"), ("f", "ḟ"), ("g", "ĝğġģǧǵḡ"), ("h", "ĥħȟḣḥḧḩḫẖ"),
        ("i", "ìíîïĩīĭįıǐȉȋịỉ"), ("j", "ĵǰ"), ("k", "ķǩḱḳḵƙ"), ("l", "ĺļľłŀḷḹḻḽ"), ("m", "ḿṁṃ"),
        ("n", "ñńņňǹŉṅṇṉṋŋ"), ("o", "ºòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱọỏốồổỗộớờởỡợ"), ("p", "ṕṗ"), ("r", "ŕŗřȑȓṙṛṝṟ"),
        ("s", "śŝşšșṡṣṥṧṩſ"), ("t", "ţťŧțṫṭṯṱẗ"), ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗụủứừửữự"), ("v", "ṽṿ"),
        ("w", "ŵẁẃẅẇẉẘ"), ("x", "ẋẍ"), ("y", "ýÿŷȳẏẙỳỵỷỹ"), ("z", "źżžẑẓẕ"),
        ("ss", "ß"), ("a", "æǽ"), ("o", "œ"), ("th", "þ"), ("ij", "ĳ"),
        ("α", "άὰᾶ"), ("ε", "έὲ"), ("η", "ήὴῆ"), ("ι", "ίϊΐὶῖ"), ("ο", "όὸ"), ("υ", "ύϋΰὺῦ"), ("ω", "ώὼῶ"), ("σ", "ς"),
        ("е", "ё"), ("ا", "أإآٱ"), ("ه", "ة"), ("ي", "ى"),
    ]

    private static let tableSize = 0x1F80
    private static let table: [UInt64] = {
        var table = [UInt64](repeating: 0, count: tableSize)
        func set(_ letter: Unicode.Scalar, _ base: String) {
            let scalars = Array(base.unicodeScalars)
            guard letter.value < tableSize else { return }
            table[Int(letter.value)] = UInt64(scalars[0].value) | UInt64(scalars.count > 1 ? scalars[1].value : 0) << 32
        }
        for (base, letters) in bases {
            for letter in letters.unicodeScalars {
                set(letter, base)
                let capital = letter.properties.uppercaseMapping.unicodeScalars
                if let only = capital.first, capital.count == 1, !only.isASCII { set(only, base) }
            }
        }
        // The lower case of the dotted capital I has two scalars.
        set("İ", "i")
        return table
    }()

    /// Returns the folding of a scalar beyond ASCII; `nil` for a word separator, and zero for a scalar to remove.
    package static func folded(_ scalar: Unicode.Scalar) -> Result? {
        let value = scalar.value
        if value < tableSize {
            let known = table[Int(value)]
            if known != 0 { return Result(first: UInt32(known & 0xFFFF_FFFF), second: UInt32(known >> 32)) }
        }
        switch value {
        case 0x300...0x36F, 0x591...0x5BD, 0x5BF...0x5C2, 0x5C4...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670, 0x640,
            0x200C...0x200D, 0x02BB...0x02BC:
            return Result(first: 0)
        case 0x410...0x42F, 0x391...0x3A1, 0x3A3...0x3A9: return Result(first: value + 0x20)
        case 0x400...0x40F: return Result(first: value + 0x50)
        // Full-width forms of ASCII.
        case 0xFF10...0xFF19, 0xFF41...0xFF5A: return Result(first: value - 0xFEE0)
        case 0xFF21...0xFF3A: return Result(first: value - 0xFEC0)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .decimalNumber:
            return Result(first: scalar.properties.numericValue.map { 0x30 + UInt32(clamping: $0) } ?? value)
        case .uppercaseLetter, .titlecaseLetter:
            let small = scalar.properties.lowercaseMapping.unicodeScalars
            let first = small.first?.value ?? value
            // The small letter may be folded itself: that of “ẞ” is “ß”.
            if first != value, let scalar = Unicode.Scalar(first), small.count == 1 { return folded(scalar) }
            return Result(first: first)
        case .lowercaseLetter, .modifierLetter, .otherLetter, .letterNumber, .otherNumber, .privateUse,
            .nonspacingMark, .spacingMark:
            return Result(first: value)
        default: return nil
        }
    }
}

extension LetterFolding {
    /// Returns the letters that replace a scalar beyond ASCII: `ae` for “æ”, none for a mark; `nil` for a word separator.
    package static func letters(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar {
        case "æ", "Æ": return ["a", "e"]
        case "œ", "Œ": return ["o", "e"]
        default: break
        }
        guard let result = folded(scalar) else { return nil }
        return [result.first, result.second].filter { $0 != 0 }.compactMap(Unicode.Scalar.init)
    }
}
