import Browsers
import CommandSupport
import Directions
import Files
import FoundationEssentials
import Glibc
import HunchModel
import Localization

/// Everything that Hunch has put into a user's folders.
struct Belongings {
    /// A file, a link or a folder that belongs to Hunch.
    struct Item: Encodable {
        let path: String
        /// Its content in words.
        let content: String
    }

    let environment: [String: String]
    private let own: [Item]
    private let handler: LinkHandler
    private let browsers: [BrowserConnection]

    /// - Throws: ``CommandError`` without a home folder.
    init(environment: [String: String]) throws {
        self.environment = environment
        let folders = BaseDirectories(environment: environment)
        guard let data = folders.dataHome, let state = folders.stateHome, let cache = folders.cacheHome,
            let config = folders.configHome
        else {
            throw CommandError(localized("HOME is not set; set it to your home folder"), ExitStatus.systemFailure)
        }
        handler = LinkHandler(environment: environment)
        browsers = Browser.all.compactMap { BrowserConnection($0, environment: environment) }
        var own = [
            Item(path: "\(state)/hunch", content: localized("the history, the search index and the settings")),
            Item(path: "\(cache)/hunch", content: localized("covers, answers and other copies")),
        ]
        own += Self.placeFiles(in: "\(data)/hunch").map {
            Item(path: $0, content: localized("the places on this machine, and your own coverage files"))
        }
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            let marks = Self.names(in: runtime).filter { $0.hasPrefix("hunch-locker-") }
            own += (["hunch"] + marks).map {
                Item(path: "\(runtime)/\($0)", content: localized("marks of this session"))
            }
        }
        if let entry = AutostartEntry(environment: environment) {
            own.append(Item(path: entry.path, content: localized("the start at login")))
        }
        // The links of “systemctl --user enable”, which are left without a user manager.
        let units = "\(config)/systemd/user"
        own += Self.names(in: units).filter { $0.hasSuffix(".wants") }.map {
            Item(path: "\(units)/\($0)/hunchd.service", content: localized("the start at login"))
        }
        self.own = own
    }

    /// Returns the folder of the gazetteer. If the programs are installed in the home folder, their data lies in it, too:
    /// then only the user's files in it.
    private static func placeFiles(in folder: String) -> [String] {
        let installed = ["regions", "places", "browser-extension"]
        // Hunch itself writes neither of the last two.
        let isShared =
            installed.dropFirst().contains { exists("\(folder)/\($0)") }
            || installed.contains { name in
                SiblingProgram.data(name).map(ReplacementFile.resolved) == ReplacementFile.resolved("\(folder)/\(name)")
            }
        guard isShared else { return [folder] }
        return names(in: folder).filter { !installed.contains($0) }.map { "\(folder)/\($0)" }
    }

    /// The files, links and folders that are there now.
    var items: [Item] {
        own.filter { Self.exists($0.path) }
            + handler.traces.map { Item(path: $0, content: localized("the handler of links to places")) }
            + browsers.filter { Self.exists($0.file) }.map {
                Item(path: $0.file, content: localized("the connection of %1", $0.browser.name))
            }
    }

    /// Removes everything. Of a symbolic link, removes the link and not its target.
    ///
    /// - Throws: ``CommandError`` for a file that cannot be removed, `DirectionsError`, `BrowserConnection.Failure`.
    func remove() throws {
        try handler.removeTraces()
        for browser in browsers { _ = try browser.remove() }
        for item in own where Self.exists(item.path) {
            do {
                // Follows no links, at the path or below it.
                try FileManager.default.removeItem(atPath: item.path)
            } catch {
                // A program may have removed it while it ended.
                guard Self.exists(item.path) else { continue }
                throw CommandError(
                    localized("%1 cannot be removed: %2", item.path, "\(error)"), ExitStatus.systemFailure)
            }
        }
    }

    /// Whether a file or a link is there, also a link without a target.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        // −1: missing or not accessible.
        return lstat(path, &status) == 0
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
