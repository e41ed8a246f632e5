/// What is wrong with coverage files, told briefly: a line for each file.
enum CoverageProblems {
    /// Tells the first problem of each file on standard error, and how many more there are.
    ///
    /// - Parameter problems: the path of a file, and what is wrong with it, which names the file.
    static func tell(_ problems: [(file: String, message: String)]) {
        var order: [String] = []
        var messages: [String: [String]] = [:]
        for problem in problems {
            if messages[problem.file] == nil { order.append(problem.file) }
            messages[problem.file, default: []].append(problem.message)
        }
        for file in order {
            guard let all = messages[file], let first = all.first else { continue }
            let more = all.count - 1
            let rest = " … and \(more) more problem\(more == 1 ? "" : "s"); see “\(validation(of: file))”"
            Output.complain(first + (more > 0 ? rest : ""))
        }
    }

    /// The command that tells all that is wrong with a file.
    static func validation(of file: String) -> String { "hunch regions validate \(ShellWord(file))" }
}
