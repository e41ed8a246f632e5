import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

/// The jump to where playback was left is not heard.
extension MPRISContentTests {
    private func manner(_ change: (inout FakePlayer.Manner) -> Void = { _ in }) -> FakePlayer.Manner {
        var manner = FakePlayer.Manner()
        manner.volume = 0.7
        change(&manner)
        return manner
    }

    /// A player that accepts `SetPosition` and `Play`, and does nothing.
    private var stubborn: FakePlayer.Manner {
        manner {
            $0.forgottenSeeks = 10
            $0.ignoresPlay = true
        }
    }

    @Test("A player that starts what it opens is muted until it has jumped")
    func mutedWhileOpening() async throws {
        try await withPlayer(manner { $0.opening = .plays }) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            // It may still be paused when it is seen with the item, and then gets Play, too.
            #expect(
                fake.calls.state.filter { $0 != "Play" }
                    == ["Volume 0.0", "OpenUri \(other)", "SetPosition 120000000", "Volume 0.7"])
        }
    }

    @Test("A player that jumps while it is paused is heard from its first sound")
    func jumpsWhilePaused() async throws {
        try await withPlayer(manner()) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            #expect(
                fake.calls.state
                    == ["Volume 0.0", "OpenUri \(other)", "SetPosition 120000000", "Volume 0.7", "Play"])
        }
    }

    @Test("A player that jumps only after Play is muted until then")
    func jumpsLate() async throws {
        try await withPlayer(manner { $0.forgottenSeeks = 1 }) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            let jump = "SetPosition 120000000"
            #expect(fake.calls.state == ["Volume 0.0", "OpenUri \(other)", jump, "Play", jump, "Volume 0.7"])
        }
    }

    @Test("An item that starts at the beginning is not muted")
    func fromTheStart() async throws {
        try await withPlayer(manner { $0.opening = .plays }) { fake, followed in
            try await content(followed).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state.first == "OpenUri \(other)")
            #expect(!fake.calls.state.contains { $0.hasPrefix("Volume") })
        }
    }

    @Test("The volume is restored after a failure")
    func failing() async throws {
        try await withPlayer(stubborn) { fake, followed in
            let content = content(followed, remembered: remembered, isHasty: true)
            let code = await mediaErrorCode {
                try await content.initiatePlayback(of: other, context: PlaybackContext())
            }
            #expect(code == .didNotStart)
            #expect(fake.calls.state.first == "Volume 0.0" && fake.calls.state.last == "Volume 0.7")
            #expect(await fake.volume == 0.7)
        }
    }

    @Test("The volume is restored when the user cancels")
    func cancelling() async throws {
        try await withPlayer(stubborn) { fake, followed in
            let content = content(followed, remembered: remembered)
            let playing = Task { try await content.initiatePlayback(of: other, context: PlaybackContext()) }
            try await fake.calls.wait { $0.contains("Play") ? () : nil }
            playing.cancel()
            await #expect(throws: CancellationError.self) { try await playing.value }
            #expect(await fake.volume == 0.7)
        }
    }

    @Test("A volume that was changed meanwhile stays")
    func changedMeanwhile() async throws {
        try await withPlayer(stubborn) { fake, followed in
            let content = content(followed, remembered: remembered, isHasty: true)
            let playing = Task { try await content.initiatePlayback(of: other, context: PlaybackContext()) }
            try await fake.calls.wait { $0.contains("Play") ? () : nil }
            await fake.turn(to: 0.3)
            await #expect(throws: MediaError.self) { try await playing.value }
            #expect(await fake.volume == 0.3)
        }
    }
}
