internal import FoundationEssentials
import Glibc
internal import HunchModel
internal import Places

/// The requests that were handed to apps within the last two seconds.
///
/// An app that opens no places itself hands them to the desktop, which hands them to Hunch again. ``Handover`` tells that
/// by the app's environment. This tells it where the environment was lost, as it is by D-Bus activation.
public struct RecentHandovers: Hashable, Sendable {
    /// The time within which the same request counts as one that came back, in milliseconds.
    static let window = 2_000
    /// The most requests that are remembered.
    private static let limit = 64

    private struct Entry: Hashable, Sendable {
        var time: Int
        var applications: [String]
    }

    private var entries: [UInt64: Entry] = [:]

    /// Makes a memory of nothing.
    public init() {}

    /// Notes that a request came in.
    ///
    /// - Parameter now: milliseconds of a clock that is not set.
    /// - Returns: the apps that were handed the same request just before; `nil` when it did not come back.
    public mutating func arrive(_ request: DirectionsRequest, at now: Int) -> [String]? {
        let key = request.destinationHash
        let former = entries[key].flatMap { Self.isRecent($0, now) ? $0 : nil }
        entries[key] = Entry(time: now, applications: former?.applications ?? [])
        trim(now)
        return former?.applications
    }

    /// Returns the apps that were handed a request just before; empty when none was.
    public func applications(for request: DirectionsRequest, at now: Int) -> [String] {
        entries[request.destinationHash].flatMap { Self.isRecent($0, now) ? $0.applications : nil } ?? []
    }

    /// Notes that an app was handed a request.
    public mutating func note(_ application: String, for request: DirectionsRequest, at now: Int) {
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

    // MARK: As text

    /// A line for each request: time, hash of the place, apps.
    var text: String {
        entries.map {
            "\($0.value.time) \(String($0.key, radix: 16)) \($0.value.applications.joined(separator: ","))\n"
        }
        .joined()
    }

    /// Reads ``text``. Lines of another form are passed over.
    init(text: String) {
        for line in text.split(separator: "\n").suffix(Self.limit) {
            let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let time = Int(fields[0]), let key = UInt64(fields[1], radix: 16) else { continue }
            entries[key] = Entry(time: time, applications: fields[2].split(separator: ",").map(String.init))
        }
    }
}

extension DirectionsRequest {
    /// The destination, whatever the form of its link: to four decimals, some ten metres, or by its words.
    fileprivate var destinationHash: UInt64 {
        let place = destination
        guard let coordinate = place.coordinate else {
            return StableHash((place.query ?? place.name ?? place.address?.singleLine ?? "").lowercased().utf8).value
        }
        let degrees = [coordinate.latitude, coordinate.longitude].map { DecimalNumber.text(of: ($0 * 1e4).rounded()) }
        return StableHash(degrees.joined(separator: ",").utf8).value
    }
}

/// The ``RecentHandovers`` of all `hunch handler open` processes of a person, in a file that only they read.
public struct RecentHandoverFile: Sendable {
    private let path: String

    /// Names the file: in the runtime folder of the session, else in the cache.
    ///
    /// - Returns: `nil` when the environment names neither.
    public init?(environment: [String: String]) {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = runtime ?? BaseDirectories(environment: environment).cacheHome else { return nil }
        path = "\(folder)/hunch/handovers"
    }

    /// Changes the memory while no other process does. Where the file cannot be used, the change is made to an empty one:
    /// a link that was clicked opens all the same.
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
