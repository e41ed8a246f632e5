import ArgumentParser
import CommandSupport

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

    @Argument(help: "The program: the command or the agent.") var program = Program.hunch

    func run() throws {
        guard program == .hunch else { return try Output.write(DaemonManual.text, to: 1) }
        let page = try ManualPage(of: Hunch.self, description: Self.description, appendix: Self.appendix)
        try Output.write(page.text, to: 1)
    }

    private static let description = """
        Hunch suggests what you most likely want next: what to play when headphones connect, and how to get to the
        place that you look at. This command queries and controls its agent, and answers about places without it.
        """

    private static let appendix = """
        .SH FILES
        .TP
        .I ~/.local/share/hunch/regions
        Your own coverage files. They override the installed ones.
        .TP
        .I ~/.local/state/hunch
        The history and the settings.
        .TP
        .I ~/.local/share/hunch
        The gazetteer.
        .SH ENVIRONMENT
        .TP
        .BR XDG_DATA_HOME ", " XDG_DATA_DIRS ", " XDG_CONFIG_HOME ", " XDG_STATE_HOME ", " XDG_CACHE_HOME
        The folders of files.
        .TP
        .B NO_COLOR
        If set, the output has no colours.
        .TP
        .B HUNCH_LOG
        The lowest level that the agent logs.
        .SH SEE ALSO
        .BR hunchd (8),
        .BR xdg\\-open (1),
        .BR gdbus (1),
        .BR playerctl (1)

        """
}
