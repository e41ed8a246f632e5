import EventLoops
import HunchDBus
import Testing

@testable import Media
@testable import Players

@Suite("Playback progress")
struct PlaybackProgressTests {
    @Test(
        "A position counts as playing when it moves at playback speed",
        arguments: [
            // Positions in milliseconds, one every 250 ms, and whether the last one shows that it plays.
            ([0, 250], true), ([0, 0, 0, 0], false), ([0, 90], false), ([42_000, 42_250], true),
            // A jump proves nothing; the position after it does.
            ([0, 42_000], false), ([0, 42_000, 42_000], false), ([0, 42_000, 42_250], true),
            ([42_000, 0], false), ([42_000, 0, 250], true), ([0], false),
            // Double speed, and slow speed that needs two intervals.
            ([0, 500], true), ([0, 60, 120], true),
        ] as [([Int64], Bool)])
    func advance(positions: [Int64], plays: Bool) {
        var progress = PlaybackProgress()
        var last = false
        for (index, position) in positions.enumerated() {
            let instant = MonotonicInstant(microseconds: UInt64(250_000 * index))
            last = progress.hasAdvanced(to: position * 1_000, at: instant)
        }
        #expect(last == plays)
    }

    @Test("A player without a position is believed")
    func none() {
        var progress = PlaybackProgress()
        let isBelieved = progress.hasAdvanced(to: nil, at: .now)
        #expect(isBelieved)
    }
}
