import Glibc
import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Media
@testable import Players

@Suite("Choice of the active player", .timeLimit(.minutes(15))) struct PlayerArbiterTests {
    private let start = MonotonicInstant.now

    private func after(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    private func player(
        _ name: String, _ status: PlaybackStatus?, entry: String? = nil, isResponding: Bool = true
    ) throws -> MPRISPlayer {
        let bus = try BusName("org.mpris.MediaPlayer2." + name)
        return MPRISPlayer(
            id: bus, name: bus, names: [bus], identity: name, desktopEntry: entry, status: status, info: nil,
            canPlay: true, canSeek: true, canControl: true, hasTrackList: false, isResponding: isResponding,
            droppedChanges: 0)
    }

    private func names(
        _ arbiter: PlayerArbiter, _ players: [MPRISPlayer], at now: MonotonicInstant,
        _ likelihood: [String: Double] = [:]
    ) -> [String] {
        arbiter.rank(players, at: now) { likelihood[$0.identity] }.map(\.player.identity)
    }

    @Test("Players rank by playing, then last use, then learning")
    func order() throws {
        var arbiter = PlayerArbiter()
        let players = try [
            player("a", .stopped), player("b", .paused), player("c", .paused), player("d", .stopped),
            player("e", .playing), player("f", .paused), player("g", .paused), player("h", nil),
        ]
        arbiter.note(.started, of: players[1].id, at: after(1))
        arbiter.note(.paused, of: players[1].id, at: after(2))
        arbiter.note(.started, of: players[3].id, at: after(3))
        arbiter.note(.stopped, of: players[3].id, at: after(9))
        arbiter.note(.started, of: players[2].id, at: after(4))
        arbiter.note(.paused, of: players[2].id, at: after(5))
        let rankedPlayers = arbiter.rank(players, at: after(65)) { ["f": 0.2, "g": 0.7, "c": 1][$0.identity] }
        #expect(rankedPlayers.map(\.player.identity) == ["e", "c", "d", "b", "g", "f", "a", "h"])
        #expect(
            rankedPlayers.map(\.reason) == [
                .plays, .used(ago: .seconds(60)), .used(ago: .seconds(62)), .used(ago: .seconds(63)),
                .usual(0.7), .usual(0.2), .stopped, .stopped,
            ])
        #expect(rankedPlayers.allSatisfy { $0.isEligible })
    }

    @Test("A forgotten use no longer counts")
    func forgottenUse() throws {
        var arbiter = PlayerArbiter()
        let players = try [player("a", .paused), player("b", .paused)]
        arbiter.note(.paused, of: players[1].id, at: after(1))
        #expect(names(arbiter, players, at: after(2)) == ["b", "a"])
        arbiter.forgetUse(of: players[1].id)
        #expect(arbiter.rank(players, at: after(2)) { _ in nil }.map(\.reason) == [.paused, .paused])
    }

    @Test("Of two playing players, the last used ranks first")
    func twoPlay() throws {
        var arbiter = PlayerArbiter()
        let players = try [player("a", .playing), player("b", .playing)]
        #expect(names(arbiter, players, at: after(0)) == ["a", "b"])
        arbiter.note(.started, of: players[1].id, at: after(1))
        #expect(names(arbiter, players, at: after(2)) == ["b", "a"])
        arbiter.note(.started, of: players[0].id, at: after(3))
        #expect(names(arbiter, players, at: after(4)) == ["a", "b"])
        // The next item of a queue, and later metadata of it, do not count as a touch.
        arbiter.note(.started, of: players[1].id, at: after(5))
        arbiter.note(.changed, of: players[1].id, at: after(6))
        #expect(names(arbiter, players, at: after(7)) == ["a", "b"])
    }

    @Test("A use is retracted once; a player that left is forgotten")
    func takenBack() throws {
        var arbiter = PlayerArbiter()
        let players = try [player("a", .paused), player("b", .paused)]
        for (second, index) in [(1, 0), (2, 1)] { arbiter.note(.started, of: players[index].id, at: after(second)) }
        arbiter.note(.paused, of: players[0].id, at: after(3))
        #expect(names(arbiter, players, at: after(4)) == ["a", "b"])
        arbiter.takeBackTouch(of: players[0].id)
        #expect(names(arbiter, players, at: after(4)) == ["b", "a"])
        arbiter.takeBackTouch(of: players[0].id)
        arbiter.note(.gone, of: players[1].id, at: after(5))
        #expect(arbiter.rank(players, at: after(6)) { _ in nil }.map(\.reason) == [.paused, .paused])
    }

    @Test("Idle browsers rank behind others, unresponsive players last")
    func demoted() throws {
        var arbiter = PlayerArbiter()
        let players = try [
            player("chromium.instance42", .stopped), player("firefox.instance_1_7", nil), player("brave.x", .paused),
            player("mpv", .stopped), player("vlc", .playing, isResponding: false),
        ]
        // Even the player that was used last.
        arbiter.note(.started, of: players[0].id, at: after(1))
        arbiter.note(.stopped, of: players[0].id, at: after(2))
        let rankedPlayers = arbiter.rank(players, at: after(3)) { _ in nil }
        #expect(
            rankedPlayers.map(\.player.identity)
                == ["brave.x", "mpv", "chromium.instance42", "firefox.instance_1_7", "vlc"])
        #expect(rankedPlayers.map(\.reason) == [.paused, .stopped, .idleBrowser, .idleBrowser, .silent])
        #expect(rankedPlayers.map(\.isEligible) == [true, true, false, false, false])
    }

    @Test(
        "Browsers are recognised by their names",
        arguments: [
            ("chromium.instance4711", nil, true), ("plasma-browser-integration", nil, true),
            ("x", "org.mozilla.firefox", true), ("x", "google-chrome", true), ("x", "org.gnome.Epiphany", true),
            ("vlc", "vlc", false), ("spotify", "spotify", false), ("edgeplayer", nil, false),
        ] as [(String, String?, Bool)])
    func browsers(name: String, entry: String?, isBrowser: Bool) throws {
        #expect(try player(name, .stopped, entry: entry).isBrowser == isBrowser)
    }

    @Test(
        "Without a desktop entry, the bus name gives the app",
        arguments: [
            ("chromium.instance4711", ["chromium", "chromium.instance4711"]),
            ("firefox.instance_1_84", ["firefox", "firefox.instance_1_84"]),
            ("vlc.instance42", ["vlc", "vlc.instance42"]), ("io.bassi.Amberol", ["io.bassi.Amberol", "Amberol"]),
        ])
    func applications(name: String, expected: [AppID]) throws {
        let candidates = try player(name, .stopped).desktopIDCandidates
        #expect(Array(candidates.prefix(2)) == expected, "\(candidates)")
        // Its own desktop entry comes first.
        #expect(try player(name, .stopped, entry: "own").desktopIDCandidates.first == "own")
    }

    @Test("The last used player ranks first; device pauses do not count")
    func touched() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let track = FakePlayer.Track(url: "file:///a.ogg", title: "First")
                try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.a"], tracks: [track]) { first in
                    try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.b"], tracks: [track]) { second in
                        var count = 0
                        func touch(_ player: FakePlayer) async throws {
                            for status in [PlaybackStatus.playing, .paused] {
                                try await player.set(status)
                                count += 1
                                _ = try await followed.observations(count)
                            }
                        }
                        try await touch(first)
                        try await touch(second)
                        #expect(await followed.players.players().map(\.name.text.last) == ["b", "a"])
                        try await touch(first)
                        let last = try #require(await followed.players.players().first)
                        #expect(last.name == "org.mpris.MediaPlayer2.a")
                        // The user continued playback.
                        await followed.players.takeBackTouch(of: [last.id])
                        #expect(await followed.players.players().first?.name == last.name)
                    }
                }
            }
        }
    }

    @Test("A browser and its Plasma integration are one player")
    func proxied() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                var manner = FakePlayer.Manner(identity: "Chromium", desktopEntry: "chromium")
                let page = FakePlayer.Track(title: "A talk")
                let name: BusName = "org.mpris.MediaPlayer2.chromium.instance4711"
                try await withFakePlayer(on: bus, as: [name], manner, tracks: [page]) { browser in
                    try await browser.set(.playing)
                    #expect(try await followed.observations(1).map(\.change) == [.started])
                    manner.proxiedProcess = getpid()
                    let address = FakePlayer.Track(url: "https://example.org/talk", title: "A talk")
                    let better: BusName = "org.mpris.MediaPlayer2.plasma-browser-integration"
                    try await withFakePlayer(on: bus, as: [better], manner, tracks: [address]) { proxy in
                        try await proxy.set(.playing)
                        let seen = try await followed.observations(3)
                        #expect(seen.filter { $0.player.name == name }.map(\.change) == [.started, .gone])
                        #expect(seen.filter { $0.player.name == better }.map(\.change) == [.started])
                        #expect(seen.last { $0.change == .started }?.item == "https://example.org/talk")
                        #expect(await followed.players.players().map(\.name) == [better])
                        // Reports of the browser itself are ignored meanwhile.
                        try await browser.set(.paused)
                        try await browser.set(.playing)
                        try await proxy.set(.paused)
                        #expect(try await followed.observations(4).last?.player.name == better)
                    }
                    let later = try await followed.observations(6)
                    #expect(later.suffix(2).map(\.change).contains(.started))
                    #expect(await followed.players.players().map(\.name) == [name])
                }
            }
        }
    }

    @Test("Other browsers remain players next to the integrated one")
    func otherBrowser() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                var manner = FakePlayer.Manner()
                let names: [BusName] = [
                    "org.mpris.MediaPlayer2.chromium.instance1", "org.mpris.MediaPlayer2.plasma-browser-integration",
                ]
                try await withFakePlayer(on: bus, as: [names[0]], manner, tracks: []) { _ in
                    manner.proxiedProcess = 1
                    let track = FakePlayer.Track(title: "A talk")
                    try await withFakePlayer(on: bus, as: [names[1]], manner, tracks: [track]) { _ in
                        try await followed.player { $0.name == names[1] && $0.info != nil }
                        try await followed.player { $0.name == names[0] }
                    }
                }
            }
        }
    }
}
