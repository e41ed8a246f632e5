import Coordinates
internal import FoundationEssentials
import Glibc
public import HunchModel

/// The requests that were handed to apps within the last two seconds.
///
/// Some apps do not open places themselves but hand them to the desktop, which hands them back to Hunch. ``Handover``
/// detects that by the app's environment. This type detects it if the environment was lost, as with D-Bus activation.
public struct RecentHandovers: Hashable, Sendable {
    /// The time within which an equal request counts as returned, in milliseconds.
    static let window = 2_000
    /// The maximum number of requests that are remembered.
    private static let limit = 64

    private struct Entry: Hashable, Sendable {
        var time: Int
        var applications: [AppID]
    }

    private var entries: [UInt64: Entry] = [:]

    /// Creates an empty memory.
    public init() {}

    /// Notes a request that arrives at Hunch.
    ///
    /// - Parameter now: the milliseconds of a monotonic clock.
    /// - Returns: the apps that just received the same request; `nil` if the request is new.
    public mutating func arrive(_ request: DirectionsRequest, at now: Int) -> [AppID]? {
        let key = request.destinationHash
        let former = entries[key].flatMap { Self.isRecent($0, now) ? $0 : nil }
        entries[key] = Entry(time: now, applications: former?.applications ?? [])
        trim(now)
        return former?.applications
    }

    /// Returns the apps that just received a request.
    public func applications(for request: DirectionsRequest, at now: Int) -> [AppID] {
        entries[request.destinationHash].flatMap { Self.isRecent($0, now) ? $0.applications : nil } ?? []
    }

    /// Notes that an app was handed a request.
    public mutating func note(_ application: AppID, for request: DirectionsRequest, at now: Int) {
        let key = request.destinationHash
        let former = entries[key].flatMap { Self.isRecent($0, now) ? $0 : nil }
        entries[key] = Entry(time: now, applications: (former?.applications ?? []) + [application])
        trim(now)
    }

    private mutating func trim(_ now: Int) {
        entries = entries.filter { Self.isRecent($0.value, now) }
        while entries.count > Self.limit, let oldest = entries.min(by: { $0.value.time < $1.value.time }) {
            entries[oldest.key] = nil
        }
    }

    private static func isRecent(_ entry: Entry, _ now: Int) -> Bool { (0...window).contains(now &- entry.time) }

    // MARK: Text form

    /// The text form, with a line for each request: time, hash of the place, apps.
    var text: String {
        entries.map {
            "\($0.value.time) \(String($0.key, radix: 16)) \($0.value.applications.map(\.rawValue).joined(separator: ","))\n"
        }
        .joined()
    }

    /// Reads ``text``. Invalid lines are skipped.
    init(text: String) {
        for line in text.split(separator: "\n").suffix(Self.limit) {
            let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let time = Int(fields[0]), let key = UInt64(fields[1], radix: 16) else { continue }
            entries[key] = Entry(time: time, applications: fields[2].split(separator: ",").map { AppID(String($0)) })
        }
    }
}

extension DirectionsRequest {
    /// The hash of the destination, independent of the link form: its coordinate to four decimals (about ten metres),
    /// or its words.
    fileprivate var destinationHash: UInt64 {
        let place = destination
        guard let coordinate = place.coordinate else {
            return StableHash((place.query ?? place.name ?? place.address?.singleLine ?? "").lowercased().utf8).value
        }
        let degrees = [coordinate.latitude, coordinate.longitude].map { DecimalNumber.text(of: ($0 * 1e4).rounded()) }
        return StableHash(degrees.joined(separator: ",").utf8).value
    }
}

/// The ``RecentHandovers`` of all `hunch handler open` processes of a user, in a private file.
public struct RecentHandoverFile: Sendable {
    private let path: String

    /// Creates a reference to the file in the session's runtime folder, or else in the cache.
    ///
    /// - Returns: `nil` if the environment contains neither.
    public init?(environment: [String: String]) {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = runtime ?? BaseDirectories(environment: environment).cacheHome else { return nil }
        path = "\(folder)/hunch/handovers"
    }

    /// Reads the memory from the file, changes it and writes it back, under a lock. If the file cannot be used, changes
    /// an empty memory, so that a clicked link opens anyway.
    public func change<Result>(_ body: (inout RecentHandovers, _ now: Int) -> Result) -> Result {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let time = now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // −1 on failure.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            var nothing = RecentHandovers()
            return body(&nothing, time)
        }
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = max(0, pread(descriptor, &buffer, buffer.count, 0))
        var memory = RecentHandovers(text: String(decoding: buffer.prefix(count), as: UTF8.self))
        let result = body(&memory, time)
        let text = Array(memory.text.utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
        return result
    }
}
