import ArgumentParser
import CommandSupport
import FoundationEssentials
import Glibc
import HunchDBus
import HunchModel

/// `hunch-dev new`.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a small app that takes part in Hunch, in Python.",
        discussion: """
            The kinds are: media (offers playable content), activity (reports what it shows), index (puts content into the \
            search index), donor (donates what the user did) and routing (shows routes). The command writes a folder with the \
            program, its desktop entry and, if the bus starts the app, its service file. It installs nothing and overwrites \
            nothing, and says what to do next. The program needs the package python3-hunch.

            Example:
              hunch-dev new media org.example.Radio
              hunch-dev new index org.example.Notes --folder notes
            """)

    @Argument(help: "media, activity, index, donor or routing.")
    var kind: AppTemplate

    @Argument(help: "The desktop identifier of the app, such as org.example.Radio. It is also its name on the bus.")
    var app: AppID

    @Option(help: "The folder to create; the identifier without one.", completion: .directory)
    var folder: String?

    func validate() throws {
        do { _ = try ObjectPath(application: BusName(app.rawValue)) } catch {
            throw ValidationError("“\(app)” cannot be a desktop identifier; use one like org.example.Radio")
        }
    }

    func run() throws {
        let files = FileManager.default
        let name = folder ?? app.rawValue
        let path = name.hasPrefix("/") ? name : files.currentDirectoryPath + "/" + name
        guard mkdir(path, 0o755) == 0 else {
            throw CommandError("“\(name)” cannot be created: \(String(cString: strerror(errno)))", ExitStatus.badInput)
        }
        let word = app.rawValue.split(separator: ".").last.map { $0.lowercased() } ?? "app"
        let program = "\(path)/\(word).py"
        try write(kind.program(of: app), to: program)
        chmod(program, 0o755)
        try write(
            """
            [Desktop Entry]
            Type=Application
            Name=\(word.withCapital)
            Exec=\(program)\(kind.fieldCode)
            \(kind.entry)
            """, to: "\(path)/\(app).desktop")
        if kind.isActivatable {
            try write("[D-BUS Service]\nName=\(app)\nExec=\(program)\n", to: "\(path)/\(app).service")
        }
        try tell(path, program)
    }

    private func write(_ text: String, to path: String) throws {
        do { try text.write(toFile: path, atomically: false, encoding: .utf8) } catch {
            throw CommandError("“\(path)” cannot be written: \(error)", ExitStatus.systemFailure)
        }
    }

    private func tell(_ path: String, _ program: String) throws {
        let data =
            ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "~/.local/share"
        // A link would not do: the agent may not read the rest of the home folder.
        func copy(_ suffix: String, _ folder: String) -> (command: String, effect: String) {
            ("mkdir -p \(data)/\(folder) && cp \(ShellWord("\(path)/\(app).\(suffix)")) \(data)/\(folder)/", "")
        }
        var steps = [copy("desktop", "applications")]
        if kind.isActivatable { steps.append(copy("service", "dbus-1/services")) }
        steps += [
            ("hunch enable", "switch Hunch on"), ("hunch-dev check \(app)", "check the entry and what it declares"),
        ]
        steps += kind.steps(ShellWord(program).description, app)
        try Output.line("Created \(path). Next:")
        for step in steps { try Output.line("  \(step.command)" + (step.effect.isEmpty ? "" : "    # \(step.effect)")) }
    }
}
