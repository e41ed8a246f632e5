import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

/// Starting playback in players whose `Play` does something else.
extension MPRISContentTests {
    private var item: ContentItem.ID { "file:///music/current.ogg" }

    @Test("A paused player that ignores Play gets PlayPause once")
    func onlyPlayPause() async throws {
        var manner = FakePlayer.Manner()
        manner.obeysOnlyPlayPause = true
        try await withPlayer(manner) { fake, followed in
            try await content(followed).initiatePlayback(of: item, context: PlaybackContext())
            #expect(fake.calls.state == ["Play", "PlayPause"])
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test("A player that ignores Play gets PlayPause once")
    func obeysNothing() async throws {
        var manner = FakePlayer.Manner()
        manner.ignoresPlay = true
        try await withPlayer(manner) { fake, followed in
            let content = content(followed, isHasty: true)
            let code = await mediaErrorCode { try await content.initiatePlayback(of: item, context: PlaybackContext()) }
            #expect(code == .didNotStart)
            #expect(fake.calls.state == ["Play", "PlayPause"])
        }
    }

    @Test("An item that restarts is sought to where it was")
    func startsAnew() async throws {
        var manner = FakePlayer.Manner()
        manner.startsAnew = true
        try await withPlayer(manner) { fake, followed in
            try await content(followed).initiatePlayback(of: item, context: PlaybackContext())
            #expect(fake.calls.state == ["Play", "SetPosition 33000000"])
            #expect(await fake.present.position == 33_000_000)
        }
    }

    @Test("An item that restarts and cannot seek has failed")
    func startsAnewForEver() async throws {
        for canSeek in [true, false] {
            var manner = FakePlayer.Manner()
            manner.startsAnew = true
            manner.canSeek = canSeek
            manner.forgottenSeeks = 10
            try await withPlayer(manner) { fake, followed in
                let content = content(followed, isHasty: true, mustStart: true)
                let error = await #expect(throws: MediaError.self) {
                    try await content.initiatePlayback(of: item, context: PlaybackContext())
                }
                #expect(error?.code == .playsAnew)
                #expect(error?.message == "Fake plays it from the beginning, because it did not go to 0:33")
            }
        }
    }

    /// The calls of a player that are not queries.
    private func orders(of player: FakePlayer) -> [String] { player.calls.state.filter { !$0.hasPrefix("Get") } }

    @Test("The window with the item in its queue plays, or else one with an empty queue")
    func windows() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                var manner = FakePlayer.Manner()
                manner.hasTrackList = true
                let second = [
                    FakePlayer.Track(url: "file:///music/a.ogg", title: "A"), .init(url: other, title: "Other"),
                ]
                try await withFakePlayer(on: bus, manner, tracks: [current]) { first in
                    let names: [BusName] = ["org.mpris.MediaPlayer2.fake.instance2"]
                    try await withFakePlayer(on: bus, as: names, manner, tracks: second) { queued in
                        try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.fake.instance3"]) { empty in
                            try await first.set(.paused, at: 33_000_000)
                            try await queued.set(.paused)
                            _ = try await followed.players.wait(atMost: .seconds(60)) { players in
                                players.count == 3 && players.count { $0.status == .paused } == 2 ? true : nil
                            }
                            let content = content(followed)
                            try await content.initiatePlayback(of: other, context: PlaybackContext())
                            #expect(orders(of: queued).first?.hasPrefix("GoTo") == true, "\(queued.calls.state)")
                            #expect(orders(of: first).isEmpty && orders(of: empty).isEmpty)
                            try await queued.set(.paused)
                            try await content.initiatePlayback(of: "file:///music/new.ogg", context: PlaybackContext())
                            #expect(orders(of: empty).first == "OpenUri file:///music/new.ogg")
                            #expect(orders(of: first).isEmpty)
                        }
                    }
                }
            }
        }
    }

    @Test("A player that jumps without a signal is believed after a seek", arguments: [true, false])
    func silentJumps(startsAnew: Bool) async throws {
        var manner = FakePlayer.Manner()
        manner.jumpsSilently = true
        manner.startsAnew = startsAnew
        manner.opening = .plays
        try await withPlayer(manner) { fake, followed in
            let content = content(followed, remembered: remembered)
            try await content.initiatePlayback(of: startsAnew ? item : other, context: PlaybackContext())
            let target: Int64 = startsAnew ? 33_000_000 : 120_000_000
            #expect(fake.calls.state.contains("SetPosition \(target)"))
            #expect(await (target..<target + 60_000_000).contains(fake.present.position))
        }
    }

    @Test("Without a track identifier, the seek is relative")
    func relativeSeek() async throws {
        var manner = FakePlayer.Manner()
        manner.hidesTracks = true
        try await withPlayer(manner) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state == ["OpenUri \(other)", "Seek 120 s", "Play"])
            #expect(await fake.present.position == 120_000_000)
        }
    }

    @Test("A player without a position resumes at the reckoned one")
    func reckoned() async throws {
        var manner = FakePlayer.Manner()
        manner.tellsNoPosition = true
        try await withPlayer(manner) { fake, followed in
            var info = remembered
            info.positionSource = .reckoned
            try await content(followed, remembered: info).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state.prefix(3) == ["OpenUri \(other)", "SetPosition 120000000", "Play"])
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test("A file with a wrong encoding is opened where it exists")
    func located() async throws {
        try await withPlayer { fake, followed in
            let (told, real) = ("file:///music/%FC.ogg", "file:///music/%C3%BC.ogg")
            let content = MPRISContent(
                application: "fake", name: "Fake", players: followed.players, remembered: { _, _ in nil },
                launch: { _, _ in throw BenchError("nothing may be launched") }, locate: { $0 == told ? real : $0 })
            try await content.initiatePlayback(of: told, context: PlaybackContext())
            #expect(fake.calls.state == ["OpenUri \(real)", "Play"])
        }
    }
}
