internal import AgentInterface
package import ArgumentParser
internal import FoundationEssentials

/// The manual page in the macros of man(7).
package struct ManualPage {
    /// The parser's description of the commands.
    private struct Description: Decodable {
        let command: Command
    }

    /// A command.
    private struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    /// An argument or an option of a command.
    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let abstract: String?
    }

    private let root: Command
    private let description: String
    private let appendix: String

    /// Describes a command from its help texts.
    ///
    /// - Parameters:
    ///   - description: the section DESCRIPTION, in the macros.
    ///   - appendix: the sections after EXIT STATUS, in the macros.
    package init(of command: any ParsableCommand.Type, description: String, appendix: String) throws {
        let help = try JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
        root = help.command
        self.description = description
        self.appendix = appendix
    }

    /// The complete page.
    package var text: String {
        var page = """
            .TH \(root.commandName.uppercased()) 1 "" "Hunch \(Self.escaped(HunchVersion.text))" "User Commands"
            .SH NAME
            \(Self.escaped(root.commandName)) \\- \(Self.escaped(Self.withoutStop(root.abstract ?? "")))
            .SH SYNOPSIS
            .B \(Self.escaped(root.commandName))
            .I command
            [\\fIoptions\\fR]
            .SH DESCRIPTION
            \(description)
            .PP
            Every command has
            .BR \\-\\-help ,
            with an example. Commands that print information have
            .BR \\-\\-json .
            .SH COMMANDS

            """
        for command in root.subcommands ?? [] { page += Self.section(of: command, after: [root.commandName]) }
        return page + Self.exitStatus + appendix
    }

    private static func section(of command: Command, after parents: [String]) -> String {
        // Leave out the parser's own help command.
        guard command.shouldDisplay, command.commandName != "help" else { return "" }
        let names = parents + [command.commandName]
        let arguments = (command.arguments ?? []).filter { argument in
            argument.shouldDisplay && argument.names?.contains { ["help", "version"].contains($0.name) } != true
        }
        var text = ".SS \"\(escaped(names.joined(separator: " ")))\"\n\(escaped(command.abstract ?? ""))\n"
        if let discussion = command.discussion { text += paragraphs(discussion) }
        let subcommands = command.subcommands ?? []
        guard subcommands.isEmpty else {
            return text + subcommands.map { section(of: $0, after: names) }.joined()
        }
        for argument in arguments {
            text += ".TP\n\(form(of: argument))\n\(escaped(argument.abstract ?? ""))\n"
        }
        return text
    }

    /// Returns an argument as a user types it.
    private static func form(of argument: Argument) -> String {
        let value = "\\fI\(escaped(argument.valueName ?? "value"))\\fR"
        let dots = argument.isRepeating ? " ..." : ""
        let names = (argument.names ?? []).map { "\\fB\(escaped(($0.kind == "long" ? "--" : "-") + $0.name))\\fR" }
        switch argument.kind {
        case "positional": return argument.isOptional ? "[\(value)\(dots)]" : value + dots
        case "option": return "\(names.joined(separator: ", ")) \(value)\(dots)"
        default: return names.joined(separator: ", ")
        }
    }

    /// Formats a discussion: fills paragraphs, and keeps examples as they are.
    private static func paragraphs(_ discussion: String) -> String {
        var text = ""
        var isExample = false
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = line.hasPrefix("  ")
            if isIndented != isExample { text += isIndented ? ".PP\n.RS\n.nf\n" : ".fi\n.RE\n" }
            isExample = isIndented
            if line.isEmpty {
                text += ".PP\n"
            } else {
                text += escaped(isIndented ? String(line.dropFirst(2)) : String(line)) + "\n"
            }
        }
        return ".PP\n" + text + (isExample ? ".fi\n.RE\n" : "")
    }

    /// Escapes the formatter's commands in a text.
    package static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private static func withoutStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    private static let exitStatus = """
        .SH EXIT STATUS
        .TP
        .B 0
        Success.
        .TP
        .B 1
        Nothing was found.
        .TP
        .B 2
        The arguments or the input were invalid.
        .TP
        .B 3
        The agent or the system failed.
        .PP
        Standard error has the reason in one line. With
        .BR \\-\\-json ,
        standard output also has an object with the key
        .BR error .

        """
}
