import Foundation
import HunchDBus
import TestSupport
import Testing

/// Content of two apps, found in the search of real desktops and opened in the apps, which did not run.
@Suite("Search of the desktop", .serialized, .timeLimit(.minutes(15)))
struct SearchDesktopTests {
    private func picture(_ name: String, _ world: SearchWorld) -> String {
        "\(Pictures.folder ?? world.home.directory.path)/\(name).png"
    }

    @Test("GNOME Shell finds items of apps that do not run, and opens them")
    func gnome() async throws {
        try await withTemporaryHome { home in
            let world = try SearchWorld(home)
            try await withGnomeShell(dataFolder: home.systemData, serviceDirectories: [world.services]) { shell in
                let bus = shell.bus
                try await world.fill(bus)
                try await shell.waitForProvider(SearchWorld.provider)
                let results = try await search("zanzib", shell, count: 1)
                #expect(results.map(\.name) == ["Zanzibar itinerary"])
                #expect(results.first?.description.contains(" · The lantern and lantern") == true)
                try await shell.chooseFirst(of: SearchWorld.provider)
                try await world.waitForReport("open note-4711 for zanzib")

                _ = try await search("orchard meadow", shell, count: 5)
                try await shell.screenshot(to: picture("search-gnome", world))
                // All results are of one app, which continues searches.
                try await reported("search orchard meadow", world) {
                    try await shell.continueSearch(in: SearchWorld.provider)
                }

                // The file is lost, and the apps rebuild it.
                try await world.endApps(bus)
                let path = home.directory.file("state/hunch/index.sqlite")
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
                try await shell.search("kilimanjaro")
                #expect(try await shell.results(of: SearchWorld.provider).isEmpty)
                try await world.waitForItems(bus)
                try await world.endApps(bus)
                let rebuilt = try await search("kilimanjaro night", shell, count: 1)
                #expect(rebuilt.map(\.name) == ["Kilimanjaro by night"])
                try await shell.chooseFirst(of: SearchWorld.provider)
                try await world.waitForReport("open episode-4711 for kilimanjaro night")

                try await openFromWindow(shell, world)

                // Nothing is found while Hunch is paused, and nothing forgotten is in any file.
                try await world.hunch(bus, "pause")
                try await shell.search("zanzibar")
                #expect(try await shell.results(of: SearchWorld.provider).isEmpty)
                try await world.hunch(bus, "unpause")
                try await world.hunch(bus, "forget", "--app", "org.example.Podcasts", "--yes")
                try expectNowhere("ilimanjaro", in: home.directory.file("state"))
                try await shell.search("kilimanjaro")
                #expect(try await shell.results(of: SearchWorld.provider).isEmpty)
            }
        }
    }

    /// Searches until a number of results is there: on a busy machine, the agent may leave out what takes too long.
    private func search(_ text: String, _ shell: GnomeShell, count: Int) async throws -> [GnomeShell.Result] {
        try await eventually("\(count) results for “\(text)”", because: "they are left out if they come too late") {
            try await shell.search(text)
            let results = try await shell.results(of: SearchWorld.provider)
            if results.count == count { return results }
            try await shell.endSearch()
            return nil
        }
    }

    /// Opens an item from the window, whose app gets a token to come to the front.
    private func openFromWindow(_ shell: GnomeShell, _ world: SearchWorld) async throws {
        let environment = world.home.environment.merging([
            "GSETTINGS_BACKEND": "memory", "XDG_DATA_DIRS": "\(world.home.systemData):/usr/local/share:/usr/share",
        ]) { $1 }
        let name = SearchWorld.provider
        try await shell.withProgram(builtProduct("hunch-settings"), environment: environment, name: name) { window in
            try await withConnection(to: shell.bus) { connection in
                let () = try await connection.call(
                    BusName(name), "/org/hunch/Settings", "org.freedesktop.Application", "ActivateAction", "find",
                    [Value.string("zanzibar")], VariantMap())
                try await window.press("push button", "Open Zanzibar itinerary")
                try await world.waitForReport("open note-4711 for zanzibar with a token")
            }
        }
    }

    /// Chooses the first match for a text in KRunner, again if it came too late.
    private func choose(
        _ text: String, with key: String, _ report: String, _ runner: KRunner, _ world: SearchWorld
    ) async throws {
        try await reported(report, world) {
            try await runner.query(text)
            try await runner.press(key)
        } again: {
            // KRunner asks again only for another text, or in a new session.
            try await runner.close()
        }
    }

    /// Repeats an action until the app reports the expected result: on a busy machine, an app may start too late.
    private func reported(
        _ report: String, _ world: SearchWorld, _ action: () async throws -> Void, again: () async throws -> Void = {}
    ) async throws {
        try await eventually("“\(report)”", because: "what comes too late is left out") {
            try await action()
            let isReported: Void? = try? await eventually(
                report, within: .seconds(10), because: "the app writes to a file"
            ) { world.reports().contains(report) ? () : nil }
            if isReported == nil { try await again() }
            return isReported
        }
    }

    private func expectNowhere(_ word: String, in folder: String) throws {
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        #expect(files.contains { $0.hasSuffix("index.sqlite") })
        for file in files {
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(file)")
        }
    }

    @Test("KRunner finds items of apps that do not run, and opens them")
    func plasma() async throws {
        try await withTemporaryHome { home in
            let world = try SearchWorld(home)
            try await withPrivateBus(serviceDirectories: [world.services]) { bus in
                try await world.fill(bus)
                let data = ["XDG_DATA_DIRS": "\(home.systemData):/usr/local/share:/usr/share"]
                try await withKRunner(on: bus, environment: home.environment.merging(data) { $1 }) { runner in
                    try await choose("zanzibar it", with: "Return", "open note-4711 for zanzibar it", runner, world)

                    if Pictures.folder != nil { try await runner.query("orchard meadow") }
                    if Pictures.folder != nil {
                        // It draws the results one by one, and reports nothing.
                        _ = try await run("sleep", ["1"])
                        try await runner.screenshot(to: picture("search-plasma", world))
                    }
                    // The first action of the chosen match: to search in its app.
                    try await choose(
                        "orchard meadow", with: "shift+Return", "search orchard meadow", runner, world)

                    try await choose("kilimanjaro", with: "Return", "open episode-4711 for kilimanjaro", runner, world)
                }
            }
        }
    }
}
