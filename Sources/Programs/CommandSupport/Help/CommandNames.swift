package import ArgumentParser
internal import HunchModel
internal import Localization

/// The names of commands that people type.
package enum CommandNames {
    /// Commands that were renamed: “resume” sounded like resuming media.
    private static let renamed = ["resume": "unpause"]

    /// Returns the error for an unknown command, with the most similar one.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the command.
    ///   - root: the command.
    /// - Returns: one sentence without a full stop; `nil` if all commands exist.
    package static func fault(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        var command = root
        var path = root._commandName
        for word in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = known.first(where: { $0.configuration.commandName == word }) else {
                let names = known.compactMap { $0.configuration.commandName }
                let unknown = "\(path) \(word.cut(to: 60))"
                if let name = renamed[word] {
                    return localized("there is no command “%1”; it is called “%2” now", unknown, "\(path) \(name)")
                }
                guard let name = NearName.nearest(to: word, among: names) else {
                    // It may be an argument of the default command.
                    guard command.configuration.defaultSubcommand == nil else { return nil }
                    return localized("there is no command “%1”; see “%2”", unknown, "\(path) --help")
                }
                return localized("there is no command “%1”; did you mean “%2”?", unknown, "\(path) \(name)")
            }
            command = next
            path += " \(word)"
        }
        return nil
    }
}
