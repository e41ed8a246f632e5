package import DesktopFiles
internal import FoundationEssentials
internal import Glibc
internal import HunchDBus
package import HunchModel

/// The program of a process: its executable file, or the script or module of its interpreter.
package enum RunningProgram: Hashable, Sendable {
    /// An executable file, independent of its path.
    case file(FileNumber)
    /// The absolute path of a script without symbolic links, from the command line of the process, which the process can forge.
    case script(String)
    /// The name of a Python module, from the same place (`python3 -m guide`).
    case module(String)

    /// The path of a script, or the name of a module; `nil` for an executable file.
    package var name: String? {
        switch self {
        case .file: nil
        case .script(let path): path
        case .module(let name): "the Python module " + name
        }
    }

    /// The maximum length of a file that is read, such as a command line, in bytes.
    private static let limit = 4_096

    /// Reads the program of a process; `nil` if it is not accessible, or for an interpreter without a script.
    package init?(of process: UInt32) {
        let link = "/proc/\(process)/exe"
        guard let file = FileNumber(of: link),
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        else { return nil }
        guard Interpreter.isOne(path) else {
            self = .file(file)
            return
        }
        guard let started = Interpreter.program(of: [path] + Self.arguments(of: process).dropFirst()) else {
            return nil
        }
        switch started {
        case .module: self = started
        case .script(let script) where script.hasPrefix("/"): self = Self.script(at: script)
        default:
            guard case .script(let script) = started, let found = Self.relativeScript(script, of: process) else {
                return nil
            }
            self = found
        }
    }

    /// Returns the script with this absolute path, by that of the file to which it leads.
    static func script(at path: String) -> RunningProgram {
        .script(URL(filePath: path).resolvingSymlinksInPath().path)
    }

    /// Returns a script that was started by a relative path, if the process is still in that folder.
    private static func relativeScript(_ path: String, of process: UInt32) -> RunningProgram? {
        guard let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") else {
            return nil
        }
        let absolute = folder + "/" + path
        return FileNumber(of: absolute) == nil ? nil : script(at: absolute)
    }

    /// Returns the programs of the browser that started a native messaging host: the program of the host's parent, and
    /// the script that started that. Chromium and its relatives name the script in `CHROME_WRAPPER`.
    package static func browser(of host: UInt32) -> [RunningProgram] {
        let variable = "CHROME_WRAPPER="
        let script = words(of: "/proc/\(host)/environ", limit: 65_536).first { $0.hasPrefix(variable) }
        return [
            ProcessFiles.status(of: host).flatMap { RunningProgram(of: $0.parent) },
            script.map { RunningProgram.script(at: String($0.dropFirst(variable.count))) },
        ].compactMap(\.self)
    }

    private static func arguments(of process: UInt32) -> [String] { words(of: "/proc/\(process)/cmdline") }

    /// Returns the words of a file, each followed by a null byte.
    private static func words(of file: String, limit: Int = limit) -> [String] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        // −1: no such process, or no access.
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            // −1 on failure; 0 without a command line. A full buffer may end within an argument, which is left out.
            let count = read(descriptor, buffer.baseAddress, limit)
            guard count > 0 else { return [] }
            let words = buffer[..<count].split(separator: 0, omittingEmptySubsequences: false)
            return words.dropLast().map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

/// The identity of a file, by device and inode, the same for all its paths.
package struct FileNumber: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// - Parameter path: the path. Symbolic links are followed.
    package init?(of path: String) {
        var status = stat()
        // −1: missing, or no access.
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}

/// Programs that run scripts, so that their own file does not identify an app.
enum Interpreter {
    private static let names: Set<String> = [
        "bash", "bun", "busybox", "dash", "deno", "electron", "env", "fish", "flatpak", "gapplication", "gjs",
        "gjs-console", "guile", "java", "ksh", "lua", "luajit", "mono", "node", "nodejs", "perl", "php", "pypy",
        "python", "qml", "qmlscene", "ruby", "sh", "snap", "tclsh", "wine", "wish", "zsh",
    ]

    /// - Parameter path: the path or name. A trailing version is ignored, as in `python3.11`.
    static func isOne(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        let end = name.lastIndex { !$0.isNumber && $0 != "." && $0 != "-" }
        return names.contains(String(name)) || end.map { names.contains(String(name[...$0])) } ?? false
    }

    /// Returns the script or module that an interpreter runs: the first argument that is neither an option nor the value of
    /// one; `nil` without one, as with `-c`.
    ///
    /// - Parameter command: the interpreter's path or name, and its arguments.
    static func program(of command: [String]) -> RunningProgram? {
        let isPython = command.first?.split(separator: "/").last?.hasPrefix("py") == true
        var arguments = command.dropFirst()
        while let argument = arguments.popFirst() {
            guard argument.hasPrefix("-") else { return .script(argument) }
            if isPython, argument.hasPrefix("-m") {
                let module = argument == "-m" ? arguments.first : String(argument.dropFirst(2))
                return module.map(RunningProgram.module)
            }
            if argument == "-c" { return nil }
            if isPython, ["-W", "-X"].contains(argument) { arguments = arguments.dropFirst() }
        }
        return nil
    }
}

/// An installed app whose program a process runs.
package struct ProgramOwner: Hashable, Sendable {
    /// Its desktop identifier.
    package let application: AppID
    /// Whether it is shown in app grids. Hidden entries represent file types or settings of the same program.
    package let isShown: Bool

    package init(application: AppID, isShown: Bool) { (self.application, self.isShown) = (application, isShown) }
}

/// The installed apps by their programs, as named in their desktop entries.
struct ProgramIndex: Sendable {
    /// The folders in which programs are found.
    let folders: Set<String>
    private var owners: [RunningProgram: [ProgramOwner]] = [:]

    /// Finds the programs of all installed apps. Reads every desktop entry.
    init(_ installed: InstalledApps) {
        var folders = Set(installed.programFolders)
        for entry in installed.identifiers.compactMap(installed.entry) {
            let owner = ProgramOwner(application: entry.id, isShown: !entry.boolean("NoDisplay"))
            let named = Self.programs(of: entry, installed)
            folders.formUnion(named.folders)
            for program in named.programs { owners[program, default: []].append(owner) }
        }
        self.folders = folders
    }

    /// Returns the programs that an entry names, and the folders in which they are.
    private static func programs(
        of entry: DesktopEntry, _ installed: InstalledApps
    ) -> (programs: Set<RunningProgram>, folders: [String]) {
        let commands = [try? entry.command(), entry.tryExec.map { [$0] }].compactMap(\.self)
        let modules = Set(commands.compactMap { module(of: $0) })
        let paths =
            Set(commands.compactMap { program(of: $0) }).compactMap { installed.path(ofProgram: $0) }
            + Set(commands.compactMap { script(of: $0) })
        let targets = paths.map { URL(filePath: $0).resolvingSymlinksInPath().path }
        let files = paths.compactMap(FileNumber.init(of:)).map(RunningProgram.file)
        return (
            modules.union(files).union(targets.map(RunningProgram.script)), (paths + targets).compactMap(folder)
        )
    }

    /// Returns the apps whose entries name a program of an entry.
    func owners(ofProgramsOf entry: DesktopEntry, _ installed: InstalledApps) -> [ProgramOwner] {
        Self.programs(of: entry, installed).programs.flatMap(owners)
    }

    /// Returns the apps of a program, in ascending order of their identifiers.
    func owners(of program: RunningProgram) -> [ProgramOwner] { owners[program] ?? [] }

    private static func folder(of path: String) -> String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

    /// Returns the command without `env` and its arguments.
    private static func bare(_ command: [String]) -> [String] {
        guard command.first?.split(separator: "/").last == "env" else { return command }
        return Array(command.dropFirst().drop { $0.hasPrefix("-") || $0.contains("=") })
    }

    /// Returns what an interpreter runs; `nil` for other programs.
    private static func started(by command: [String]) -> RunningProgram? {
        let command = bare(command)
        return command.first.map(Interpreter.isOne) == true ? Interpreter.program(of: command) : nil
    }

    private static func module(of command: [String]) -> RunningProgram? {
        if case .module(let name) = started(by: command) { .module(name) } else { nil }
    }

    private static func script(of command: [String]) -> String? {
        if case .script(let path) = started(by: command), path.hasPrefix("/") { path } else { nil }
    }

    /// Returns the program of a command; `nil` for an interpreter.
    static func program(of command: [String]) -> String? {
        bare(command).first.flatMap { Interpreter.isOne($0) ? nil : $0 }
    }
}

extension InstalledApps {
    /// Returns the apps whose program an entry names, itself included. Reads every desktop entry.
    ///
    /// - Returns: nothing if the entry names no program by which its app could be identified.
    package func owners(ofProgramOf entry: DesktopEntry) -> Set<ProgramOwner> {
        Set(ProgramIndex(self).owners(ofProgramsOf: entry, self))
    }

    /// Returns the apps whose program a process runs. Reads every desktop entry.
    package func owners(ofProgramOf process: UInt32) -> [ProgramOwner] {
        RunningProgram(of: process).map(ProgramIndex(self).owners) ?? []
    }
}
