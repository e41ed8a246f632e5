import FoundationEssentials
import Glibc
import HunchDBus
import TestSupport

/// Two apps with 10,000 items each, which the bus starts, the agent, and the files with which desktops find it.
struct SearchWorld: Sendable {
    static let count = 10_000
    static let provider = "org.hunch.Settings"

    let home: TemporaryHome
    /// The folder with the activation files of all programs.
    let services: String
    /// The file to which both apps write what they open.
    let report: String

    init(_ home: TemporaryHome) throws {
        self.home = home
        services = "\(home.systemData)/dbus-1/services"
        report = home.directory.file("report")
        for folder in [
            services, "\(home.systemData)/applications", "\(home.systemData)/gnome-shell/search-providers",
            "\(home.systemData)/krunner/dbusplugins", "\(home.systemData)/icons/hicolor/scalable/apps",
        ] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let notes = try "\(builtProduct("notes-app")) org.example.Notes \(Self.count) \(report)"
        let script = "\(Surroundings.packageRoot)/Tests/Whole/EndToEndTests/Files/podcasts.py"
        let podcasts = "\(script) \(Self.count) \(report)"
        let interfaces = "org.hunch.IndexDelegate1;org.hunch.ContinueActivity1;"
        try install("org.example.Notes", "Notes", notes, "Implements=\(interfaces)\nX-Hunch-ContinuesSearch=true\n")
        try install("org.example.Podcasts", "Podcasts", podcasts, "Implements=\(interfaces)\n")
        try activate("org.hunch.Agent1", by: builtProduct("hunchd"))
        let folder = "\(Surroundings.packageRoot)/Systemd"
        for (file, path) in [
            ("org.hunch.Settings.desktop.in", "applications/org.hunch.Settings.desktop"),
            ("org.hunch.Settings.search-provider.ini", "gnome-shell/search-providers/org.hunch.Settings.ini"),
            ("org.hunch.Hunch.svg", "icons/hicolor/scalable/apps/org.hunch.Hunch.svg"),
            ("org.hunch.Hunch.krunner.desktop", "krunner/dbusplugins/org.hunch.Hunch.desktop"),
        ] {
            let text = String(
                decoding: FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data(), as: UTF8.self)
            let program = try builtProduct("hunch-settings")
            let bin = String(program[..<(program.lastIndex(of: "/") ?? program.endIndex)])
            try write(text.replacing("@BINDIR@", with: bin), to: path)
        }
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(home.systemData)/\(path)"))
    }

    private func install(_ application: String, _ name: String, _ command: String, _ keys: String) throws {
        try write(
            "[Desktop Entry]\nType=Application\nName=\(name)\nIcon=accessories-text-editor\nExec=\(command)\nDBusActivatable=true\n\(keys)",
            to: "applications/\(application).desktop")
        try activate(application, by: command)
    }

    private func activate(_ name: String, by command: String) throws {
        // The programs of the agent's home, whatever the desktop's is.
        let variables = home.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try write(
            "[D-BUS Service]\nName=\(name)\nExec=/usr/bin/env \(variables.joined(separator: " ")) \(command)\n",
            to: "dbus-1/services/\(name).service")
    }

    /// Runs `hunch` on a bus and returns what it wrote.
    @discardableResult
    func hunch(_ bus: PrivateBus, _ arguments: String...) async throws -> String {
        let environment = home.environment.merging(bus.environment) { $1 }
        return try await run(builtProduct("hunch"), arguments, environment: environment).output()
    }

    /// Switches Hunch on, has both apps index their items, and ends them.
    func fill(_ bus: PrivateBus) async throws {
        try await hunch(bus, "enable")
        try await hunch(bus, "index", "rebuild")
        try await waitForItems(bus)
        try await endApps(bus)
    }

    /// Waits until the index has all items of both apps, and the apps have acknowledged.
    func waitForItems(_ bus: PrivateBus) async throws {
        let environment = home.environment.merging(bus.environment) { $1 }
        try await eventually("all items", because: "the index tells its changes nobody") {
            let list = try await run(builtProduct("hunch"), ["index", "list", "--json"], environment: environment)
            let lines = list.standardOutput.split(separator: "\n")
            return lines.count { $0.contains("\"items\":\(Self.count)}") } == 2 ? () : nil
        }
    }

    /// Kills both apps.
    func endApps(_ bus: PrivateBus) async throws {
        try await withConnection(to: bus) { connection in
            for name: BusName in ["org.example.Notes", "org.example.Podcasts"] {
                guard try await connection.owner(of: name) != nil else { continue }
                let process: UInt32 = try await connection.call(
                    .bus, .bus, .bus, "GetConnectionUnixProcessID", name.text)
                kill(pid_t(process), SIGKILL)
                try await eventually("the end of \(name)", because: "it was killed") {
                    try await connection.owner(of: name) == nil ? () : nil
                }
            }
        }
    }

    /// Waits for a line that an app wrote.
    func waitForReport(_ line: String) async throws {
        try await eventually("“\(line)”", because: "the app writes to a file") {
            reports().contains(line) ? () : nil
        }
    }

    /// Returns the lines that the apps wrote.
    func reports() -> [String] {
        String(decoding: FileManager.default.contents(atPath: report) ?? Data(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
