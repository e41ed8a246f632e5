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

    private let paths: [String]
    private let moments: [Moment]
    /// Whether a change just after this one was taken could bear a time that it has seen.
    private let isFresh: Bool

    init(coverage: [CoverageFolder], environment: [String: String]) {
        let folders = BaseDirectories(environment: environment)
        paths =
            coverage.map(\.path)
            // A file that is written in place leaves its folder's time as it was.
            + coverage.flatMap { (try? $0.files()) ?? [] }
            + folders.dataSearchPath.flatMap { ["\($0)/applications", "\($0)/applications/mimeapps.list"] }
            + folders.configSearchPath.map { "\($0)/mimeapps.list" }
        let moments = paths.map(Self.moment)
        self.moments = moments
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        isFresh = moments.contains { moment in
            // A file may bear any time, even one that integers cannot be subtracted from.
            abs(Double(now.tv_sec) - Double(moment.seconds) + Double(now.tv_nsec - moment.nanoseconds) / 1e9)
                < Self.tick
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
