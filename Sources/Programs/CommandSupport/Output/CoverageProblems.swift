import HunchModel
import Localization

/// The faults of coverage files, in one line for each file.
package enum CoverageProblems {
    /// Writes the first problem of each file to standard error, with the number of further ones.
    ///
    /// - Parameter problems: the path of each file, and a message that names the file.
    package static func tell(_ problems: [(file: String, message: String)]) {
        var order: [String] = []
        var messages: [String: [String]] = [:]
        for problem in problems {
            if messages[problem.file] == nil { order.append(problem.file) }
            messages[problem.file, default: []].append(problem.message)
        }
        for file in order {
            guard let all = messages[file], let first = all.first else { continue }
            let more = all.count - 1
            Output.complain(
                more == 0
                    ? first
                    : localizedPlural(
                        "%2 … and %1 more problem; see “%3”", "%2 … and %1 more problems; see “%3”", more, first,
                        validation(of: file)))
        }
    }

    /// Returns the command that lists all faults of a file.
    package static func validation(of file: String) -> String { "hunch regions validate \(ShellWord(file))" }
}
