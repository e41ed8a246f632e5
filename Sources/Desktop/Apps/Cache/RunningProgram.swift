internal import DesktopFiles
internal import FoundationEssentials
internal import Glibc
internal import HunchDBus
package import HunchModel

/// The program of a process: its executable file, or the script of its interpreter.
package enum RunningProgram: Hashable, Sendable {
    /// An executable file, independent of its path.
    case file(FileNumber)
    /// The absolute path of a script from the command line of the process, which the process can forge.
    case script(String)

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
        let arguments = Self.arguments(of: process).dropFirst()
        guard let script = Interpreter.script(in: arguments) ?? Self.relativeScript(of: process, arguments) else {
            return nil
        }
        self = .script(script)
    }

    /// Returns the absolute path of a script that was started by a relative one, if the process is still in that folder.
    private static func relativeScript(of process: UInt32, _ arguments: some Sequence<String>) -> String? {
        guard let path = arguments.first(where: { !$0.hasPrefix("-") }),
            let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
        else { return nil }
        let absolute = URL(filePath: path, relativeTo: URL(filePath: folder + "/")).standardized.path
        return FileNumber(of: absolute) == nil ? nil : absolute
    }

    /// Returns the programs of the browser that started a native messaging host: the program of the host's parent, and
    /// the script that started that. Chromium and its relatives name the script in `CHROME_WRAPPER`.
    package static func browser(of host: UInt32) -> [RunningProgram] {
        let variable = "CHROME_WRAPPER="
        let script = words(of: "/proc/\(host)/environ", limit: 65_536).first { $0.hasPrefix(variable) }
        return [
            ProcessFiles.status(of: host).flatMap { RunningProgram(of: $0.parent) },
            script.map { .script(String($0.dropFirst(variable.count))) },
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

    /// Returns the script among an interpreter's arguments: the first argument that is not an option, if it is an
    /// absolute path. A value after an option such as `-c` or `-m` is not an absolute path.
    static func script(in arguments: some Sequence<String>) -> String? {
        arguments.first { !$0.hasPrefix("-") }.flatMap { $0.hasPrefix("/") ? $0 : nil }
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

    /// Returns the apps of a program, in ascending order of their identifiers.
    func owners(of program: RunningProgram) -> [ProgramOwner] { owners[program] ?? [] }

    private static func folder(of path: String) -> String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

    /// Returns the program of a command, or the script of its interpreter.
    static func program(of command: [String]) -> String? {
        var command = command[...]
        if command.first?.split(separator: "/").last == "env" {
            command = command.dropFirst().drop { $0.hasPrefix("-") || $0.contains("=") }
        }
        guard let first = command.first, Interpreter.isOne(first) else { return command.first }
        return Interpreter.script(in: command.dropFirst())
    }
}
