internal import Glibc

/// A program that the bus starts, without arguments of its own. It reports an error in one line on standard error.
public struct ServiceProgram: Sendable {
    private let name: String
    private let usage: String

    /// Describes a program.
    ///
    /// - Parameters:
    ///   - name: what it is called, as its lines on standard error begin.
    ///   - usage: what `--help` shows.
    public init(name: String, usage: String) {
        self.name = name
        self.usage = usage
    }

    /// Answers `--help` and `--version`, and refuses anything else.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code, 0 or for bad usage 2; `nil` without arguments: then it is to run.
    public func answer(_ arguments: [String]) -> Int32? {
        switch arguments {
        case []: return nil
        case ["--help"], ["-h"]: print(usage)
        case ["--version"]: print(HunchVersion.text)
        default:
            complain("unknown argument “\(arguments[0])”; see \(name) --help")
            return 2
        }
        return 0
    }

    /// Writes a line to standard error. What cannot be written there cannot be told elsewhere either.
    public func complain(_ message: String) {
        let line = Array("\(name): \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
