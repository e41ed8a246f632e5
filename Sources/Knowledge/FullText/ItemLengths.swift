internal import Glibc
internal import HunchModel

/// The lengths of an item's texts in words, rounded so that they fit into the number of its row.
///
/// A search compares thousands of items. Reading their lengths from a table, as FTS5's own functions do, took most of its time,
/// and each one may be an access to the disk.
package struct ItemLengths {
    /// The number of bits in the number of a row.
    package static let bits = 13
    private static let (titleBits, nameBits, textBits) = (4, 2, 7)
    /// The representative lengths of names, and the longest ones for which they stand.
    private static let names: [(length: Double, longest: Int)] = [(0, 0), (3, 6), (12, 20), (40, .max)]
    /// The lengths of texts are rounded to powers of 2 with this part as exponent.
    private static let textSteps = 8.0

    /// The lengths in one number.
    package let code: Int

    /// Rounds lengths in words.
    package init(title: Int, names: Int, text: Int) {
        let title = min(title, 1 << Self.titleBits - 1)
        let names = Self.names.firstIndex { names <= $0.longest } ?? 0
        let steps = (Self.textSteps * log2(Double(max(text, 1)))).rounded()
        let text = min(Int(clamping: steps), 1 << Self.textBits - 1)
        code = (title << Self.nameBits | names) << Self.textBits | text
    }

    /// Takes the lengths from the number of a row.
    init(row: Int64) { code = Int(truncatingIfNeeded: row) & (1 << Self.bits - 1) }

    var title: Double { Double(code >> (Self.textBits + Self.nameBits)) }
    var names: Double { Self.names[code >> Self.textBits & (1 << Self.nameBits - 1)].length }
    var text: Double { exp2(Double(code & (1 << Self.textBits - 1)) / Self.textSteps) }
}
