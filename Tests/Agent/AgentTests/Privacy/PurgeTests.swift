import FoundationEssentials
import HunchKit
import TestSupport
import Testing

/// Tests of `hunch purge` in a home where everything is set up.
@Suite("hunch purge", .timeLimit(.minutes(15))) struct PurgeTests {
    /// Returns the paths of all files and links below a folder. Links are not followed.
    private func files(in folder: String) throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(
            paths.filter { path in
                let type = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type]
                return type as? FileAttributeType != .typeDirectory
            })
    }

    /// Writes files of other programs, and links that lead out of Hunch's folders.
    private func prepare(_ home: TemporaryHome) throws {
        let directory = home.directory
        try directory.write("kept", to: "outside/folder/file")
        try directory.write("kept", to: "copies/file")
        try directory.write("[Default Applications]\nx-scheme-handler/geo=zebra.desktop\n", to: "config/mimeapps.list")
        try directory.write("", to: "config/autostart/other.desktop")
        try directory.write("{}", to: ".mozilla/native-messaging-hosts/other.json")
        try directory.write("", to: "run/other")
        try FileManager.default.createSymbolicLink(
            atPath: home.cache + "/hunch", withDestinationPath: directory.file("copies"))
    }

    private func setUp(_ rig: AgentRig) async throws {
        let home = rig.home
        _ = try await rig.hunch("enable").output()
        _ = try await rig.hunch("handler", "install").output()
        _ = try await rig.hunch("browser", "install", "firefox").output()
        _ = try await rig.hunch("allow", "backup").output()
        try home.directory.write("{}", to: "data/hunch/regions/own.geojson")
        try home.directory.write("1", to: "run/hunch-locker-c1")
        try home.directory.write("", to: "config/systemd/user/default.target.wants/other.service")
        for (link, target) in [
            ("data/hunch/folder", home.directory.file("outside")),
            ("data/hunch/file", home.directory.file("outside/folder/file")),
            ("config/systemd/user/default.target.wants/hunchd.service", "/nonexistent/hunchd.service"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: home.directory.file(link), withDestinationPath: target)
        }
    }

    @Test("Everything of Hunch is removed, and nothing else, after asking")
    func everything() async throws {
        try await withTemporaryHome { home in
            try prepare(home)
            let root = home.directory.path
            let before = try files(in: root)
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ async throws in
                    try await setUp(rig)
                    let full = try files(in: root)
                    let refused = try await rig.hunch("purge")
                    #expect(refused.status == .exited(2) && refused.standardError.contains("--yes"), "\(refused)")
                    let declined = try await runOnTerminal(
                        builtProduct("hunch"), ["purge"], answers: ["n"], environment: rig.environment)
                    #expect(declined.status == .exited(1), "\(declined)")
                    for words in [home.state + "/hunch", "the start at login", "the connection of Firefox"] {
                        #expect(declined.standardOutput.contains(words), "\(declined)")
                    }
                    #expect(try files(in: root).isSuperset(of: full))
                    #expect(try await rig.agent.isRunning())

                    let purged = try await rig.hunch("purge", "--yes")
                    #expect(purged.status == .exited(0), "\(purged)")
                    #expect(try await !rig.agent.isRunning())
                }
                let after = try files(in: root)
                #expect(before.subtracting(after) == ["cache/hunch"], "only the link into other folders is gone")
                let left = after.subtracting(before)
                #expect(left == ["config/systemd/user/default.target.wants/other.service"], "\(left)")
                #expect(try home.directory.read("copies/file") == "kept")
                #expect(
                    try home.directory.read("config/mimeapps.list")
                        == "[Default Applications]\nx-scheme-handler/geo=zebra.desktop\n")
                for folder in [home.data, home.state, home.cache, home.runtime] {
                    #expect(!FileManager.default.fileExists(atPath: folder + "/hunch"), "\(folder)")
                }
                let again = try await run(
                    builtProduct("hunch"), ["purge", "--yes"], environment: agentEnvironment(bus, home))
                #expect(again.status == .exited(1), "\(again)")
            }
        }
    }

    @Test("Without a session bus, the files go and the agents of other sessions are mentioned")
    func withoutBus() async throws {
        try await withTemporaryHome { home in
            try home.directory.write("x", to: "state/hunch/online-geocoder.json")
            let purged = try await run(
                builtProduct("hunch"), ["purge", "--yes", "--json"], environment: home.environment)
            #expect(purged.status == .exited(0) && purged.standardError.contains("no session bus"), "\(purged)")
            #expect(purged.standardOutput.contains(#""path":"\#(home.state)/hunch""#), "\(purged)")
            #expect(!FileManager.default.fileExists(atPath: home.state + "/hunch"))
        }
    }

    @Test("Programs that are installed in the home folder keep their data")
    func homePrefix() async throws {
        try await withTemporaryHome { home in
            let program = home.directory.file("bin/hunch")
            try home.directory.write("x", to: "bin/other")
            try FileManager.default.copyItem(atPath: builtProduct("hunch"), toPath: program)
            try home.directory.write("x", to: "share/hunch/gazetteer.sqlite")
            try home.directory.write("{}", to: "share/hunch/regions/installed.geojson")
            let environment = home.environment.merging(["XDG_DATA_HOME": home.directory.file("share")]) { $1 }
            let purged = try await run(program, ["purge", "--yes"], environment: environment)
            #expect(purged.status == .exited(0), "\(purged)")
            #expect(try files(in: home.directory.file("share/hunch")) == ["regions/installed.geojson"])
        }
    }

    @Test("A list that refuses Hunch, or is a link, is restored")
    func handlers() async throws {
        try await withTemporaryHome { home in
            let list = try home.directory.write(
                "[Removed Associations]\nx-scheme-handler/geo=org.hunch.Hunch.desktop;\n", to: "dotfiles/mimeapps.list")
            try FileManager.default.createSymbolicLink(
                atPath: home.configuration + "/mimeapps.list", withDestinationPath: list)
            #expect(
                try await run(builtProduct("hunch"), ["purge", "--yes"], environment: home.environment).status
                    == .exited(0))
            #expect(try !home.directory.read("config/mimeapps.list").contains("hunch"))
            #expect(try home.directory.read("dotfiles/mimeapps.list").isEmpty)
        }
    }
}
