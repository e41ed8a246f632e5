import HunchDBus
import HunchModel
import Media
import TestSupport
import Testing

@Suite("The content of an MPRIS player as it is", .timeLimit(.minutes(5)))
struct MPRISContentTests {
    let current = FakePlayer.Track(url: "file:///music/current.ogg", title: "Current")
    let other = "file:///music/other.ogg"

    /// The resume point of `other`, left after two minutes of ten.
    let remembered = NowPlayingInfo(
        title: "Other", artists: ["Ann"], contentURL: "file:///music/other.ogg", length: 600_000_000,
        position: 120_000_000)

    /// - Parameter isHasty: whether what does not come is given up soon; else what has to come may take its time.
    func content(
        _ followed: FollowedPlayers, remembered: NowPlayingInfo? = nil, isHasty: Bool = false,
        launch: @escaping AppLaunch = { _, _ in throw BenchError("nothing may be launched") }
    ) -> MPRISContent {
        var deadlines = MediaDeadlines()
        deadlines.reply = isHasty ? .milliseconds(500) : .seconds(30)
        deadlines.appearance = isHasty ? .seconds(2) : .seconds(30)
        deadlines.opening = isHasty ? .milliseconds(700) : .seconds(30)
        deadlines.start = isHasty ? .milliseconds(700) : .seconds(30)
        return MPRISContent(
            application: "fake", name: "Fake", players: followed.players, deadlines: deadlines,
            remembered: { item, _ in item == nil || item == remembered?.contentURL ? remembered : nil }, launch: launch)
    }

    /// Runs `body` with a paused fake player that is followed.
    nonisolated(nonsending) func withPlayer(
        _ manner: FakePlayer.Manner = FakePlayer.Manner(),
        _ body: nonisolated(nonsending) (FakePlayer, FollowedPlayers) async throws -> Void
    ) async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, manner, tracks: [current]) { fake in
                    try await fake.set(.paused, at: 33_000_000)
                    try await followed.player { $0.status == .paused }
                    try await body(fake, followed)
                }
            }
        }
    }

    // MARK: Preparing

    @Test("the current item is told with its present position, another one as remembered; the player is not touched")
    func prepare() async throws {
        try await withPlayer { fake, followed in
            let content = content(followed, remembered: remembered)
            let now = try await content.initializePlaybackQueue(
                ["file:///music/current.ogg"], context: PlaybackContext())
            #expect(now.title == "Current")
            #expect(now.position == 33_000_000)
            let chosen = try await content.initializePlaybackQueue([], context: PlaybackContext())
            #expect(chosen.title == "Current")
            let later = try await content.initializePlaybackQueue([other], context: PlaybackContext())
            #expect(later == remembered)
            #expect(fake.calls.state.isEmpty)
            #expect(await fake.present.status == "Paused")
        }
    }

    @Test("what is neither current nor remembered, or cannot be opened, is not offered")
    func prepareNothing() async throws {
        try await withPlayer { fake, followed in
            #expect(
                await mediaErrorCode {
                    _ = try await content(followed).initializePlaybackQueue([other], context: PlaybackContext())
                } == .nothingToPlay)
            let titleOnly = MPRISContent(
                application: "fake", name: "Fake", players: followed.players,
                remembered: { _, _ in NowPlayingInfo(title: "A Clip") }, launch: { _, _ in })
            #expect(
                await mediaErrorCode {
                    _ = try await titleOnly.initializePlaybackQueue(["title:A Clip"], context: PlaybackContext())
                } == .cannotOpen)
            #expect(fake.calls.state.isEmpty)
        }
    }

    @Test("a player that hangs is not offered, within the deadline of one call")
    func prepareHanging() async throws {
        try await withPlayer { fake, followed in
            await fake.hang()
            #expect(
                await mediaErrorCode {
                    _ = try await content(followed, remembered: remembered, isHasty: true)
                        .initializePlaybackQueue([other], context: PlaybackContext())
                } == .noReply)
        }
    }

    @Test("a player that says that it cannot play is not offered")
    func prepareUnable() async throws {
        var manner = FakePlayer.Manner()
        manner.canPlay = false
        try await withPlayer(manner) { _, followed in
            #expect(
                await mediaErrorCode {
                    _ = try await content(followed).initializePlaybackQueue([], context: PlaybackContext())
                } == .refused)
        }
    }

    @Test("an app that does not run is offered from what is remembered")
    func prepareStopped() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let content = content(followed, remembered: remembered)
                #expect(await !content.isRunning)
                let prepared = try await content.initializePlaybackQueue([], context: PlaybackContext())
                #expect(prepared == remembered)
            }
        }
    }

    // MARK: Initiating

    @Test("the current item goes on where it stands")
    func goOn() async throws {
        try await withPlayer { fake, followed in
            var info = remembered
            info.contentURL = current.url
            try await content(followed, remembered: info)
                .initiatePlayback(of: "file:///music/current.ogg", context: PlaybackContext())
            #expect(fake.calls.state == ["Play"])
            #expect(await fake.present.status == "Playing")
            #expect(await fake.present.position == 33_000_000)
        }
    }

    @Test("another item is opened, sought where it was left while still silent, and played")
    func open() async throws {
        try await withPlayer { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state == ["OpenUri \(other)", "SetPosition 120000000", "Play"])
            let present = await fake.present
            #expect(present.status == "Playing" && present.title == "other.ogg" && present.position == 120_000_000)
        }
    }

    @Test("a player that forgets at first where it shall go is asked again, but not for ever", arguments: [2, 10])
    func forgottenSeeks(count: Int) async throws {
        var manner = FakePlayer.Manner()
        manner.forgottenSeeks = count
        try await withPlayer(manner) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            let present = await fake.present
            #expect(present.status == "Playing")
            #expect(present.position == (count == 2 ? 120_000_000 : 0))
            #expect(fake.calls.state.filter { $0.hasPrefix("SetPosition") }.count == (count == 2 ? 3 : 4))
        }
    }

    @Test("a player that plays what it opens is not told to play, and sought afterwards")
    func openPlays() async throws {
        var manner = FakePlayer.Manner()
        manner.opening = .plays
        try await withPlayer(manner) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state.first == "OpenUri \(other)")
            #expect(fake.calls.state.contains("SetPosition 120000000"))
            // It plays meanwhile.
            #expect(await (120_000_000..<180_000_000).contains(fake.present.position))
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test(
        "near the start, near the end, and without a length, an item begins at its start",
        arguments: [
            (5_000_000, 600_000_000), (590_000_000, 600_000_000), (120_000_000, nil), (nil, 600_000_000),
        ] as [(Int64?, Int64?)])
    func noSeek(position: Int64?, length: Int64?) async throws {
        try await withPlayer { fake, followed in
            var info = remembered
            info.position = position
            info.length = length
            if length == nil { await fake.forgetLengths() }
            try await content(followed, remembered: info).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state == ["OpenUri \(other)", "Play"])
        }
    }

    @Test("an item of the queue is gone to rather than opened a second time")
    func queue() async throws {
        var manner = FakePlayer.Manner()
        manner.hasTrackList = true
        try await withPlayer(manner) { fake, followed in
            try await fake.load(FakePlayer.Track(url: "file:///music/queued.ogg", title: "Queued"))
            try await followed.player { $0.info?.title == "Queued" }
            let content = content(followed)
            #expect(
                try await content.childItems(of: nil, offset: 0, limit: 10).map(\.title) == ["Current", "Queued"])
            #expect(try await content.childItems(of: nil, offset: 1, limit: 1).map(\.title) == ["Queued"])
            try await content.initiatePlayback(of: "file:///music/current.ogg", context: PlaybackContext())
            #expect(fake.calls.state.suffix(3) == ["GetTracksMetadata 2", "GoTo /track/t0", "Play"])
            #expect(await fake.present.title == "Current")
        }
    }

    @Test("a player without OpenUri is given the item as if a person had opened it")
    func withoutOpenURI() async throws {
        var manner = FakePlayer.Manner()
        manner.opening = .unknown
        try await withPlayer(manner) { fake, followed in
            let other = other
            let content = content(followed) { application, uri in
                #expect(application == "fake" && uri == other)
                try await fake.load(FakePlayer.Track(url: uri, title: "Other"))
            }
            try await content.initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state == ["OpenUri \(other)", "Play"])
            #expect(await fake.present.title == "Other")
        }
    }

    @Test("metadata that comes late is waited for")
    func lateMetadata() async throws {
        var manner = FakePlayer.Manner()
        manner.opening = .late
        try await withPlayer(manner) { fake, followed in
            try await content(followed).initiatePlayback(of: other, context: PlaybackContext())
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test("a player that tells no changes is asked")
    func silent() async throws {
        var manner = FakePlayer.Manner()
        manner.isSilent = true
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, manner, tracks: [current]) { fake in
                    try await followed.player()
                    try await content(followed)
                        .initiatePlayback(of: "file:///music/current.ogg", context: PlaybackContext())
                    #expect(await fake.present.status == "Playing")
                }
            }
        }
    }

    @Test("what does not open or does not play is an error that says so")
    func failures() async throws {
        var manner = FakePlayer.Manner()
        manner.opening = .nothing
        manner.ignoresPlay = true
        try await withPlayer(manner) { fake, followed in
            let content = content(followed, isHasty: true)
            #expect(
                await mediaErrorCode { try await content.initiatePlayback(of: other, context: PlaybackContext()) }
                    == .didNotStart
            )
            #expect(
                await mediaErrorCode {
                    try await content.initiatePlayback(of: "file:///music/current.ogg", context: PlaybackContext())
                } == .didNotStart)
            #expect(
                await mediaErrorCode { try await content.initiatePlayback(of: "title:X", context: PlaybackContext()) }
                    == .cannotOpen)
            await fake.hang()
            #expect(
                await mediaErrorCode { try await content.initiatePlayback(of: other, context: PlaybackContext()) }
                    == .noReply)
        }
    }

    // MARK: Launching

    @Test("an app that does not run is launched with the item, and played when its player appears")
    func launch() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, as: []) { fake in
                    let launched = Watched<[String]>([])
                    let content = content(followed, remembered: remembered) { application, uri in
                        launched.update { $0.append("\(application) \(uri ?? "")") }
                        try await fake.load(FakePlayer.Track(url: uri, title: "Other"))
                        try await fake.own("org.mpris.MediaPlayer2.fake.instance7")
                    }
                    try await content.initiatePlayback(of: other, context: PlaybackContext())
                    #expect(launched.state == ["fake \(other)"])
                    #expect(fake.calls.state == ["SetPosition 120000000", "Play"])
                    #expect(try await content.nowPlayingIdentifiers == [other])
                }
            }
        }
    }

    @Test("an app that is launched but does not open the item is asked to")
    func launchWithoutItem() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, as: []) { fake in
                    let content = content(followed, isHasty: true) { _, _ in
                        try await fake.own("org.mpris.MediaPlayer2.fake")
                    }
                    try await content.initiatePlayback(of: other, context: PlaybackContext())
                    #expect(fake.calls.state == ["OpenUri \(other)", "Play"])
                }
            }
        }
    }

    @Test("an app that cannot be launched, or offers no player, is an error that says so")
    func launchFails() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let failing = content(followed, isHasty: true) { _, _ in throw BenchError("no such app") }
                #expect(
                    await mediaErrorCode { try await failing.initiatePlayback(of: other, context: PlaybackContext()) }
                        == .launchFailed)
                let mute = content(followed, isHasty: true) { _, _ in }
                #expect(
                    await mediaErrorCode { try await mute.initiatePlayback(of: other, context: PlaybackContext()) }
                        == .noPlayer)
                #expect(
                    await mediaErrorCode { try await mute.initiatePlayback(of: "title:X", context: PlaybackContext()) }
                        == .cannotOpen)
            }
        }
    }

    @Test("of several players of an app, the one with the item is meant, else the one that plays")
    func severalPlayers() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let names: [BusName] = ["org.mpris.MediaPlayer2.fake", "org.mpris.MediaPlayer2.fake.instance2"]
                try await withFakePlayer(on: bus, as: [names[0]], tracks: [current]) { first in
                    try await first.set(.playing)
                    try await withFakePlayer(
                        on: bus, as: [names[1]], tracks: [FakePlayer.Track(url: other, title: "Other")]
                    ) { second in
                        try await followed.player { $0.name == names[1] && $0.item != nil }
                        try await followed.player { $0.name == names[0] && $0.status == .playing }
                        let content = content(followed)
                        #expect(
                            try await content.initializePlaybackQueue([], context: PlaybackContext()).title == "Current"
                        )
                        try await content.initiatePlayback(of: other, context: PlaybackContext())
                        #expect(second.calls.state == ["Play"])
                        #expect(first.calls.state.isEmpty)
                    }
                }
            }
        }
    }
}
