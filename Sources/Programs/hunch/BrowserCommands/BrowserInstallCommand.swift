import ArgumentParser
import Browsers
import CommandSupport
import FoundationEssentials
import HunchModel
import Localization

/// `hunch browser install`.
struct BrowserInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: localized("Connect browsers to Hunch."),
        discussion: localized(
            """
            Writes a file into the browser's settings that names Hunch's program for the extension. It changes nothing \
            else, and “hunch browser remove” removes the file. Then add the extension in the browser.

            Exit code 1: no known browser is installed.

            Example:
              hunch browser install
              hunch browser install firefox
            """))

    @OptionGroup var selection: BrowserSelection

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    func run() throws {
        let host = SiblingProgram(name: "hunch-browser")
        guard let program = host.path else {
            throw CommandError(
                localized("hunch-browser is not installed beside this program; install Hunch again"),
                ExitStatus.systemFailure)
        }
        let connections = try selection.connections()
        guard !connections.isEmpty else {
            throw CommandError(
                localized("no known browser is installed; name one of them, such as “hunch browser install firefox”"),
                ExitStatus.nothingFound)
        }
        for connection in connections { try connection.install(program: program) }
        try BrowserConnection.list(connections, json: json)
        if !json { Self.advise(connections, extensionFolder: SiblingProgram.data("browser-extension")) }
    }

    /// Writes what is left to do in the browsers.
    private static func advise(_ connections: [BrowserConnection], extensionFolder folder: String?) {
        for flatpak in connections.compactMap(\.browser.flatpak) {
            Output.complain(
                localized(
                    "%1 runs in a sandbox. This lets it start Hunch, and any other program: flatpak override --user --talk-name=org.freedesktop.Flatpak %1",
                    flatpak.rawValue))
        }
        guard let folder else { return }
        let families = Set(connections.map(\.browser.family))
        if families.contains(.chromium) {
            Output.complain(
                localized(
                    "to add the extension, open chrome://extensions, switch on “Developer mode”, choose “Load unpacked”, and select %1",
                    folder))
        }
        if families.contains(.firefox) {
            Output.complain(
                localized(
                    "to add the extension in Firefox, install the package webext-hunch, or load %1 from about:debugging until Firefox ends",
                    folder + "/manifest.json"))
        }
    }
}

/// `hunch browser remove`.
struct BrowserRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: localized("Disconnect browsers from Hunch."),
        discussion: localized(
            """
            Removes the files that “hunch browser install” wrote. It does not remove the extension, which no longer finds \
            Hunch then, nor files of a package.

            Exit code 1: no browser was connected.

            Example:
              hunch browser remove
              hunch browser remove firefox
            """))

    @OptionGroup var selection: BrowserSelection

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    func run() throws {
        let removed = try selection.connections(all: true).filter { try $0.remove() }
        try BrowserConnection.list(removed, json: json)
        guard removed.isEmpty else { return }
        throw CommandError(localized("no browser was connected by “hunch browser install”"), ExitStatus.nothingFound)
    }
}

/// `hunch browser status`.
struct BrowserStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: localized("Show which browsers are connected to Hunch."),
        discussion: localized(
            """
            Exit code 1: none is connected.

            Example:
              hunch browser status --json
            """))

    @OptionGroup var selection: BrowserSelection

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    func run() throws {
        let connections = try selection.connections()
        try BrowserConnection.list(connections, json: json)
        guard !connections.contains(where: { [.user, .system].contains($0.state) }) else { return }
        throw CommandError(
            localized("no browser is connected; “hunch browser install” connects them"), ExitStatus.nothingFound)
    }
}
