import EventLoops
import HunchModel
import Testing

@testable import Media
@testable import Players

/// Tests of the positions that real players claim, and of those that are believed. Times are in seconds.
@Suite("Playback clock")
struct PlaybackClockTests {
    /// A player that plays an item of ten minutes from its start.
    private struct Player {
        var clock = PlaybackClock()

        init(length: Double? = 600, neverTells: Bool = false) {
            clock.neverTells = neverTells
            clock.begin(length: length.map(Self.raw), isOtherFile: true, at: Self.instant(0))
            clock.run(true, rate: nil, at: Self.instant(0))
        }

        static func instant(_ time: Double) -> MonotonicInstant {
            MonotonicInstant(microseconds: UInt64(1_000_000_000 + time * 1_000_000))
        }

        static func raw(_ time: Double) -> Int64 { Int64((time * 1_000_000).rounded()) }

        mutating func claim(_ position: Double, at time: Double) {
            clock.claim(position: Self.raw(position), at: Self.instant(time))
        }

        mutating func run(_ plays: Bool, at time: Double) { clock.run(plays, rate: nil, at: Self.instant(time)) }

        func position(at time: Double) -> Double? {
            clock.position(at: Self.instant(time)).map { (Double($0) / 100_000).rounded() / 10 }
        }

        var length: Double? { clock.length.map { Double($0) / 1_000_000 } }
    }

    @Test("Claims at playback speed are believed, also after stalls")
    func truthful() {
        var player = Player()
        for (position, time) in [(0.1, 0.2), (59.7, 60), (80, 90), (200, 150)] { player.claim(position, at: time) }
        #expect(player.position(at: 160) == 210 && !player.clock.isReckoned)
        player.run(false, at: 160)
        player.claim(210.2, at: 200)
        #expect(player.position(at: 400) == 210.2)
    }

    @Test("A position that stays 0 is replaced by the clock")
    func alwaysZero() {
        var player = Player()
        for time in [0, 1, 3, 7] { player.claim(0, at: Double(time)) }
        #expect(player.position(at: 7) == 0)
        player.claim(0, at: 15)
        #expect(player.position(at: 15) == 15 && player.clock.isReckoned)
        player.run(false, at: 60)
        player.claim(0, at: 61)
        #expect(player.position(at: 100) == 60)
        player.run(true, at: 100)
        player.claim(0, at: 100.1)
        #expect(player.position(at: 110) == 70)
        // The next item starts at once with the clock.
        player.clock.begin(length: nil, isOtherFile: true, at: Player.instant(110))
        player.claim(0, at: 110.5)
        player.claim(0, at: 114)
        #expect(player.position(at: 115) == 5)
    }

    @Test("One look after a minute suffices for a position that stays 0")
    func zeroAtPause() {
        var player = Player()
        player.claim(0.003, at: 0.1)
        player.run(false, at: 60)
        player.claim(0.003, at: 60)
        #expect(player.position(at: 90) == 59.9 && player.clock.isReckoned)
    }

    @Test("A known silent player is reckoned from the first second")
    func knownSilent() {
        var player = Player(neverTells: true)
        player.claim(0, at: 0.1)
        player.claim(0, at: 2)
        #expect(player.position(at: 3) == 3 && player.clock.isReckoned)
        // A version that reports its position is believed.
        player.claim(5, at: 5)
        player.claim(7, at: 7)
        #expect(!player.clock.isReckoned)
    }

    @Test("The length of the previous item is not taken for milliseconds", arguments: [15.5, 30.5, 61, 75.2])
    func lengthBefore(seconds: Double) {
        var player = Player()
        player.clock.begin(length: Player.raw(seconds), isOtherFile: false, at: Player.instant(0))
        for time in stride(from: 1.0, through: 120, by: 5) { player.claim(time, at: time) }
        #expect(player.clock.length == nil)
        // The length of the next item is believed.
        player.clock.begin(length: 42_000_000, isOtherFile: true, at: Player.instant(120))
        #expect(player.clock.length == 42_000_000)
    }

    @Test("A position that is never reported is reckoned")
    func neverTold() {
        var player = Player()
        player.run(false, at: 42)
        #expect(player.position(at: 100) == 42 && player.clock.isReckoned)
    }

    @Test("A position that does not advance elsewhere shows a stall")
    func stall() {
        var player = Player()
        player.claim(33, at: 0.5)
        for time in stride(from: 1.0, to: 40, by: 3) { player.claim(33, at: time) }
        #expect(player.position(at: 37) == 33 && !player.clock.isReckoned)
    }

    @Test(
        "A position in milliseconds or seconds is converted", arguments: [(1_000.0, 4.0), (1_000, 60), (1_000_000, 60)])
    func units(factor: Double, time: Double) {
        var player = Player()
        player.claim(0, at: 0)
        player.claim(time / factor, at: time)
        #expect(player.position(at: time) == time && !player.clock.isReckoned)
        player.clock.begin(length: nil, isOtherFile: true, at: Player.instant(time))
        player.claim(30 / factor, at: time + 0.1)
        #expect(player.position(at: time + 1.1) == 31)
    }

    @Test("A bogus position while paused is not believed", arguments: [9_000.0, 550, 0, 18_446_744])
    func bogusInPause(position: Double) {
        var player = Player()
        player.claim(0.1, at: 0.1)
        player.claim(60, at: 60)
        player.run(false, at: 61)
        player.claim(position, at: 61)
        player.claim(position, at: 70)
        #expect(player.position(at: 80) == 61 && player.length == 600)
    }

    @Test("A player first seen paused beyond its end has no position")
    func firstSeenBogus() {
        var clock = PlaybackClock()
        clock.begin(length: 600_000_000, isOtherFile: true, at: Player.instant(0))
        clock.run(false, rate: nil, at: Player.instant(0))
        clock.claim(position: 9_000_000_000, at: Player.instant(0))
        #expect(clock.position(at: Player.instant(1)) == 0 && clock.length == 600_000_000)
    }

    @Test("An unannounced jump needs a second claim")
    func jump() {
        var player = Player()
        player.claim(60, at: 60)
        player.claim(400, at: 70)
        #expect(player.position(at: 70) == 70)
        player.claim(402, at: 72)
        #expect(player.position(at: 72) == 402)
        // Announced jumps are believed at once.
        player.clock.seek(to: 20_000_000, at: Player.instant(80))
        player.claim(21, at: 81)
        #expect(player.position(at: 82) == 22)
    }

    @Test("The position before a seek may still be told for a moment", arguments: [true, false])
    func lateSeek(isDropped: Bool) {
        var player = Player()
        player.claim(0.2, at: 0.2)
        player.clock.announceJump(at: Player.instant(0.3))
        player.clock.seek(to: 22_000_000, at: Player.instant(0.3))
        player.claim(0.3, at: 0.31)
        #expect(player.position(at: 0.4) == 22.1)
        player.claim(isDropped ? 1.5 : 23.2, at: 1.5)
        #expect(player.position(at: 1.5) == (isDropped ? 1.5 : 23.2))
    }

    @Test("An item that restarts with Play is believed")
    func startsAnew() {
        var player = Player()
        player.claim(120, at: 120)
        player.run(false, at: 121)
        player.run(true, at: 200)
        player.claim(0.1, at: 200.1)
        #expect(player.position(at: 201) == 1)
    }

    @Test("The position of the item before is not taken for the next")
    func staleClaim() {
        var player = Player()
        player.claim(300, at: 300)
        player.clock.begin(length: Player.raw(200), isOtherFile: true, at: Player.instant(310))
        player.claim(310.2, at: 310.2)
        #expect(player.position(at: 312) == 2)
        player.claim(5, at: 315)
        #expect(player.position(at: 315) == 5)
    }

    @Test("A reset before stopping does not lose the position", arguments: [true, false])
    func resetBeforeStop(isAnnounced: Bool) throws {
        var player = Player()
        player.claim(60, at: 60)
        if isAnnounced { player.clock.seek(to: 0, at: Player.instant(90)) } else { player.claim(0, at: 90) }
        player.clock.stop(at: Player.instant(90.5))
        #expect(try #require(player.position(at: 100)) >= 90)
    }

    @Test("A repeated item starts again")
    func loop() {
        var player = Player(length: 60)
        player.claim(1, at: 1)
        player.claim(5, at: 65)
        #expect(player.position(at: 66) == 6)
        // Twice more, and seen only in the third round.
        player.claim(35, at: 215)
        #expect(player.position(at: 216) == 36)
    }

    // MARK: Length

    @Test(
        "A position beyond the length corrects the length",
        arguments: [(0.24, 240.0), (0.000_24, 240), (100, nil)] as [(Double, Double?)])
    func lengths(told: Double, length: Double?) {
        var player = Player(length: told)
        player.claim(0.1, at: 0.1)
        player.claim(150, at: 150)
        #expect(player.length == length)
        #expect(player.position(at: 151) == 151)
    }

    @Test("Later lengths of the same player have the same unit")
    func lengthUnit() {
        var player = Player(length: 0.24)
        player.claim(10, at: 10)
        player.clock.begin(length: 180_000, isOtherFile: true, at: Player.instant(20))
        #expect(player.length == 180)
    }

    @Test("The length of the item before is unknown until it changes")
    func staleLength() {
        var player = Player(length: 213.481)
        player.clock.begin(length: 213_481_000, isOtherFile: true, at: Player.instant(100))
        #expect(player.length == nil)
        player.clock.claim(length: 213_481_000)
        #expect(player.length == nil)
        player.clock.claim(length: 187_002_000)
        #expect(player.length == 187.002)
        // Whole seconds are often equal.
        player.clock.begin(length: 180_000_000, isOtherFile: true, at: Player.instant(200))
        player.clock.begin(length: 180_000_000, isOtherFile: true, at: Player.instant(300))
        #expect(player.length == 180)
    }

    @Test("Extreme claims never trap")
    func extremes() {
        var player = Player(length: 1)
        for value: Int64 in [.min, -1, 0, 1, .max, 1 << 53, .max - 1] {
            for time in [0.0, 1, 20, 1e6] {
                player.clock.claim(position: value, at: Player.instant(time))
                player.clock.seek(to: value, at: Player.instant(time))
                player.clock.claim(length: value)
                player.clock.begin(length: value, isOtherFile: true, at: Player.instant(time))
                player.clock.run(time > 1, rate: 16, at: Player.instant(time))
                _ = player.position(at: time)
            }
        }
    }
}
