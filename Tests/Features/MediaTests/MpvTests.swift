import Glibc
import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

@Suite("mpv as a player", .timeLimit(.minutes(15)))
struct MpvTests {
    private func content(
        _ followed: FollowedPlayers, _ remembered: NowPlayingInfo?, launch: @escaping AppLaunch = { _, _ in }
    ) -> MPRISContent {
        MPRISContent(
            application: "mpv", name: "mpv", players: followed.players, remembered: { _, _ in remembered },
            launch: launch)
    }

    @Test("Playback is observed with correct positions")
    func observed() async throws {
        try await withMpv { mpv in
            try await withFollowedPlayers(on: mpv.bus) { followed in
                let player = try await followed.player { $0.status == .paused && $0.info?.length != nil }
                #expect(player.identity == "mpv")
                #expect(player.desktopIDCandidates.first == "mpv")
                #expect(player.info?.title == "one two")
                #expect(player.item.map { ItemIdentity.areSame($0, mpv.files[0]) } == true)
                #expect(player.info?.length == 60_000_000)
                #expect(followed.seen.state.isEmpty)
                _ = try await mpv.playerctl("position", "30")
                _ = try await mpv.playerctl("play")
                let started = try await followed.observations(1)[0]
                #expect(started.change == .started)
                #expect(started.info?.position ?? 0 >= 29_000_000)
                _ = try await mpv.playerctl("pause")
                let paused = try await followed.observations(2)[1]
                #expect(paused.change == .paused)
                #expect(paused.info?.position ?? 0 >= 29_900_000)
            }
        }
    }

    @Test("Preparing leaves the player paused and its item unchanged")
    func prepareStaysPaused() async throws {
        try await withMpv { mpv in
            try await withFollowedPlayers(on: mpv.bus) { followed in
                try await followed.player { $0.status == .paused && $0.info?.length != nil }
                let remembered = NowPlayingInfo(title: "Three", contentURL: mpv.files[1], length: 60_000_000)
                let content = content(followed, remembered)
                let current = try await content.initializePlaybackQueue([mpv.files[0]], context: PlaybackContext())
                #expect(current.title == "one two")
                let other = try await content.initializePlaybackQueue([mpv.files[1]], context: PlaybackContext())
                #expect(other == remembered)
                #expect(try await mpv.playerctl("status") == "Paused")
                #expect(try await mpv.playerctl("metadata", "xesam:title") == "one two.wav")
                #expect(followed.seen.state.isEmpty)
            }
        }
    }

    @Test("Playing resumes the right item although mpv lists no files")
    func initiate() async throws {
        try await withMpv { mpv in
            try await withFollowedPlayers(on: mpv.bus) { followed in
                try await followed.player { $0.status == .paused && $0.info?.length != nil }
                let remembered = NowPlayingInfo(
                    title: "Three", contentURL: mpv.files[1], length: 60_000_000, position: 20_000_000)
                try await content(followed, remembered)
                    .initiatePlayback(of: mpv.files[1], context: PlaybackContext())
                #expect(try await mpv.playerctl("status") == "Playing")
                #expect(try await mpv.playerctl("metadata", "xesam:title") == "three.wav")
                let position = try #require(Double(try await mpv.playerctl("position")))
                #expect((19.0...50.0).contains(position))
            }
        }
    }

    @Test("Next to playerctld it is still one player")
    func proxied() async throws {
        try await withMpv { mpv in
            let proxy = Command(
                "playerctld", [], environment: mpv.bus.environment, ready: .busName(MPRIS.playerctld.text, on: mpv.bus))
            try await withDaemon(proxy) { _ in
                try await withFollowedPlayers(on: mpv.bus) { followed in
                    try await followed.player { $0.status == .paused }
                    _ = try await mpv.playerctl("play")
                    try await followed.player { $0.status == .playing }
                    #expect(await followed.players.players().map(\.name.text) == [Mpv.name])
                    #expect(Set(try await followed.observations(1).map(\.player.name.text)) == [Mpv.name])
                }
            }
        }
    }

    @Test("A missing file is an error, and nothing else plays")
    func missingFile() async throws {
        try await withMpv { mpv in
            try await withFollowedPlayers(on: mpv.bus) { followed in
                try await followed.player { $0.status == .paused && $0.info?.length != nil }
                await #expect(throws: MediaError.self) {
                    try await content(followed, nil)
                        .initiatePlayback(of: "file:///nonexistent.wav", context: PlaybackContext())
                }
                let playing = try await mpv.playing()
                #expect(playing == nil)
            }
        }
    }

    @Test("A stopped process is not suggested until it continues")
    func stoppedProcess() async throws {
        try await withMpv { mpv in
            var deadlines = MediaDeadlines()
            deadlines.reply = .milliseconds(300)
            try await withFollowedPlayers(on: mpv.bus, deadlines: deadlines) { followed in
                try await followed.player { $0.status == .paused && $0.info?.length != nil }
                mpv.daemon.signal(SIGSTOP)
                try await eventually("the halt of all threads", because: "a signal to a process reaches them later") {
                    try mpv.isHalted() ? () : nil
                }
                let error = await #expect(throws: MediaError.self) {
                    _ = try await content(followed, nil).initializePlaybackQueue([], context: PlaybackContext())
                }
                #expect(error?.code == .noReply)
                mpv.daemon.signal(SIGCONT)
                let prepared = try await eventually("an answer", because: "a call that came too late is made again") {
                    try? await content(followed, nil).initializePlaybackQueue([], context: PlaybackContext())
                }
                #expect(prepared.title == "one two")
            }
        }
    }
}
