internal import Directions
internal import Glibc
internal import HunchModel
internal import Regions

/// When the folders and coverage files that the catalogue of routing apps comes from were last changed.
///
/// A look at their times costs about a microsecond each; watching them would cost descriptors for as long as the agent
/// lives.
struct FolderFingerprint: Sendable {
    private struct Moment: Equatable {
        var seconds = 0
        var nanoseconds = 0
    }

    /// How far apart two changes may be and yet bear the same time, in seconds: file systems take the time of the
    /// kernel's last tick.
    private static let tick = 0.02

    private var paths: [String]
    private var moments: [Moment]
    /// Whether a change just after this one was taken could bear a time that it has seen.
    private var isFresh: Bool

    init(coverage: [CoverageFolder], environment: [String: String]) {
        let folders = BaseDirectories(environment: environment)
        let applications = folders.dataSearchPath.map { $0 + "/applications" }
        let lists = DefaultApplications.listNames(environment: environment)
        paths =
            coverage.map(\.path)
            // A file that is written in place leaves its folder's time as it was.
            + coverage.flatMap { (try? $0.files()) ?? [] }
            + applications
            + (applications + folders.configSearchPath).flatMap { folder in lists.map { "\(folder)/\($0)" } }
        moments = paths.map(Self.moment)
        isFresh = Self.containsRecent(moments)
    }

    /// Takes desktop entries in whose contents count too, which are listed but not read yet, and the folders that they are
    /// in: these may lie below those that are known.
    mutating func add(entries: [String]) {
        let folders = Set(entries.compactMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } })
        let added = entries + folders.subtracting(paths)
        let moments = added.map(Self.moment)
        paths += added
        self.moments += moments
        isFresh = isFresh || Self.containsRecent(moments)
    }

    private static func containsRecent(_ moments: [Moment]) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return moments.contains { moment in
            // A file may bear any time, even one that integers cannot be subtracted from.
            abs(Double(now.tv_sec) - Double(moment.seconds) + Double(now.tv_nsec - moment.nanoseconds) / 1e9) < tick
        }
    }

    /// Whether nothing has changed since.
    var isCurrent: Bool { !isFresh && paths.map(Self.moment) == moments }

    private static func moment(_ path: String) -> Moment {
        var status = stat()
        // −1: there is nothing at the path, which is a state like any other.
        guard stat(path, &status) == 0 else { return Moment() }
        return Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }
}
