import EventLoops
import HunchDBus
import HunchModel
import Testing

@testable import Media
@testable import Players

@Suite("Player state")
struct PlayerStateTests {
    private let start = MonotonicInstant.now

    private func after(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    private func metadata(_ name: String, length: Int64 = 100_000_000) -> Value {
        ["xesam:url": Value.string("file:///\(name)"), "mpris:length": .int64(length)].dbusValue
    }

    private func playing(at position: Int64 = 10_000_000) -> PlayerState {
        var state = PlayerState()
        state.applyPlayer(
            ["PlaybackStatus": .string("Playing"), "Metadata": metadata("a"), "Position": .int64(position)], at: start)
        return state
    }

    @Test("The position advances at the rate and stops at the end")
    func playingPosition() {
        var state = playing()
        #expect(state.position(at: after(5)) == 15_000_000)
        #expect(state.position(at: after(1_000)) == 100_000_000)
        state.applyPlayer(["Rate": .double(2)], at: after(5))
        #expect(state.position(at: after(10)) == 25_000_000)
        state.applySeek(1_000_000, at: after(10))
        #expect(state.position(at: after(11)) == 3_000_000)
    }

    @Test("The position stays while paused and continues from there")
    func pausedPosition() {
        var state = playing()
        state.applyPlayer(["PlaybackStatus": .string("Paused")], at: after(5))
        #expect(state.position(at: after(50)) == 15_000_000)
        state.applyPlayer(["PlaybackStatus": .string("Playing")], at: after(50))
        #expect(state.position(at: after(51)) == 16_000_000)
    }

    @Test("The same item as another track may start anywhere")
    func otherTrack() {
        var state = PlayerState()
        for (track, position, time): (ObjectPath, Int64, Int) in [("/1", 0, 0), ("/1", 90, 50), ("/2", 0, 60)] {
            let metadata: VariantMap = ["xesam:url": .string("file:///a"), "mpris:trackid": .objectPath(track)]
            state.applyPlayer(
                [
                    "PlaybackStatus": .string("Playing"), "Metadata": metadata.dbusValue,
                    "Position": .int64(position * 1_000_000),
                ], at: after(time))
        }
        #expect(state.position(at: after(61)) == 1_000_000)
    }

    @Test("A stopped player keeps its last position")
    func stoppedPosition() {
        var state = playing()
        state.applyPlayer(
            ["PlaybackStatus": .string("Stopped"), "Position": .int64(0), "Metadata": .int32(1)], at: after(5))
        #expect(state.position(at: after(60)) == 15_000_000)
    }

    @Test("Another item starts at zero; a gap in metadata does not")
    func otherItem() {
        var state = playing()
        state.applyPlayer(["Metadata": VariantMap().dbusValue], at: after(5))
        #expect(state.item == nil)
        #expect(state.position(at: after(5)) == 15_000_000)
        state.applyPlayer(["Metadata": metadata("b")], at: after(6))
        #expect(state.position(at: after(8)) == 2_000_000)
    }

    @Test("Missing, negative and absurd positions are unknown")
    func unknownPosition() throws {
        var state = PlayerState()
        #expect(state.position(at: start) == nil)
        state.applyPlayer(["Position": .int64(-5), "Rate": .double(.nan)], at: start)
        #expect(state.position(at: start) == nil)
        state.applySeek(-1, at: start)
        #expect(state.position(at: start) == nil)
        state.applyPlayer(
            ["Position": .int64(.max), "PlaybackStatus": .string("Playing"), "Rate": .double(-1e308)], at: start)
        #expect(try #require(state.position(at: after(1_000_000))) > 0)
    }

    @Test("An unknown status leaves the state unchanged")
    func oddStatus() {
        var state = playing()
        for value: Value in [.string("playing"), .string(""), .int32(1)] {
            state.applyPlayer(["PlaybackStatus": value], at: start)
            #expect(state.status == .playing)
        }
    }

    @Test(
        "A desktop entry loses its path and suffix",
        arguments: [
            ("mpv", "mpv"), ("org.gnome.Music.desktop", "org.gnome.Music"),
            ("/usr/share/applications/vlc.desktop", "vlc"),
        ])
    func desktopEntry(told: String, entry: String) {
        var state = PlayerState()
        state.applyRoot(["DesktopEntry": .string(told)])
        #expect(state.desktopEntry == entry)
    }

    @Test("An invalid desktop entry is ignored")
    func noDesktopEntry() {
        for value: Value in [.string(""), .string(String(repeating: "x", count: 256)), .int32(3)] {
            var state = PlayerState()
            state.applyRoot(["DesktopEntry": value])
            #expect(state.desktopEntry == nil)
        }
    }
}

@Suite("Flood budget")
struct FloodBudgetTests {
    @Test("A flooding player exceeds its budget and is paused longer")
    func budget() {
        let start = MonotonicInstant.now
        var budget = FloodBudget(now: start)
        for step in 0..<1_000 {
            let isWithin = budget.spend(1, at: start.advanced(by: .milliseconds(10 * step)))
            #expect(isWithin)
        }
        var now = start.advanced(by: .seconds(10))
        var pauses: [Duration] = []
        for _ in 0..<8 {
            var count = 0
            while budget.spend(1, at: now) { count += 1 }
            #expect(count == FloodBudget.unitsPerSecond)
            pauses.append(budget.pause(from: now))
            now = now.advanced(by: pauses.last ?? .zero)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30].map(Duration.seconds))
        // A second without changes restores the budget.
        _ = budget.spend(1, at: now)
        now = now.advanced(by: .seconds(1))
        while budget.spend(1, at: now) {}
        let pause = budget.pause(from: now)
        #expect(pause == .seconds(1))
    }

    @Test("A message costs by its size without overflow")
    func size() {
        var budget = FloodBudget(now: .now)
        let answers = (0..<3).map { _ in budget.spend(.max, at: .now) }
        #expect(answers == [false, false, false])
    }
}
