internal import CLandlock
internal import Glibc
internal import HunchModel
internal import Regions

/// The files that a thread may read and write; the kernel refuses it all others (Landlock, landlock(7)).
///
/// It holds for a thread for good, and for the threads and programs that it starts. So the threads that touch files are confined,
/// and the loop's thread, which identifies callers and starts apps, is not.
struct FileConfinement: Sendable {
    /// The outcome of confining a thread.
    enum Outcome: Equatable, Sendable {
        case confined
        /// The kernel is older than Linux 5.13, or has Landlock switched off.
        case unsupported
        /// The kernel has it and refused; why, in words.
        case failed(String)

        /// The word for it on the bus.
        var word: String {
            switch self {
            case .confined: "confined"
            case .unsupported: "unsupported"
            case .failed: "failed"
            }
        }
    }

    /// Absolute paths of the folders and files that may be read, with everything below them. Missing ones are passed over.
    var readable: [String]
    /// Absolute paths of the folders in which everything may be read, made, changed and removed.
    var writable: [String]

    /// Confines the calling thread.
    func confineThread() -> Outcome {
        let version = hunch_landlock_version()
        // ENOSYS, EOPNOTSUPP; EPERM where a filter of system calls does not know it.
        guard version > 0 else { return .unsupported }
        let access = Access(version: version)
        let rules = hunch_landlock_make(access.all)
        guard rules >= 0 else { return failure("making rules") }
        defer { close(rules) }
        for path in readable {
            // −1: there is nothing at the path that could be read.
            guard let kind = Self.kind(of: path) else { continue }
            let allowed = kind == S_IFDIR ? Access.reading : Access.readingFile
            guard hunch_landlock_allow(rules, path, allowed) == 0 else { return failure("allowing \(path)") }
        }
        for path in writable {
            guard hunch_landlock_allow(rules, path, access.all & ~Access.execution) == 0 else {
                return failure("allowing \(path)")
            }
        }
        return hunch_landlock_restrict_thread(rules) == 0 ? .confined : failure("confining a thread")
    }

    private func failure(_ action: String) -> Outcome { .failed("\(action): \(String(cString: strerror(errno)))") }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Kinds of access, as the kernel numbers them.
    private struct Access {
        static let execution: UInt64 = 1 << 0
        static let readingFile: UInt64 = 1 << 2
        static let reading = readingFile | 1 << 3

        /// All kinds that a version of the interface knows.
        let all: UInt64

        init(version: Int32) {
            // 13 kinds from the first version on, then linking across folders, truncating, and commands to devices.
            let count =
                switch version {
                case 1: 13
                case 2: 14
                case 3, 4: 15
                default: 16
                }
            all = (1 << UInt64(count)) - 1
        }
    }
}

extension FileConfinement {
    /// For the thread that reads files that others name: it reads anything and writes nothing.
    static let foreignFiles = FileConfinement(readable: ["/"], writable: [])

    /// For the thread of the store: it writes the agent's own two folders alone. In the person's home it reads settings and what
    /// is installed, and no documents.
    ///
    /// The two folders are made, since only what exists can be allowed.
    static func store(_ configuration: AgentConfiguration) -> FileConfinement {
        let base = configuration.directories
        let own = [base.stateHome, base.cacheHome].compactMap { $0.map { $0 + "/hunch" } }
        for folder in own { makeFolder(folder) }
        let coverage = CoverageFolder.standard(
            environment: configuration.environment, executableFolder: configuration.executableFolder)
        let home = configuration.environment["HOME"] ?? "/"
        return FileConfinement(
            readable: folders(outside: home) + base.dataSearchPath.map(existing) + base.configSearchPath.map(existing)
                + coverage.map(\.path),
            writable: own.filter { kind(of: $0) == S_IFDIR })
    }

    /// The folders and files right below the root but those on the way to the home folder: links to what is installed may lead
    /// anywhere in them.
    private static func folders(outside home: String) -> [String] {
        let first = home.split(separator: "/").first
        guard let root = opendir("/") else { return [] }
        defer { closedir(root) }
        var paths: [String] = []
        while let entry = readdir(root) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != "..", Substring(name) != first { paths.append("/\(name)") }
        }
        return paths
    }

    /// The path itself, or the nearest folder above it that exists: it may be made later.
    private static func existing(_ path: String) -> String {
        var path = path
        while kind(of: path) == nil, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = String(path[..<slash])
        }
        return path
    }

    private static func makeFolder(_ folder: String) {
        for end in folder.indices.dropFirst() where folder[end] == "/" { mkdir(String(folder[..<end]), 0o700) }
        mkdir(folder, 0o700)
    }
}
