import ArgumentParser

/// Commands by what people type for them.
enum CommandNames {
    /// What is wrong where a command is wanted and a word stands that is none, with the one that it is most like.
    ///
    /// - Parameter arguments: those of the `hunch` command.
    /// - Returns: one sentence without a full stop; `nil` when the commands are all there are.
    static func fault(in arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = Hunch.self
        var path = "hunch"
        for word in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, command.configuration.defaultSubcommand == nil, !word.hasPrefix("-"), word != "help"
            else { return nil }
            guard let next = known.first(where: { $0.configuration.commandName == word }) else {
                let names = known.compactMap { $0.configuration.commandName }
                let meant = nearest(to: word, among: names).map { "did you mean “\(path) \($0)”?" }
                return "there is no command “\(path) \(word.prefix(60))”; \(meant ?? "see “\(path) --help”")"
            }
            command = next
            path += " \(word)"
        }
        return nil
    }

    /// The name that takes the fewest typing errors to become the word, if those are few; else one that it begins.
    static func nearest(to word: String, among names: [String]) -> String? {
        let word = Array(word.lowercased().prefix(40))
        let near = names.map { (name: $0, errors: errors(word, Array($0))) }.min { $0.errors < $1.errors }
        if let near, near.errors <= max(1, min(word.count, near.name.count) / 3) { return near.name }
        return word.count < 3 ? nil : names.first { $0.hasPrefix(String(word)) }
    }

    /// How many characters were left out, put in, mistaken or swapped with the next: the distance of optimal string
    /// alignment.
    private static func errors(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                var least = min(last[column + 1], next[column]) + 1
                least = min(least, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
