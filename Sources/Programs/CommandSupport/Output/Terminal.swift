internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// The abilities of an output: columns and colours on a terminal, plain text elsewhere.
package struct Terminal {
    /// Whether the output is a terminal.
    package let isTerminal: Bool
    /// Whether to use colours: on a terminal, unless `NO_COLOR` is set (https://no-color.org).
    package let hasColours: Bool

    /// Standard output.
    package static let output = Terminal(STDOUT_FILENO)
    /// Standard error.
    package static let errors = Terminal(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        let environment = ProcessInfo.processInfo.environment
        isTerminal = isatty(descriptor) == 1
        hasColours = isTerminal && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
    }

    /// Returns the columns of the terminal at a descriptor; 80 if unknown.
    package static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        // −1 on failure: it is not a terminal.
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The blocks of characters that take two columns: East Asian Wide and Fullwidth, and emoji.
    ///
    /// Source: EastAsianWidth.txt of Unicode 15, with the gaps inside blocks left out.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF,
        0x1B000...0x1B2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF,
        0x20000...0x3FFFD,
    ]

    /// Returns the columns of a text on a terminal: two for wide characters, none for combining marks.
    package static func columns(of text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + columns(of: $1) } }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Returns the text, or its beginning and “…” if it takes more columns.
    package static func cut(_ text: String, toColumns limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        var result = String.UnicodeScalarView()
        var left = limit - 1
        for scalar in text.unicodeScalars {
            left -= columns(of: scalar)
            guard left >= 0 else { break }
            result.append(scalar)
        }
        return String(result) + "…"
    }

    /// Returns a heading or a name in bold. The text must be safe; see ``Output/plain(_:)``.
    package func bold(_ text: String) -> String { styled(text, "1") }

    /// Returns an explanation in dim colours. The text must be safe; see ``Output/plain(_:)``.
    package func dim(_ text: String) -> String { styled(text, "2") }

    private func styled(_ text: String, _ style: String) -> String {
        let text = Output.plain(text)
        return hasColours ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}
