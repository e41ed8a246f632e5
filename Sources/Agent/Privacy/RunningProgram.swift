internal import Directions
internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// The program of a process: the file that it executes, or the script that its interpreter was started with.
enum RunningProgram: Hashable, Sendable {
    /// An executable file, whatever its path.
    case file(FileNumber)
    /// The absolute path of a script, as the command line of the process gives it. That is the process's own word.
    case script(String)

    /// The most bytes of a command line that are read.
    private static let limit = 4_096

    /// Reads what a process runs; `nil` when it may not be looked at, and for an interpreter without a script of its own.
    init?(of process: UInt32) {
        let link = "/proc/\(process)/exe"
        guard let file = FileNumber(of: link),
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        else { return nil }
        guard Interpreter.isOne(path) else {
            self = .file(file)
            return
        }
        guard let script = Interpreter.script(in: Self.arguments(of: process).dropFirst()) else { return nil }
        self = .script(script)
    }

    private static func arguments(of process: UInt32) -> [String] {
        let descriptor = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        // −1: there is no such process, or it may not be looked at.
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            // −1 on failure; 0 for a process that has none. A full buffer ends within an argument, which is left out.
            let count = read(descriptor, buffer.baseAddress, limit)
            guard count > 0 else { return [] }
            let words = buffer[..<count].split(separator: 0, omittingEmptySubsequences: false)
            return words.dropLast().map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

/// A file by its number, which is the same for all its paths.
struct FileNumber: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// - Parameter path: links are followed.
    init?(of path: String) {
        var status = stat()
        // −1: not there, or not to be looked at.
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}

/// Programs that run other programs, so that their own file does not tell which app they are.
enum Interpreter {
    private static let names: Set<String> = [
        "bash", "bun", "busybox", "dash", "deno", "electron", "env", "fish", "flatpak", "gapplication", "gjs",
        "gjs-console", "guile", "java", "ksh", "lua", "luajit", "mono", "node", "nodejs", "perl", "php", "pypy",
        "python", "qml", "qmlscene", "ruby", "sh", "snap", "tclsh", "wine", "wish", "zsh",
    ]

    /// - Parameter path: its path or name; a version at the end does not matter, as in `python3.11`.
    static func isOne(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        let end = name.lastIndex { !$0.isNumber && $0 != "." && $0 != "-" }
        return names.contains(String(name)) || end.map { names.contains(String(name[...$0])) } ?? false
    }

    /// The script among an interpreter's arguments: the first that is no option, where it is an absolute path. The word
    /// after an option such as `-c` or `-m` may be something else, and is then no absolute path.
    static func script(in arguments: some Sequence<String>) -> String? {
        arguments.first { !$0.hasPrefix("-") }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}

/// An installed app whose program a process runs.
struct ProgramOwner: Hashable, Sendable {
    /// Its desktop identifier.
    let application: String
    /// Whether it is shown among the apps; others stand for a kind of file or a setting of the same program.
    let isShown: Bool
}

/// The installed apps by their programs, as their desktop entries name these.
struct ProgramIndex: Sendable {
    /// The folders that decide which files the programs are.
    let folders: Set<String>
    private var owners: [RunningProgram: [ProgramOwner]] = [:]

    /// Looks for the programs of all installed apps. Reads every desktop entry.
    init(_ installed: InstalledApplications) {
        var folders = Set(installed.programFolders)
        for entry in installed.identifiers.compactMap(installed.entry) {
            let owner = ProgramOwner(application: entry.id, isShown: !entry.boolean("NoDisplay"))
            let commands = [try? entry.command(), entry.tryExec.map { [$0] }]
            let names = Set(commands.compactMap { $0.flatMap(Self.program) })
            let paths = names.compactMap(installed.path(ofProgram:))
            let targets = paths.map { URL(filePath: $0).resolvingSymlinksInPath().path }
            folders.formUnion((paths + targets).compactMap(Self.folder))
            let files = paths.compactMap(FileNumber.init(of:)).map(RunningProgram.file)
            for program in Set(files + (paths + targets).map(RunningProgram.script)) {
                owners[program, default: []].append(owner)
            }
        }
        self.folders = folders
    }

    /// The apps whose program it is, in ascending order of their identifiers.
    func owners(of program: RunningProgram) -> [ProgramOwner] { owners[program] ?? [] }

    private static func folder(of path: String) -> String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

    private static func program(of command: [String]) -> String? {
        var command = command[...]
        if command.first?.split(separator: "/").last == "env" {
            command = command.dropFirst().drop { $0.hasPrefix("-") || $0.contains("=") }
        }
        guard let first = command.first, Interpreter.isOne(first) else { return command.first }
        return Interpreter.script(in: command.dropFirst())
    }
}
