internal import Directions
internal import Glibc
internal import HunchModel
internal import Regions

/// The state of the folders, coverage files and desktop entries that the catalogue of routing apps is read from.
///
/// It is told by the times of their last changes. A look costs about a microsecond a file, so that nothing has to be watched:
/// files are looked at from their folder, whose path is followed once. All members touch the disk, which may block.
struct FolderFingerprint: Sendable {
    private struct Moment: Equatable {
        var seconds = 0
        var nanoseconds = 0
        /// The file itself. In some package stores all files have the same time.
        var device: dev_t = 0
        var file: ino_t = 0
        var size: off_t = 0
    }

    /// The longest time between two changes that may have the same time stamp, in seconds. File systems take the time of
    /// the kernel's last tick.
    private static let tick = 0.02

    /// The time of the last change by folder and name.
    private var moments: [String: [String: Moment]] = [:]
    /// Whether a path changed so lately that another change may have the same time stamp.
    private var isFresh = false

    /// Looks at the folders of coverage files and desktop entries, and at the lists of default apps.
    init(coverage: [CoverageFolder], environment: [String: String]) {
        let base = BaseDirectories(environment: environment)
        let applications = base.dataSearchPath.map { $0 + "/applications" }
        let lists = (base.configSearchPath + applications).flatMap { folder in
            DefaultApplications.listNames(environment: environment).map { "\(folder)/\($0)" }
        }
        // A file that is written in place leaves the time of its folder as it was.
        look(at: coverage.map(\.path) + applications + lists + coverage.flatMap { (try? $0.files()) ?? [] })
    }

    /// Adds desktop entries that are listed and not read yet, and the folders that they are in.
    mutating func add(entries: [String]) {
        let folders = Set(entries.compactMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } })
        look(at: folders + entries)
    }

    /// Adds folders, each of which changes when a file in it comes, goes or is replaced.
    mutating func add(folders: some Sequence<String>) { look(at: folders) }

    private mutating func look(at paths: some Sequence<String>) {
        var added: [String: Set<String>] = [:]
        for path in paths {
            let slash = path.lastIndex(of: "/") ?? path.startIndex
            let (folder, name) = (String(path[..<slash]), String(path[slash...].dropFirst()))
            if moments[folder]?[name] == nil { added[folder, default: []].insert(name) }
        }
        for (folder, names) in added {
            let found = Self.withFolder(folder) { folder in
                Dictionary(uniqueKeysWithValues: names.map { ($0, Self.moment(of: $0, in: folder)) })
            }
            isFresh = isFresh || Self.containsRecent(found.values)
            moments[folder, default: [:]].merge(found) { $1 }
        }
    }

    private static func containsRecent(_ moments: some Sequence<Moment>) -> Bool {
        var now = timespec()
        // The clock that files have their times from; where ticks are late, it is behind the other one by any time.
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        return moments.contains { moment in
            // A file may bear any time, even one that integers cannot be subtracted from.
            abs(Double(now.tv_sec) - Double(moment.seconds) + Double(now.tv_nsec - moment.nanoseconds) / 1e9) < tick
        }
    }

    /// Whether nothing has changed since. Never true shortly after a change.
    var isCurrent: Bool {
        !isFresh
            && moments.allSatisfy { folder, known in
                Self.withFolder(folder) { folder in known.allSatisfy { Self.moment(of: $0.key, in: folder) == $0.value }
                }
            }
    }

    /// `O_PATH` of Linux, which needs no permission to read the folder; glibc's Swift module leaves it out.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Lends a descriptor of a folder; −1 where there is no such folder, which is a state like any other.
    private static func withFolder<Result>(_ path: String, _ body: (Int32) -> Result) -> Result {
        let descriptor = open(path.isEmpty ? "/" : path, pathOnly | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        return body(descriptor)
    }

    private static func moment(of name: String, in folder: Int32) -> Moment {
        var status = stat()
        // −1: there is nothing of that name.
        guard folder >= 0, fstatat(folder, name, &status, 0) == 0 else { return Moment() }
        return Moment(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, device: status.st_dev,
            file: status.st_ino, size: status.st_size)
    }
}
