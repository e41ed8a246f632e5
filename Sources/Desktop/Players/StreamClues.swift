internal import EventLoops
internal import HunchModel

/// The signs of a live stream that only successive metadata of an item show.
///
/// mpv reports the time up to which it has buffered as the length of a live stream. It grows by one second per second.
/// Its title is the current song, and nothing identifies the station. Seen with mpv 0.35 and mpv-mpris 0.7.1.
struct StreamClues: Hashable {
    /// The growths of the length that make a live stream.
    private static let leastGrowths = 2
    /// The time in which they have to be seen. A file's estimated length may grow later.
    private static let watchedTime = Duration.seconds(30)
    /// The highest plausible growth for the passed time. A file that is downloaded may grow faster.
    private static let highestRate = 4.0
    /// The tolerance of a growth in microseconds.
    private static let slack = 2_000_000.0

    /// Whether the length grows with time.
    var hasGrowingLength: Bool { growths >= Self.leastGrowths }
    /// Whether the title changed, although the address did not.
    private(set) var changesTitle = false

    private var address: String?
    private var title: String?
    private var growths = 0
    private var length: Int64?
    private var lengthInstant: MonotonicInstant?
    private var firstInstant: MonotonicInstant?

    /// Takes the current report of a player about its item.
    mutating func note(_ info: NowPlayingInfo?, at now: MonotonicInstant) {
        // A gap in the metadata does not end an item.
        guard let info else { return }
        if address != info.contentURL {
            self = StreamClues()
            address = info.contentURL
        }
        guard address != nil else { return }
        if let title, title != info.title, !LiveStream.isAddress(title, of: info) { changesTitle = true }
        title = info.title
        note(length: info.length, at: now)
    }

    private mutating func note(length claimed: Int64?, at now: MonotonicInstant) {
        guard let claimed else { return }
        if firstInstant == nil { firstInstant = now }
        guard let former = length, let since = lengthInstant, let firstInstant else {
            (length, lengthInstant) = (claimed, now)
            return
        }
        guard claimed != former else { return }
        let growth = Double(claimed) - Double(former)
        let plausible = since.duration(to: now) / .microseconds(1) * Self.highestRate + Self.slack
        if !hasGrowingLength {
            let isGrowth = growth > 0 && growth <= plausible && firstInstant.duration(to: now) <= Self.watchedTime
            if isGrowth { growths += 1 } else if growth < 0 { growths = 0 }
        }
        (length, lengthInstant) = (claimed, now)
    }
}
