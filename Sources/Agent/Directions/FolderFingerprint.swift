internal import Directions
internal import Glibc
internal import HunchModel
internal import Regions

/// How the folders and coverage files stood that the catalogue of routing apps comes from.
///
/// Where they are watched, nothing has to be looked at as long as nothing changes, but for what links lead to or through, which
/// is beyond the folders. Where they are not, or the kernel has no room for watches, changes are seen by the times of the last
/// one, which cost about a microsecond each.
struct FolderFingerprint: Sendable {
    private struct Moment: Equatable {
        var seconds = 0
        var nanoseconds = 0
        /// Which file it is: in some stores all bear the same time.
        var device: dev_t = 0
        var file: ino_t = 0
        var size: off_t = 0
    }

    /// How far apart two changes may be and yet bear the same time, in seconds: file systems take the time of the
    /// kernel's last tick.
    private static let tick = 0.02

    private var folders: [String]
    /// Files beyond the folders.
    private let files: [String]
    /// Files in the folders that count by what they say. One that is written in place leaves its folder's time as it was.
    private var contents: [String]
    private let watch: FolderWatch?
    /// `nil` where nothing is watched.
    private var look: FolderWatch.Look?
    /// When what is looked at was last changed, by path.
    private var moments: [String: Moment] = [:]
    /// Whether something has changed already, or could just after this was taken and bear a time that it has seen.
    private var isFresh = false

    /// - Parameter watch: what it watches before counts no longer; `nil` to go by times alone.
    init(coverage: [CoverageFolder], environment: [String: String], watch: FolderWatch? = nil) {
        self.watch = watch
        let base = BaseDirectories(environment: environment)
        let applications = base.dataSearchPath.map { $0 + "/applications" }
        let lists = DefaultApplications.listNames(environment: environment)
        func paths(in folders: [String]) -> [String] { folders.flatMap { folder in lists.map { "\(folder)/\($0)" } } }
        folders = coverage.map(\.path) + applications
        files = paths(in: base.configSearchPath)
        contents = coverage.flatMap { (try? $0.files()) ?? [] } + paths(in: applications)
        look = watch?.begin(folders: folders, files: files)
        takeTimes()
    }

    /// Takes desktop entries in whose contents count too, which are listed but not read yet, and the folders that they are
    /// in: these may lie below those that are known.
    mutating func add(entries: [String]) {
        let found = Set(entries.compactMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } })
        let added = found.subtracting(folders).sorted()
        folders += added
        contents += entries
        if let known = look, watch?.extend(known, folders: added) == false {
            look = nil
            // What has changed since the watch began is not known.
            isFresh = true
        }
        takeTimes()
    }

    private mutating func takeTimes() {
        let beyond = look == nil ? [] : (files + contents).filter(Self.isLink) + folders.filter(Self.isThroughLinks)
        let looked = look == nil ? folders + files + contents : beyond
        for path in looked where moments[path] == nil { moments[path] = Self.moment(path) }
        isFresh = isFresh || Self.containsRecent(moments.values)
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

    /// Whether telling what is current takes a look at the disk, which may block.
    var needsDisk: Bool { !moments.isEmpty }

    /// Whether nothing has changed since.
    var isCurrent: Bool {
        if isFresh { return false }
        if let look, watch?.hasChanged(since: look) == true { return false }
        return moments.allSatisfy { Self.moment($0.key) == $0.value }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        // −1: there is nothing at the path.
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether a link is on the way, which may lead to another one, or nowhere yet.
    private static func isThroughLinks(_ path: String) -> Bool {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            if isLink(String(path[..<end])) { return true }
        }
        return false
    }

    private static func moment(_ path: String) -> Moment {
        var status = stat()
        // −1: there is nothing at the path, which is a state like any other.
        guard stat(path, &status) == 0 else { return Moment() }
        return Moment(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, device: status.st_dev,
            file: status.st_ino, size: status.st_size)
    }
}
