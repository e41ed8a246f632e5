import AgentInterface
import ArgumentParser
import FoundationEssentials

/// `hunch manual`: writes the manual pages for `make install`. The page of the command is made from the help texts.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual page hunch(1) or hunchd(8).",
        discussion: """
            Example:
              hunch manual > hunch.1
              hunch manual hunchd > hunchd.8
            """,
        shouldDisplay: false)

    /// A program with a manual page.
    enum Program: String, ExpressibleByArgument, CaseIterable {
        case hunch, hunchd
    }

    @Argument(help: "Whose page: the command's or the agent's.") var program = Program.hunch

    func run() throws {
        guard program == .hunch else { return try Output.write(DaemonManual.text, to: 1) }
        let described = try JSONDecoder().decode(ManualPage.Description.self, from: Data(Hunch._dumpHelp().utf8))
        try Output.write(ManualPage(described.command).text, to: 1)
    }
}

/// The manual page in the macros of man(7).
struct ManualPage {
    /// The parser's description of the commands.
    struct Description: Decodable {
        let command: Command
    }

    /// A command.
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    /// An argument or an option of a command.
    struct Argument: Decodable {
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

    init(_ root: Command) { self.root = root }

    /// The complete page.
    var text: String {
        var page = """
            .TH HUNCH 1 "" "Hunch \(Self.escaped(HunchVersion.text))" "User Commands"
            .SH NAME
            hunch \\- \(Self.escaped(Self.withoutStop(root.abstract ?? "")))
            .SH SYNOPSIS
            .B hunch
            .I command
            [\\fIoptions\\fR]
            .SH DESCRIPTION
            Hunch suggests what you most likely want next: what to play when headphones connect, and how to get to the
            place that you look at. This command asks and directs its agent, and answers about places without it.
            .PP
            Every command has
            .B \\-\\-help
            with an example, and those that tell something have
            .BR \\-\\-json .
            .SH COMMANDS

            """
        for command in root.subcommands ?? [] { page += Self.section(of: command, after: [root.commandName]) }
        return page + Self.end
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

    /// Returns an argument as a person types it.
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
    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private static func withoutStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    private static let end = """
        .SH EXIT STATUS
        .TP
        .B 0
        It was answered.
        .TP
        .B 1
        Nothing was found.
        .TP
        .B 2
        The usage or the input was wrong.
        .TP
        .B 3
        The agent or the system could not do its part.
        .PP
        What went wrong is one line on standard error, and with
        .B \\-\\-json
        also an object with the key
        .B error
        on standard output.
        .SH FILES
        .TP
        .I ~/.local/share/hunch/regions
        Coverage files of yours, which count before those that are installed.
        .TP
        .I ~/.local/state/hunch
        What is recorded, and what was set by command.
        .TP
        .I ~/.local/share/hunch
        The gazetteer.
        .SH ENVIRONMENT
        .TP
        .BR XDG_DATA_HOME ", " XDG_DATA_DIRS ", " XDG_CONFIG_HOME ", " XDG_STATE_HOME ", " XDG_CACHE_HOME
        Where files are looked for and kept.
        .TP
        .B NO_COLOR
        When it is set to anything, nothing is coloured.
        .TP
        .B HUNCH_LOG
        The least level that the agent logs.
        .SH SEE ALSO
        .BR hunchd (8),
        .BR xdg\\-open (1),
        .BR gdbus (1),
        .BR playerctl (1)

        """
}
