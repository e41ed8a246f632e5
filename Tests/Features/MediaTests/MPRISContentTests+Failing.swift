import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

extension MPRISContentTests {
    private func message(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A player whose position does not move is not playing")
    func standingStill() async throws {
        var manner = FakePlayer.Manner()
        manner.standsStill = true
        try await withPlayer(manner) { fake, followed in
            let content = content(followed, isHasty: true)
            let words = await message {
                try await content.initiatePlayback(of: "file:///music/current.ogg", context: PlaybackContext())
            }
            #expect(words == "Fake says that it plays, but its position stands still")
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test(
        "The error for a player that quits names the unopened item",
        arguments: [(true, false), (false, false), (false, true)])
    func quitting(isOpening: Bool, isRefusing: Bool) async throws {
        var manner = FakePlayer.Manner()
        manner.quits = !isRefusing
        manner.refusesAndQuits = isRefusing
        try await withPlayer(manner) { fake, followed in
            let item = isOpening ? other : "file:///music/current.ogg"
            let words = await message {
                try await content(followed, remembered: remembered)
                    .initiatePlayback(of: item, context: PlaybackContext())
            }
            #expect(words == "Fake quit: \(isOpening ? "other.ogg" : "current.ogg") cannot be opened")
        }
    }

    @Test("A launched app that ends without a player counts as quit")
    func launchedAndEnded() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let content = MPRISContent(
                    application: "fake", name: "Fake", players: followed.players,
                    remembered: { _, _ in nil }, launch: { _, _ in }, hasEnded: { true })
                let words = await message {
                    try await content.initiatePlayback(of: other, context: PlaybackContext())
                }
                #expect(words == "Fake quit: other.ogg cannot be opened")
            }
        }
    }

    @Test("An unknown item of the queue is prepared")
    func prepareQueued() async throws {
        var manner = FakePlayer.Manner()
        manner.hasTrackList = true
        try await withPlayer(manner) { fake, followed in
            try await fake.load(FakePlayer.Track(url: "file:///music/next.ogg", title: "Next"))
            try await fake.load(current)
            try await followed.player { $0.info?.title == "Current" }
            let content = content(followed)
            #expect(try await content.item(after: "file:///music/current.ogg")?.title == "Next")
            #expect(try await content.item(after: "file:///music/missing.ogg") == nil)
            let info = try await content.initializePlaybackQueue(
                ["file:///music/next.ogg"], context: PlaybackContext())
            #expect(info.title == "Next")
        }
    }
}
