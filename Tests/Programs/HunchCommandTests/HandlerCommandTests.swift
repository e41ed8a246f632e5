import FoundationEssentials
import Glibc
import History
import HunchModel
import TestSupport
import Testing

@Suite("hunch handler", .timeLimit(.minutes(15)))
struct HandlerCommandTests {
    private struct Report: Decodable {
        struct Scheme: Decodable, Equatable {
            var scheme: String
            var handler: String?
            var former: String?
        }
        var installed: Bool
        var schemes: [Scheme]
    }

    /// Installs a map app that writes its arguments to a file and then runs a script, which by default ends the wait of
    /// ``HunchRunner/click(_:)``.
    private func installMaps(
        _ hunch: HunchRunner, _ id: String, then script: String = "echo > ../done", isDeclared: Bool = true
    ) throws {
        let report = hunch.home.directory.file(id)
        let program = try hunch.home.directory.write(
            "#!/bin/sh\ncd '\(hunch.home.directory.path)/bin'\necho \"$1\" > '\(report).part'; mv '\(report).part' '\(report)'\n\(script)\n",
            to: "bin/\(id)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let declaration = """
            Implements=org.hunch.RoutingApp1;
            [org.hunch.RoutingApp1]
            Modes=car;
            Uri=geo:{lat},{lon}?by=\(id)

            """
        try hunch.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=\(id)\nExec=\(program) %u\nMimeType=x-scheme-handler/geo;\n"
                + (isDeclared ? declaration : ""), to: "share/applications/\(id).desktop")
    }

    private func makeDefault(_ hunch: HunchRunner, _ id: String) throws {
        try hunch.home.directory.write(
            "[Default Applications]\nx-scheme-handler/geo=\(id).desktop\n", to: "config/mimeapps.list")
    }

    private func opened(_ hunch: HunchRunner, _ id: String) throws -> String { try hunch.home.directory.read(id) }

    @Test("install, status and remove report the handlers of places")
    func standing() async throws {
        try await withHunch { hunch async throws in
            try installMaps(hunch, "atlas")
            try makeDefault(hunch, "atlas")
            #expect(try await hunch("handler", "status").status == .exited(1))
            let installed = try await hunch.json(Report.self, "handler", "install", "--json")[0]
            #expect(installed.installed)
            #expect(
                installed.schemes.first
                    == Report.Scheme(scheme: "geo", handler: "org.hunch.Hunch", former: "atlas"))
            #expect(try await hunch("handler", "status").status == .exited(0))
            let removed = try await hunch.json(Report.self, "handler", "remove", "--json")[0]
            #expect(!removed.installed && removed.schemes.first?.handler == "atlas")
            let again = try await hunch("handler", "remove")
            #expect(again.status == .exited(1) && again.standardError.contains("was not"))
            #expect(
                try hunch.home.directory.read("config/mimeapps.list")
                    == "[Default Applications]\nx-scheme-handler/geo=atlas.desktop\n")
        }
    }

    @Test(
        "Desktop tools open links in the former handler through Hunch",
        arguments: [["xdg-open"], ["gio", "open"]])
    func opening(tool: [String]) async throws {
        try await withHunch { hunch async throws in
            try installMaps(hunch, "atlas")
            try installMaps(hunch, "zebra")
            try makeDefault(hunch, "zebra")
            _ = try await hunch("handler", "install").output()
            let query = try await hunch.tool("xdg-mime", "query", "default", "x-scheme-handler/geo").output()
            #expect(query == "org.hunch.Hunch.desktop\n")
            try await hunch.click(tool + ["geo:60.17,24.94?z=15"])
            #expect(try opened(hunch, "zebra") == "geo:60.17,24.94?by=zebra\n")
            #expect(access(hunch.home.directory.file("atlas"), F_OK) != 0)
        }
    }

    @Test("While Hunch is off, links go unchanged to the app that had them")
    func off() async throws {
        try await withHunch { hunch async throws in
            try installMaps(hunch, "atlas")
            try installMaps(hunch, "zebra")
            try makeDefault(hunch, "zebra")
            _ = try await hunch("handler", "install").output()
            try hunch.withHistory { store in
                // Hunch learned that atlas opens this place.
                _ = try store.record(
                    Donation(
                        application: "atlas", kind: .getDirections,
                        parameters: ["latitude": "60.17", "longitude": "24.94"], date: Date()), now: Date())
                try store.setEnabled(false)
            }
            try await hunch.click(["xdg-open", "geo:60.17,24.94?z=15"])
            #expect(try opened(hunch, "zebra") == "geo:60.17,24.94?z=15\n")
            #expect(access(hunch.home.directory.file("atlas"), F_OK) != 0)
        }
    }

    @Test("Apps that return the link are skipped for one that opens it")
    func loop() async throws {
        try await withHunch { hunch async throws in
            for id in ["atlas", "beta"] { try installMaps(hunch, id, then: "exec xdg-open \"$1\"") }
            try installMaps(hunch, "chart")
            try makeDefault(hunch, "atlas")
            _ = try await hunch("handler", "install").output()
            try await hunch.click(["xdg-open", "geo:60.17,24.94"])
            for id in ["atlas", "beta", "chart"] { #expect(try opened(hunch, id).hasPrefix("geo:60.17,24.94")) }
        }
    }

    @Test("Loops end even where the environment is lost")
    func loopWithoutEnvironment() async throws {
        try await withHunch { hunch async throws in
            for id in ["atlas", "beta"] {
                try installMaps(hunch, id, then: "exec env -u HUNCH_HANDOVER xdg-open \"$1\"")
            }
            try installMaps(hunch, "chart")
            try makeDefault(hunch, "atlas")
            _ = try await hunch("handler", "install").output()
            try await hunch.click(["xdg-open", "geo:60.17,24.94"])
            for id in ["atlas", "beta", "chart"] { #expect(try opened(hunch, id).hasPrefix("geo:60.17,24.94")) }
        }
    }

    @Test("The same link within two seconds opens the desktop's default")
    func again() async throws {
        try await withHunch { hunch async throws in
            try installMaps(hunch, "atlas")
            try installMaps(hunch, "zebra")
            try makeDefault(hunch, "zebra")
            let memory = try hunch.home.directory.write("", to: "cache/hunch/handovers")
            // On a busy machine, two commands may take longer than two seconds. Then the pair proves nothing.
            var apps: [String] = []
            for _ in 0..<10 where apps.isEmpty {
                let start = ContinuousClock.now
                let opened = [
                    try await hunch("handler", "open", "geo:60.17,24.94", "--json").output(),
                    try await hunch("handler", "open", "geo:60.17,24.94", "--json").output(),
                ]
                if start.duration(to: .now) < .seconds(2) {
                    apps = opened
                } else {
                    try await Task.sleep(for: .seconds(2))
                }
            }
            #expect(apps.map { $0.contains(#""app":"zebra""#) } == [true, false], "\(apps)")
            #expect(apps.last?.contains(#""app":"atlas""#) == true)
            // Another place is not the same link.
            let open = try await hunch("handler", "open", "geo:61,25", "--json").output()
            #expect(open.contains("\"app\":\"zebra\""))
            #expect(try !String(contentsOf: URL(filePath: memory), encoding: .utf8).contains("60.17"))
        }
    }

    @Test("An app known only by its geo: handler gets the whole link")
    func plainHandler() async throws {
        try await withHunch { hunch async throws in
            try installMaps(hunch, "plain", isDeclared: false)
            _ = try await hunch("handler", "install").output()
            try await hunch.click(["xdg-open", "geo:60.17,24.94;u=35?q=60.17,24.94(Rautatieasema)&z=15"])
            #expect(
                try opened(hunch, "plain") == "geo:60.17,24.94;u=35?q=60.17,24.94(Rautatieasema)&z=15\n")
        }
    }

    @Test(
        "A link without a place or without an app is reported",
        arguments: [("geo:91,0", 2, "latitude"), ("mailto:a@b", 2, "is not a place"), ("geo:1,2", 1, "no app")])
    func failures(link: String, status: Int32, words: String) async throws {
        try await withHunch { hunch async throws in
            let empty = hunch.home.directory.file("none")
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
            let result = try await hunch("handler", "open", link, "--regions", empty)
            #expect(result.status == .exited(status))
            #expect(result.standardError.contains(words), "\(result)")
            #expect(result.standardError.split(separator: "\n").count == 1)
        }
    }
}

extension HunchRunner {
    /// The desktop's programs in this environment, without a desktop's settings. Without a display, xdg-open asks
    /// text browsers only.
    private var desktop: [String: String] {
        home.environment.merging([
            "PATH": "/usr/bin:/bin", "HOME": home.directory.path, "XDG_CURRENT_DESKTOP": "X-Generic",
            "DISPLAY": ":none",
        ]) { $1 }
    }

    func tool(_ command: String...) async throws -> CommandResult {
        try await run(command[0], Array(command.dropFirst()), environment: desktop, directory: home.directory.path)
    }

    /// Runs a program that opens a link, until a map app has received it.
    func click(_ command: [String]) async throws {
        let script = #"mkfifo done && { "$@" & } && read -r _ < done"#
        let result = try await run(
            "/bin/sh", ["-c", script, "sh"] + command, environment: desktop, directory: home.directory.path)
        #expect(result.status == .exited(0), "\(result)")
    }
}
