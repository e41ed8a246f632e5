import CommandReports
import ArgumentParser
import Browsers
import CommandSupport
import FoundationEssentials
import HunchModel
import Localization

/// `hunch browser`: lets browsers find Hunch's native messaging host.
struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser",
        abstract: localized("Let browsers tell Hunch what the page in front is about."),
        discussion: localized(
            """
            With Hunch's extension, a browser tells Hunch about the place, event or reservation of the page that you look at. \
            The extension only finds Hunch in a browser that this command has connected. The Debian package connects \
            Firefox, Chromium and Google Chrome for all users.

            Example:
              hunch browser install
              hunch browser status
            """),
        subcommands: [BrowserInstallCommand.self, BrowserRemoveCommand.self, BrowserStatusCommand.self])
}

/// The browsers that a command is about.
struct BrowserSelection: ParsableArguments {
    @Argument(
        help: .localized(
            "Browsers: firefox, chromium, chrome, brave, or the identifier of a Flatpak. Default: those that are installed.",
            valueName: "browser"))
    var browsers: [String] = []

    /// The connections of the browsers.
    ///
    /// - Parameter fallsBack: whether all known browsers are meant if none is named. Otherwise only those that are present.
    /// - Throws: ``CommandError`` for unknown names, and without a home folder.
    func connections(all fallsBack: Bool = false) throws -> [BrowserConnection] {
        let environment = ProcessInfo.processInfo.environment
        let all = Browser.all.compactMap { BrowserConnection($0, environment: environment) }
        guard !all.isEmpty else {
            throw CommandError(localized("HOME is not set; set it to your home folder"), ExitStatus.systemFailure)
        }
        guard !browsers.isEmpty else { return fallsBack ? all : all.filter(\.isPresent) }
        return try browsers.map { name in
            guard let connection = all.first(where: { $0.browser.id == name }) else {
                let names = all.map(\.browser.id).joined(separator: ", ")
                throw CommandError(localized("unknown browser “%1”; use one of %2", name, names), ExitStatus.badInput)
            }
            return connection
        }
    }
}

extension BrowserConnection {
    /// The state in words.
    var words: String {
        switch state {
        case .none: localized("not connected")
        case .user: localized("connected")
        case .system: localized("connected for all users")
        case .broken: localized("connected to a program that is missing; run “hunch browser install”")
        }
    }

    /// Writes the connections.
    static func list(_ connections: [BrowserConnection], json: Bool) throws {
        let items = connections.map { Fields(connection: $0) }
        try Table.list(items, json: json, localized("Browser"), localized("State")) {
            [$0.connection.browser.name, $0.connection.words]
        }
    }

    private struct Fields: Encodable {
        let connection: BrowserConnection

        func encode(to encoder: any Encoder) throws {
            let isSystem = connection.state == .system
            try BrowserReport(
                browser: connection.browser.id, name: connection.browser.name, present: connection.isPresent,
                state: connection.state.rawValue, manifest: isSystem ? connection.systemFile : connection.file
            ).encode(to: encoder)
        }
    }
}
