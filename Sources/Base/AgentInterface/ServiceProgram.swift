internal import Glibc

/// A program that the bus or the desktop starts. It takes no arguments of its own, and reports errors as single lines on standard error.
public struct ServiceProgram: Sendable {
    private let name: String
    private let usage: String

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - name: the name of the program, with which its lines on standard error begin.
    ///   - usage: the text that `--help` prints.
    public init(name: String, usage: String) {
        self.name = name
        self.usage = usage
    }

    /// Handles `--help` and `--version`, and rejects any other argument.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the exit code: 0, or 2 for wrong usage. `nil` without arguments: the program then runs.
    public func answer(_ arguments: [String]) -> Int32? {
        switch arguments {
        case []: return nil
        case ["--help"], ["-h"]: print(usage)
        case ["--version"]: print(HunchVersion.full)
        default:
            complain("unknown argument “\(arguments[0])”; see \(name) --help")
            return 2
        }
        return 0
    }

    /// Writes a line to standard error. Write errors are ignored, since there is no other place to report them.
    public func complain(_ message: String) {
        let line = Array("\(name): \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
