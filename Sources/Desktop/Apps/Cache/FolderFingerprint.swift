internal import Glibc
internal import HunchModel

/// The state of folders and files, such as those of desktop entries.
///
/// It compares modification times. A check costs about a microsecond a file; those of large folders can be watched. Files
/// are checked relative to their folder, whose path is resolved once. All members access the disk, which may block.
package struct FolderFingerprint: Sendable {
    private struct Stamp: Equatable {
        var seconds = 0
        var nanoseconds = 0
        /// The device and inode of the file. In some package stores all files have the same time.
        var device: dev_t = 0
        var file: ino_t = 0
        var size: off_t = 0
    }

    /// The longest time between two changes that may have the same time stamp, in seconds. File systems use the time
    /// of the kernel's last tick.
    private static let tick = 0.02

    /// The time of the last change, by folder and name.
    private var stamps: [String: [String: Stamp]] = [:]
    /// The same for files that are checked only after events.
    private var watchedStamps: [String: [String: Stamp]] = [:]
    private var watch: FolderWatch?
    /// The smallest number of files for which a folder is watched.
    private static let large = 32
    /// Whether a path changed so recently that another change may have the same time stamp.
    private var isFresh = false

    /// Records the folders of desktop entries and the lists of default apps.
    package init(environment: [String: String]) {
        let base = BaseDirectories(environment: environment)
        let applications = base.dataSearchPath.map { $0 + "/applications" }
        let lists = (base.configSearchPath + applications).flatMap { folder in
            DefaultApps.listNames(environment: environment).map { "\(folder)/\($0)" }
        }
        look(at: applications + lists)
    }

    /// Adds listed desktop entries that are not read yet, and their folders.
    package mutating func add(entries: [String]) {
        let folders = Set(entries.compactMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } })
        look(at: folders + entries)
    }

    /// Adds folders and files. A folder's time changes when a file in it is added, removed or replaced, but not when the
    /// file is written in place.
    package mutating func add(_ paths: some Sequence<String>) { look(at: paths) }

    /// Watches large folders, so that their files are checked only after an event. Call it after all paths were added. Files
    /// that can change without an event are still checked each time: links, and those of file systems that are not local.
    package mutating func watchLargeFolders() {
        for (folder, known) in stamps where known.count >= Self.large && FolderWatch.isLocal(folder) {
            watchedStamps[folder] = Self.withFolder(folder) { descriptor in
                known.filter { Self.hasOnePath($0.key, in: descriptor) }
            }
        }
        watch = watchedStamps.isEmpty ? nil : FolderWatch(watchedStamps.keys)
        if watch == nil { watchedStamps = [:] }
        for (folder, names) in watchedStamps { stamps[folder] = stamps[folder]?.filter { names[$0.key] == nil } }
    }

    /// Whether a file is no symbolic link and has no other hard links. Changes through other paths give no events.
    private static func hasOnePath(_ name: String, in folder: Int32) -> Bool {
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_nlink == 1
    }

    private mutating func look(at paths: some Sequence<String>) {
        var added: [String: Set<String>] = [:]
        for path in paths {
            let slash = path.lastIndex(of: "/") ?? path.startIndex
            let (folder, name) = (String(path[..<slash]), String(path[slash...].dropFirst()))
            if stamps[folder]?[name] == nil { added[folder, default: []].insert(name) }
        }
        for (folder, names) in added {
            let found = Self.withFolder(folder) { folder in
                Dictionary(uniqueKeysWithValues: names.map { ($0, Self.stamp(of: $0, in: folder)) })
            }
            isFresh = isFresh || Self.containsRecent(found.values)
            stamps[folder, default: [:]].merge(found) { $1 }
        }
    }

    private static func containsRecent(_ stamps: some Sequence<Stamp>) -> Bool {
        var now = timespec()
        // The clock of file times. It lags behind the precise clock by up to a tick or more.
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        return stamps.contains { stamp in
            // A file may have any time, even one at which integer subtraction overflows.
            abs(Double(now.tv_sec) - Double(stamp.seconds) + Double(now.tv_nsec - stamp.nanoseconds) / 1e9) < tick
        }
    }

    /// Whether nothing has changed since. Never true shortly after a change.
    package var isCurrent: Bool {
        !isFresh && Self.hold(stamps) && watch?.isCurrent { Self.hold(watchedStamps) } ?? true
    }

    private static func hold(_ stamps: [String: [String: Stamp]]) -> Bool {
        stamps.allSatisfy { folder, known in
            withFolder(folder) { folder in known.allSatisfy { stamp(of: $0.key, in: folder) == $0.value } }
        }
    }

    /// `O_PATH` of Linux, which needs no permission to read the folder; glibc's Swift module leaves it out.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Calls a closure with a descriptor of a folder; −1 for a missing folder, which is a valid state.
    private static func withFolder<Result>(_ path: String, _ body: (Int32) -> Result) -> Result {
        let descriptor = open(path.isEmpty ? "/" : path, pathOnly | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        return body(descriptor)
    }

    private static func stamp(of name: String, in folder: Int32) -> Stamp {
        var status = stat()
        // −1: no file of that name exists.
        guard folder >= 0, fstatat(folder, name, &status, 0) == 0 else { return Stamp() }
        return Stamp(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, device: status.st_dev,
            file: status.st_ino, size: status.st_size)
    }
}
