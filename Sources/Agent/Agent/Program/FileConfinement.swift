internal import CLandlock
internal import Glibc
internal import HunchModel
package import Learning
internal import Regions
internal import Synchronization
internal import Localization

/// The files that a thread may read and write, enforced by the kernel with Landlock (landlock(7)).
///
/// The restriction is permanent for a thread and is inherited by threads and programs that it starts. So only the
/// threads that access files are confined. The loop's thread, which identifies callers and launches apps, is not.
package struct FileConfinement: Sendable {
    /// The outcome of confining a thread.
    package enum Outcome: Equatable, Sendable {
        case confined
        /// The kernel is older than Linux 5.13, or Landlock is disabled.
        case unsupported
        /// The kernel supports Landlock but refused. The value is the reason.
        case failed(String)

        /// The code on the bus.
        package var word: String {
            switch self {
            case .confined: "confined"
            case .unsupported: "unsupported"
            case .failed: "failed"
            }
        }
    }

    /// The absolute paths of folders and files that may be read, with everything below them. Missing paths are
    /// skipped.
    var readable: [String]
    /// The absolute paths of folders in which everything may be read, created, changed and removed.
    var writable: [String]

    /// Confines the calling thread.
    func confineThread() -> Outcome {
        let version = hunch_landlock_version()
        // ENOSYS, EOPNOTSUPP, or EPERM from a system call filter that does not know Landlock.
        guard version > 0 else { return .unsupported }
        let access = Access(version: version)
        let rules = hunch_landlock_make(access.all)
        guard rules >= 0 else { return failure("making rules") }
        defer { close(rules) }
        for path in readable {
            // −1: nothing readable at the path.
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

    /// The access rights, as numbered by the kernel.
    private struct Access {
        static let execution: UInt64 = 1 << 0
        static let readingFile: UInt64 = 1 << 2
        static let reading = readingFile | 1 << 3

        /// All rights that a version of the interface supports.
        package let all: UInt64

        init(version: Int32) {
            // 13 rights in the first version; later ones add linking across folders, truncating, and device commands.
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

/// Confines threads for files, and reports it if the kernel refuses.
package final class ThreadConfinement: Sendable {
    private let state = Mutex<FileConfinement.Outcome?>(nil)
    private let problems: ProblemReporter

    package init(_ problems: ProblemReporter) { self.problems = problems }

    /// The worst outcome so far; `unsupported` before the first thread was confined.
    package var outcome: FileConfinement.Outcome { state.withLock(\.self) ?? .unsupported }

    /// Confines the calling thread.
    package func confine(_ confinement: FileConfinement) {
        let outcome = confinement.confineThread()
        if case .failed(let reason) = outcome {
            problems.report(localized("the kernel did not confine the agent's access to files: %1", "\(reason)"))
        }
        state.withLock { state in
            if case .failed = state { return }
            state = outcome
        }
    }
}

extension FileConfinement {
    /// The confinement of the thread that reads files named by others: it reads anything and writes nothing.
    package static let foreignFiles = FileConfinement(readable: ["/"], writable: [])

    /// Returns the confinement of the store's thread. It writes only the agent's own two folders. In the home
    /// directory it reads settings and installed data, but no documents.
    ///
    /// Creates the two folders, since only existing ones can be allowed.
    package static func store(_ configuration: AgentConfiguration) -> FileConfinement {
        let base = configuration.directories
        let own = [base.stateHome, base.cacheHome].compactMap { $0.map { $0 + "/hunch" } }
        for folder in own { makeFolder(folder) }
        let coverage = CoverageFolder.standard(
            environment: configuration.environment, executableFolder: OwnProgram.folder)
        let home = configuration.environment["HOME"] ?? "/"
        return FileConfinement(
            readable: folders(outside: home) + base.dataSearchPath.map(existing) + base.configSearchPath.map(existing)
                + coverage.map(\.path),
            writable: own.filter { kind(of: $0) == S_IFDIR })
    }

    /// Returns the entries of the root folder, except ancestors of the home directory. Links to installed files may
    /// lead anywhere in them.
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

    /// Returns the path itself, or its nearest existing ancestor, since it may be created later.
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
