import HunchModel
import HunchDBus
import TestSupport
import Testing

@testable import Apps

@Suite("Launch plans", .timeLimit(.minutes(15)))
struct LaunchPlanTests {
    @Test("The plan has the program's path and the link's argument")
    func command() async throws {
        let entry = desktopEntry(exec: "env --opt \"two words\" %U", "Path=/tmp")
        try await withApps(["org.example.App": entry]) { home, environment in
            let plan = try LaunchPlan(
                app: "org.example.App", uri: "geo:1,2", installed: InstalledApps(environment: environment))
            #expect(plan.identifier == "org.example.App")
            #expect(plan.name == "Example App")
            #expect(plan.uris == ["geo:1,2"])
            #expect(plan.service == nil)
            #expect(plan.file == home.data + "/applications/org.example.App.desktop")
            let program = try #require(plan.program)
            #expect(program.path == "/usr/bin/env")
            #expect(program.arguments == ["env", "--opt", "two words", "geo:1,2"])
            #expect(program.directory == "/tmp")
            let bare = try LaunchPlan(
                app: "org.example.App", uri: nil, installed: InstalledApps(environment: environment))
            #expect(bare.program?.arguments == ["env", "--opt", "two words"])
            #expect(bare.uris == [])
        }
    }

    @Test("A D-Bus activatable app needs no command")
    func activatable() async throws {
        try await withApps([
            "org.example-maps.Maps_2": desktopEntry(exec: "nowhere", "DBusActivatable=true")
        ]) { _, environment in
            let plan = try LaunchPlan(
                app: "org.example-maps.Maps_2", uri: nil, installed: InstalledApps(environment: environment))
            #expect(plan.service?.name == "org.example-maps.Maps_2")
            #expect(plan.service?.path == "/org/example_maps/Maps_2")
            #expect(plan.program == nil)
        }
    }

    @Test("An identifier that is not a bus name is started by its command")
    func noBusName() async throws {
        try await withApps(["maps": desktopEntry(exec: "env", "DBusActivatable=true")]) { _, environment in
            let plan = try LaunchPlan(app: "maps", uri: nil, installed: InstalledApps(environment: environment))
            #expect(plan.service == nil)
            #expect(plan.program?.path == "/usr/bin/env")
        }
    }

    @Test(
        "An app or link that cannot be opened is an error",
        arguments: [
            ("missing", nil, LaunchError.Code.notInstalled), ("terminal", nil, .unusableEntry),
            ("linkless", "geo:1,2", .unusableEntry), ("gone", nil, .unusableEntry), ("broken", nil, .unusableEntry),
            ("good", "", .invalidRequest), ("good", "a b", .invalidRequest), ("good", "geo:1\n", .invalidRequest),
            ("good", "--help", .invalidRequest),
            ("good", "geo:" + String(repeating: "1", count: 65_536), .invalidRequest),
            ("../good", nil, .notInstalled),
        ] as [(AppID, String?, LaunchError.Code)])
    func faults(_ identifier: AppID, _ uri: String?, _ code: LaunchError.Code) async throws {
        let apps = [
            "good": desktopEntry(exec: "env %u"), "linkless": desktopEntry(exec: "env"),
            "terminal": desktopEntry(exec: "env %u", "Terminal=true"), "gone": desktopEntry(exec: "/nonexistent/x %u"),
            "broken": desktopEntry(exec: "\"env"),
        ]
        try await withApps(apps) { _, environment in
            let error = #expect(throws: LaunchError.self) {
                try LaunchPlan(app: identifier, uri: uri, installed: InstalledApps(environment: environment))
            }
            #expect(error?.code == code)
            #expect(error?.message.contains("\n") == false)
        }
    }

    @Test("A media app gets only what its entry declares")
    func playing() async throws {
        let apps = ["player": desktopEntry(exec: "env %U", "MimeType=audio/flac;")]
        try await withApps(apps) { _, environment in
            let installed = InstalledApps(environment: environment)
            let plan = try LaunchPlan(playing: "file:///a/b.flac", in: "player", installed: installed)
            #expect(plan.uris == ["file:///a/b.flac"])
            #expect(try LaunchPlan(playing: nil, in: "player", installed: installed).uris.isEmpty)
            for uri in ["file:///home/me/.ssh/id_rsa", "https://example.org/"] {
                let error = #expect(throws: LaunchError.self) {
                    try LaunchPlan(playing: uri, in: "player", installed: installed)
                }
                #expect(error?.code == .unusableEntry && error?.message.contains("does not say that it plays") == true)
            }
        }
    }

    @Test("Web links go to the browser, or else to xdg-open")
    func web() async throws {
        try await withApps(["browser": desktopEntry(exec: "env %u")]) { home, environment in
            var withoutBrowser = environment
            withoutBrowser["PATH"] = home.directory.file("bin")
            #expect(throws: LaunchError.self) {
                try webPlan(withoutBrowser)
            }
            try home.directory.write("#!/bin/sh\n", to: "bin/xdg-open")
            _ = try await run("chmod", ["755", home.directory.file("bin/xdg-open")]).output()
            let launcher = try webPlan(withoutBrowser)
            #expect(launcher.program?.path == home.directory.file("bin/xdg-open"))
            #expect(launcher.program?.arguments.last == "https://example.org/")
            try home.directory.write(
                "[Default Applications]\nx-scheme-handler/https=browser.desktop\n", to: "config/mimeapps.list")
            let browser = try webPlan(environment)
            #expect(browser.identifier == "browser")
            #expect(browser.program?.arguments == ["env", "https://example.org/"])
        }
    }

    @Test("An address goes to the app for its scheme, and a file to that for its type")
    func addresses() async throws {
        try await withApps(["player": desktopEntry(exec: "env %u")]) { home, environment in
            var environment = environment
            environment["PATH"] = home.directory.file("bin") + ":/usr/bin:/bin"
            try home.directory.write("#!/bin/sh\n", to: "bin/xdg-open")
            _ = try await run("chmod", ["755", home.directory.file("bin/xdg-open")]).output()
            try home.directory.write(
                "[Default Applications]\nx-scheme-handler/https=player.desktop\nx-scheme-handler/music=player.desktop\n",
                to: "config/mimeapps.list")
            let song = try home.directory.write("", to: "a song.flac")
            let installed = InstalledApps(environment: environment)
            let defaults = DefaultApps(environment: environment, installed: installed)
            func plan(_ address: String) throws -> LaunchPlan {
                try LaunchPlan(address: address, installed: installed, defaults: defaults)
            }
            #expect(try plan("music:album/1").identifier == "player")
            #expect(try plan("https://example.org/").identifier == "player")
            let file = try plan("file://" + song.replacing(" ", with: "%20"))
            #expect(file.identifier == "xdg-open" && file.program?.arguments.last?.hasSuffix("a%20song.flac") == true)
            for (address, word) in [
                ("file:///nonexistent/song.flac", "/nonexistent/song.flac"), ("foo://bar", "foo:"),
                ("docs/file.txt", "docs/file.txt"),
            ] {
                let error = #expect(throws: LaunchError.self) { try plan(address) }
                #expect(error?.message.contains(word) == true, "\(address): \(String(describing: error))")
            }
        }
    }

    private func webPlan(_ environment: [String: String]) throws -> LaunchPlan {
        let installed = InstalledApps(environment: environment)
        return try LaunchPlan(
            DirectionsLaunch(desktopID: nil, uri: "https://example.org/"), installed: installed,
            defaults: DefaultApps(environment: environment, installed: installed))
    }
}
