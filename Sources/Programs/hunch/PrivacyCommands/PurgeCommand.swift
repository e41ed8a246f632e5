import ArgumentParser
import CommandSupport
import FoundationEssentials
import HunchDBus
import Localization

/// `hunch purge`: removes everything that Hunch keeps and has set up for the user.
struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: localized("Remove all that Hunch keeps and has set up for you, after asking."),
        discussion: localized(
            """
            Ends Hunch's programs, and removes the history, the search index, the settings, the places and your own \
            coverage files, the start at login, the handler of links and the connections of browsers. It lists what it \
            would remove and asks first. “hunch export” keeps a copy. It removes no programs, which the package manager or \
            “make uninstall” does.

            It follows no symbolic links: of a link it removes only the link. Exit code 1: there is nothing to remove, or \
            you declined.

            Example:
              hunch purge
              hunch purge --yes --json
            """))

    @Flag(help: .localized("Remove everything without asking."))
    var yes = false

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let removed: [Belongings.Item]
    }

    func run() async throws {
        let belongings = try Belongings(environment: ProcessInfo.processInfo.environment)
        let items = belongings.items
        guard !items.isEmpty else {
            throw CommandError(localized("your folders contain no files of Hunch"), ExitStatus.nothingFound)
        }
        guard yes || Terminal.canAsk else {
            throw CommandError(
                localized("purge needs a terminal to ask; say --yes to remove everything without asking"),
                ExitStatus.badInput, code: "notConfirmed")
        }
        if !json {
            try Output.line(localized("Hunch's programs end, and this is removed for good:"))
            // No table: it would cut the paths at a terminal's width.
            for item in items { try Output.line("  \(item.path) (\(item.content))") }
        }
        guard try yes || TerminalQuestion.confirm(localized("Remove all of this?")) else {
            throw CommandError(localized("nothing was removed"), ExitStatus.nothingFound)
        }
        try await RunningPrograms.end(environment: belongings.environment)
        try belongings.remove()
        if json { return try Output.raw(Output.json(Fields(removed: items))) }
        try Output.line(
            localized(
                "Everything is removed. The programs stay: “sudo apt purge hunch” or “make uninstall” removes them."))
    }
}
