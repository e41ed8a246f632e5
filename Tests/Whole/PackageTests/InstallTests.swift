import FoundationEssentials
import TestSupport
import Testing

@Suite("Installation", .timeLimit(.minutes(15)))
struct InstallTests {
    /// Runs make in the package with the programs as built for this test run, and without what `make test` handed down.
    private func make(
        _ goal: String, into directory: TemporaryDirectory, prefix: String = "/opt/hunch", systemd: Int = 252
    ) async throws {
        _ = try await run(
            "make",
            [
                "-C", Surroundings.packageRoot, "--no-print-directory", goal, "BIN=\(Surroundings.builtProducts)",
                "DESTDIR=\(directory)", "PREFIX=\(prefix)", "STRIP=:",
                "SYSTEMD_VERSION=\(systemd)",
            ], within: .seconds(120)
        ).output()
    }

    private func files(in directory: TemporaryDirectory) throws -> Set<String> {
        let all = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        return Set(
            all.filter { path in
                var isFolder = false
                return FileManager.default.fileExists(atPath: directory.file(path), isDirectory: &isFolder) && !isFolder
            })
    }

    private func names(in folder: String, ending: String) throws -> Set<String> {
        let path = "\(Surroundings.packageRoot)/\(folder)"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return Set(try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(ending) })
    }

    @Test("uninstall removes exactly the files that install added")
    func installAndUninstall() async throws {
        let regions = try names(in: "Regions", ending: ".geojson")
        let interfaces = try names(in: "Sources/Base/AgentInterface/Interfaces", ending: ".xml")
        try await withTemporaryDirectory { directory in
            try directory.write("someone else's", to: "opt/hunch/share/applications/other.desktop")
            try await make("install", into: directory)
            let expected: Set = [
                "bin/hunch", "bin/hunch-dev", "bin/hunch-settings",
                "share/applications/org.hunch.Settings.desktop",
                "share/metainfo/org.hunch.Settings.metainfo.xml", "share/locale/de/LC_MESSAGES/hunch.mo",
                "libexec/hunchd", "libexec/hunch-geocoder-online", "libexec/hunch-browser",
                "libexec/hunch-calendar",
                "share/applications/org.hunch.Browser.desktop", "lib/systemd/user/hunchd.service",
                "lib/systemd/user/hunch-geocoder-online.service", "lib/systemd/user-preset/90-hunch.preset",
                "share/dbus-1/services/org.hunch.OnlineGeocoder1.service",
                "lib/systemd/user/hunch-calendar.service", "share/dbus-1/services/org.hunch.CalendarReader1.service",
                "share/gnome-shell/search-providers/org.hunch.Settings-search-provider.ini",
                "share/krunner/dbusplugins/org.hunch.Hunch.desktop", "share/dbus-1/services/org.hunch.Settings.service",
                "share/dbus-1/services/org.hunch.Agent1.service", "share/applications/org.hunch.Hunch.desktop",
                "share/applications/other.desktop", "share/icons/hicolor/scalable/apps/org.hunch.Hunch.svg",
                "share/hunch/places/airports.txt", "share/pkgconfig/hunch.pc", "share/hunch/python/hunch.py",
                "share/hunch/gjs/hunch.js",
                "share/icons/hicolor/symbolic/apps/org.hunch.Hunch-symbolic.svg",
                "share/icons/hicolor/symbolic/apps/org.hunch.Hunch-car-symbolic.svg",
                "share/man/man1/hunch.1",
                "share/man/man1/hunch-dev.1", "share/man/man1/hunch-settings.1", "share/man/man8/hunchd.8",
                "share/bash-completion/completions/hunch",
                "share/bash-completion/completions/hunch-dev", "share/zsh/site-functions/_hunch-dev",
                "share/fish/vendor_completions.d/hunch-dev.fish",
                "share/zsh/site-functions/_hunch", "share/fish/vendor_completions.d/hunch.fish",
            ]
            let pages = try FileManager.default.subpathsOfDirectory(
                atPath: "\(Surroundings.packageRoot)/Sources/Programs/BrowserExtension"
            ).filter { $0.contains(".") }
            let installed = expected.union(pages.map { "share/hunch/browser-extension/\($0)" }).union(
                regions.map { "share/hunch/regions/\($0)" }
            )
            .union(interfaces.map { "share/dbus-1/interfaces/\($0)" })
            let found = try files(in: directory)
            #expect(found == Set(installed.map { "opt/hunch/\($0)" }))

            // The inserted path is the one after installation, not the one where a packager collects the files.
            let unit = try directory.read("opt/hunch/lib/systemd/user/hunchd.service")
            #expect(unit.contains("ExecStart=/opt/hunch/libexec/hunchd\n"))
            for path in try files(in: directory) where path.hasSuffix(".service") || path.hasSuffix(".desktop") {
                let text = try directory.read(path)
                #expect(!text.contains("DIR@"), "\(path)")
            }

            try await make("uninstall", into: directory)
            #expect(try files(in: directory) == ["opt/hunch/share/applications/other.desktop"])
            #expect(!FileManager.default.fileExists(atPath: directory.file("opt/hunch/share/hunch")))
        }
    }

    @Test("A package connects browsers as “hunch browser install” does")
    func browsers() async throws {
        try await withTemporaryHome { home in
            try await make("install", into: home.directory, prefix: "/usr")
            let names = ["firefox", "chromium", "chrome"]
            _ = try await run(
                home.directory.file("usr/bin/hunch"), ["browser", "install"] + names, environment: home.environment
            ).output()
            let program = home.directory.file("usr/libexec/hunch-browser")
            for (system, person) in [
                ("usr/lib/mozilla", ".mozilla/native-messaging-hosts"),
                ("etc/chromium", "config/chromium/NativeMessagingHosts"),
                ("etc/opt/chrome", "config/google-chrome/NativeMessagingHosts"),
            ] {
                let file = "org.hunch.browser.json"
                let packaged = try home.directory.read("\(system)/native-messaging-hosts/\(file)")
                    .replacing("/usr/libexec/hunch-browser", with: program)
                let installed = try home.directory.read("\(person)/\(file)")
                #expect(
                    try JSONDecoder().decode([String: AnyText].self, from: Data(packaged.utf8))
                        == JSONDecoder().decode([String: AnyText].self, from: Data(installed.utf8)))
            }
            try await make("uninstall", into: home.directory, prefix: "/usr")
            #expect(try files(in: home.directory).filter { $0.hasPrefix("usr") || $0.hasPrefix("etc") } == [])
        }
    }

    /// A text or a list of texts in JSON.
    private struct AnyText: Decodable, Hashable {
        let texts: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            texts = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }
    }

    @Test("The extension has the version of the programs, and its translations are complete")
    func browserExtension() throws {
        func json(_ file: String) throws -> Data {
            try Data(contentsOf: URL(filePath: "\(Surroundings.packageRoot)/Sources/Programs/BrowserExtension/\(file)"))
        }
        struct Manifest: Decodable { let version, incognito: String }
        struct Message: Decodable { let message: String }
        let manifest = try JSONDecoder().decode(Manifest.self, from: json("manifest.json"))
        let version = manifest.version
        #expect(manifest.incognito == "not_allowed")
        let source = try String(
            contentsOf: URL(filePath: "\(Surroundings.packageRoot)/Sources/Base/AgentInterface/HunchVersion.swift"),
            encoding: .utf8)
        #expect(source.contains("text = \"\(version)\""))
        let english = try JSONDecoder().decode([String: Message].self, from: json("_locales/en/messages.json"))
        let german = try JSONDecoder().decode([String: Message].self, from: json("_locales/de/messages.json"))
        // English words for types are those of schema.org.
        #expect(Set(english.keys) == Set(german.keys.filter { !$0.hasPrefix("type_") }))
    }

    @Test("The restart backoff is installed from systemd 254 on", arguments: [252, 253, 254, 260])
    func backoff(version: Int) async throws {
        try await withTemporaryDirectory { directory in
            try await make("install", into: directory, systemd: version)
            let installed = try files(in: directory).filter { $0.hasSuffix("/hunchd.service.d/backoff.conf") }
            #expect(installed.isEmpty == (version < 254))
            for path in installed { #expect(try directory.read(path).contains("RestartMaxDelaySec=")) }
            try await make("uninstall", into: directory, systemd: version)
            #expect(try files(in: directory).isEmpty)
        }
    }

    @Test("A home prefix puts the unit where a user manager finds it")
    func home() async throws {
        try await withTemporaryDirectory { directory in
            try await make("install", into: directory, prefix: "/home/somebody/.local")
            let unit = try directory.read("home/somebody/.local/share/systemd/user/hunchd.service")
            #expect(unit.contains("ExecStart=/home/somebody/.local/libexec/hunchd\n"))
            try await make("uninstall", into: directory, prefix: "/home/somebody/.local")
            #expect(try files(in: directory) == [])
        }
    }

    @Test("The installed programs start")
    func installedProgramStarts() async throws {
        try await withTemporaryDirectory { directory in
            try await make("install", into: directory)
            let help = try await run(directory.file("opt/hunch/bin/hunch"), ["--help"]).output()
            #expect(help.contains("USAGE: hunch"))
        }
    }

    @Test(
        "systemd-analyze verify accepts the user services",
        arguments: ["hunchd", "hunch-calendar", "hunch-geocoder-online"])
    func userService(name: String) async throws {
        try await withTemporaryHome { home in
            let unit = try fill("\(name).service", in: home.directory)
            let answer = try await run(
                "systemd-analyze", ["verify", "--user", "--man=no", unit], environment: home.environment)
            // It also warns of what it does not know with status 0, and of other units of this machine: mako and dunst
            // both own the name of notification servers.
            let warnings = answer.standardError.split(separator: "\n").filter { $0.contains(name) }
            #expect(answer.status == .exited(0) && answer.standardOutput.isEmpty && warnings.isEmpty, "\(answer)")
        }
    }

    @Test("The user service sets nothing that creates a user namespace")
    func noUserNamespace() throws {
        let unit = try String(
            contentsOf: URL(filePath: "\(Surroundings.packageRoot)/Systemd/hunchd.service.in"), encoding: .utf8)
        let settings = unit.split(separator: "\n").filter { !$0.hasPrefix("#") }
        // Newer versions of systemd make one by themselves for each of these in a user's service.
        let namespaced = [
            "PrivateUsers", "PrivateTmp", "PrivateNetwork", "PrivateDevices", "ProtectSystem", "ProtectHome",
            "ProtectProc",
            "ProtectKernelTunables", "ProtectControlGroups", "ReadOnlyPaths", "ReadWritePaths", "InaccessiblePaths",
            "BindPaths", "TemporaryFileSystem",
        ]
        for setting in settings {
            #expect(!namespaced.contains { setting.hasPrefix("\($0)=") }, "\(setting)")
        }
        #expect(settings.contains("RestrictAddressFamilies=AF_UNIX"))
        #expect(settings.contains("NoNewPrivileges=yes"))
    }

    @Test("D-Bus activation starts the service that owns the bus name")
    func activationFile() throws {
        let folder = "\(Surroundings.packageRoot)/Systemd"
        let name = "org.hunch.Agent1"
        let activation = try String(contentsOf: URL(filePath: "\(folder)/\(name).service.in"), encoding: .utf8)
        let unit = try String(contentsOf: URL(filePath: "\(folder)/hunchd.service.in"), encoding: .utf8)
        #expect(activation.hasPrefix("[D-BUS Service]\nName=\(name)\n"))
        #expect(activation.contains("\nSystemdService=hunchd.service\n"))
        #expect(
            activation.contains("\nExec=@LIBEXECDIR@/hunchd\n") && unit.contains("\nExecStart=@LIBEXECDIR@/hunchd\n"))
        #expect(unit.contains("\nBusName=\(name)\n"))
    }

    @Test("The desktop entry is valid, hidden and no default handler")
    func desktopEntry() async throws {
        try await withTemporaryDirectory { directory in
            let entry = try fill("org.hunch.Hunch.desktop", in: directory)
            let answer = try await run("desktop-file-validate", ["--warn-kde", entry])
            #expect(answer == CommandResult(status: .exited(0), standardOutput: "", standardError: ""))
            let text = try directory.read("org.hunch.Hunch.desktop")
            #expect(text.contains("\nNoDisplay=true\n"))
            let types = ["geo", "maps", "directions"].map { "x-scheme-handler/\($0);" }.joined()
            #expect(text.contains("\nMimeType=\(types)\n"))
        }
        let systemd = try FileManager.default.contentsOfDirectory(atPath: "\(Surroundings.packageRoot)/Systemd")
        #expect(!systemd.contains { $0.contains("mimeapps") })
    }

    /// Fills in the template of `name` with the programs as built, and returns the path of the result.
    private func fill(_ name: String, in directory: TemporaryDirectory) throws -> String {
        let template = URL(filePath: "\(Surroundings.packageRoot)/Systemd/\(name).in")
        let text = try String(contentsOf: template, encoding: .utf8)
            .replacing("@LIBEXECDIR@", with: Surroundings.builtProducts)
            .replacing("@BINDIR@", with: Surroundings.builtProducts)
        return try directory.write(text, to: name)
    }
}
