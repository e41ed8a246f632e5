import ArgumentParser
internal import HunchModel

/// Commands by what people type for them.
enum CommandNames {
    /// Commands that were renamed: “resume” sounded like resuming media.
    private static let renamed = ["resume": "unpause"]

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
                let meant =
                    renamed[word].map { "it is called “\(path) \($0)” now" }
                    ?? NearName.nearest(to: word, among: names).map { "did you mean “\(path) \($0)”?" }
                return "there is no command “\(path) \(word.cut(to: 60))”; \(meant ?? "see “\(path) --help”")"
            }
            command = next
            path += " \(word)"
        }
        return nil
    }
}
