internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// A progress bar on standard error. Shows nothing if standard error is not a terminal.
package struct ProgressBar {
    private let title: String
    private var shown = ""
    private var shownPercent: Int?
    private static let width = 30
    /// Whether a program reads the progress: a line “progress PERCENT REMARK” for each percent.
    private static let writesLines = ProcessInfo.processInfo.environment["HUNCH_PROGRESS"] == "lines"

    package init(_ title: String) { self.title = title }

    /// Shows a fraction 0…1 and a remark. Writes only if the percentage changed.
    package mutating func show(_ fraction: Double, _ remark: String) {
        guard Terminal.errors.isTerminal || Self.writesLines else { return }
        let fraction = min(max(fraction, 0), 1)
        let percent = Int(clamping: fraction * 100, .towardZero)
        guard percent != shownPercent else { return }
        shownPercent = percent
        if Self.writesLines {
            try? Output.write("progress \(percent) \(remark)\n", to: STDERR_FILENO)
            return
        }
        let filled = Int(clamping: fraction * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        shown = "\(title) \(bar) \(percent)% \(remark)".cut(to: max(1, Terminal.width(of: STDERR_FILENO) - 1))
        // Return to the start of the line, and clear the rest of a longer text.
        try? Output.write("\r\(shown)\u{1B}[K", to: STDERR_FILENO)
    }

    /// Removes the bar.
    package mutating func end() {
        guard !shown.isEmpty else { return }
        shown = ""
        shownPercent = nil
        try? Output.write("\r\u{1B}[K", to: STDERR_FILENO)
    }
}
