import Glibc

/// A bar on standard error while something takes long. Shows nothing where standard error is no terminal.
struct ProgressBar {
    private let title: String
    private var shown = ""
    private static let width = 30

    init(_ title: String) { self.title = title }

    /// Shows a fraction 0…1 and a remark; writes only when something changed.
    mutating func show(_ fraction: Double, _ remark: String) {
        guard Terminal.errors.isTerminal else { return }
        let filled = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let percent = "\(Int(fraction * 100))%"
        let text = "\(title) \(bar) \(percent) \(remark)".prefix(max(1, Terminal.width(of: STDERR_FILENO) - 1))
        guard text != shown else { return }
        shown = String(text)
        // Back to the start of the line, and clear what a longer text left.
        try? Output.write("\r\(shown)\u{1B}[K", to: STDERR_FILENO)
    }

    /// Takes the bar away.
    mutating func end() {
        guard !shown.isEmpty else { return }
        shown = ""
        try? Output.write("\r\u{1B}[K", to: STDERR_FILENO)
    }
}
