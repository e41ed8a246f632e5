import FoundationEssentials
import Glibc
internal import HunchModel

/// How text may look where it is shown: in columns and colours on a terminal, plain elsewhere.
struct Terminal {
    /// Whether a person sees it at once.
    let isTerminal: Bool
    /// Whether colours may be used: on a terminal, unless `NO_COLOR` is set; https://no-color.org.
    let hasColours: Bool

    /// Standard output.
    static let output = Terminal(STDOUT_FILENO)
    /// Standard error.
    static let errors = Terminal(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        let environment = ProcessInfo.processInfo.environment
        isTerminal = isatty(descriptor) == 1
        hasColours = isTerminal && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
    }

    /// Characters in a line of the terminal at the descriptor; 80 when unknown.
    static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        // -1 on failure: then it is no terminal.
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// What stands out: headings, names. The text is as ``Output/plain(_:)`` makes it.
    func bold(_ text: String) -> String { styled(text, "1") }

    /// What explains. The text is as ``Output/plain(_:)`` makes it.
    func dim(_ text: String) -> String { styled(text, "2") }

    private func styled(_ text: String, _ style: String) -> String {
        let text = Output.plain(text)
        return hasColours ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}
