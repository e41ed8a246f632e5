import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

@Suite("Playable content of MPRIS players", .timeLimit(.minutes(15)))
struct MPRISContentTests {
    let current = FakePlayer.Track(url: "file:///music/current.ogg", title: "Current")
    let other = "file:///music/other.ogg"

    /// The resume point of `other`, left after two minutes of ten.
    let remembered = NowPlayingInfo(
        title: "Other", artists: ["Ann"], contentURL: "file:///music/other.ogg", length: 600_000_000,
        position: 120_000_000)

    /// - Parameters:
    ///   - isHasty: whether time limits are short, for calls that are expected to fail.
    ///   - mustStart: whether playback starts nevertheless.
    func content(
        _ followed: FollowedPlayers, remembered: NowPlayingInfo? = nil, isHasty: Bool = false, mustStart: Bool = false,
        launch: @escaping AppLaunch = { _, _ in throw BenchError("nothing may be launched") }
    ) -> MPRISContent {
        var deadlines = MediaDeadlines()
        deadlines.reply = isHasty ? .milliseconds(500) : .seconds(30)
        deadlines.appearance = isHasty ? .seconds(2) : .seconds(30)
        deadlines.opening = isHasty ? .milliseconds(700) : .seconds(30)
        deadlines.start = isHasty && !mustStart ? .milliseconds(700) : .seconds(30)
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

    @Test("Preparing returns positions without touching the player")
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

    @Test("An unknown or unopenable item is not prepared")
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

    @Test("A hanging player fails to prepare within one call's deadline")
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

    @Test("A player that cannot play is not prepared")
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

    @Test("A stopped app is prepared from its history")
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

    @Test("The current item continues at its position")
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

    @Test("Another item is opened, positioned and then played")
    func open() async throws {
        try await withPlayer { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state == ["OpenUri \(other)", "SetPosition 120000000", "Play"])
            let present = await fake.present
            #expect(present.status == "Playing" && present.title == "other.ogg" && present.position == 120_000_000)
        }
    }

    @Test("A forgotten seek is repeated a limited number of times", arguments: [2, 10])
    func forgottenSeeks(count: Int) async throws {
        var manner = FakePlayer.Manner()
        manner.forgottenSeeks = count
        try await withPlayer(manner) { fake, followed in
            let content = content(followed, remembered: remembered)
            let code = await mediaErrorCode {
                try await content.initiatePlayback(of: other, context: PlaybackContext())
            }
            #expect(code == (count == 2 ? nil : .playsAnew))
            let present = await fake.present
            #expect(present.status == "Playing")
            #expect(present.position == (count == 2 ? 120_000_000 : 0))
            #expect(fake.calls.state.filter { $0.hasPrefix("SetPosition") }.count == (count == 2 ? 3 : 4))
        }
    }

    @Test("A player that plays on opening is sent a seek, and no Play")
    func openPlays() async throws {
        var manner = FakePlayer.Manner()
        manner.opening = .plays
        try await withPlayer(manner) { fake, followed in
            try await content(followed, remembered: remembered).initiatePlayback(of: other, context: PlaybackContext())
            #expect(fake.calls.state.first == "OpenUri \(other)")
            #expect(fake.calls.state.contains("SetPosition 120000000"))
            // It plays during the call.
            #expect(await (120_000_000..<180_000_000).contains(fake.present.position))
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test(
        "Items near either end or without a length start at zero",
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

    @Test("A queued item is selected instead of opened again")
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

    @Test("Without OpenUri, the item is opened through its app")
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

    @Test("Late metadata is waited for")
    func lateMetadata() async throws {
        var manner = FakePlayer.Manner()
        manner.opening = .late
        try await withPlayer(manner) { fake, followed in
            try await content(followed).initiatePlayback(of: other, context: PlaybackContext())
            #expect(await fake.present.status == "Playing")
        }
    }

    @Test("A player that sends no changes is queried")
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

    @Test("Failing to open or to play is a clear error")
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

    @Test("A stopped app is launched with the item and then played")
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

    @Test("A launched app that ignores the item is asked to open it")
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

    @Test("A failed launch or a missing player is a clear error")
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

    @Test("Among several players, the one with the item or playing wins")
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
