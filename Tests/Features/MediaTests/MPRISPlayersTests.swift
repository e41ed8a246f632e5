import AgentInterface
import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

@Suite("MPRIS players on the bus", .timeLimit(.minutes(15)))
struct MPRISPlayersTests {
    private let first = FakePlayer.Track(url: "file:///music/first.ogg", title: "First")
    private let second = FakePlayer.Track(url: "file:///music/second.ogg", title: "Second")

    @Test("Each playback change is observed once, with its position")
    func life() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, tracks: [first]) { fake in
                    try await followed.player()
                    try await fake.set(.playing, at: 1_000_000)
                    _ = try await followed.observations(1)
                    try await fake.set(.paused, at: 42_000_000)
                    _ = try await followed.observations(2)
                    try await fake.set(.playing)
                    _ = try await followed.observations(3)
                    try await fake.load(second)
                    _ = try await followed.observations(4)
                    try await fake.emitSeeked(300_000_000)
                    try await fake.set(.stopped, at: 0)
                    _ = try await followed.observations(5)
                }
                let seen = try await followed.observations(6)
                #expect(seen.map(\.change) == [.started, .paused, .started, .started, .stopped, .gone])
                #expect(seen.map(\.info?.title) == ["First", "First", "First", "Second", "Second", nil])
                #expect(seen.map(\.item).prefix(4) == [first.url, first.url, first.url, second.url])
                #expect(try #require(seen[0].info?.position) >= 1_000_000)
                #expect(seen[1].info?.position == 42_000_000)
                // A stopped player reports position 0. The position before counts.
                #expect((300_000_000...320_000_000).contains(try #require(seen[4].info?.position)))
                #expect(seen[4].info?.length == 600_000_000)
                #expect(seen[5].player.name == "org.mpris.MediaPlayer2.fake")
                #expect(await followed.players.players().isEmpty)
            }
        }
    }

    @Test("A player found playing counts as started until it closes")
    func alreadyPlaying() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, as: [], tracks: [first]) { fake in
                    try await fake.set(.playing, at: 7_000_000)
                    try await fake.own("org.mpris.MediaPlayer2.fake")
                    let seen = try await followed.observations(1)
                    #expect(seen[0].change == .started)
                    #expect(seen[0].info?.position ?? 0 >= 7_000_000)
                }
                let gone = try await followed.observations(2)[1]
                #expect(gone.change == .gone)
                #expect(gone.info?.title == "First")
                #expect((7_000_000...30_000_000).contains(try #require(gone.info?.position)))
            }
        }
    }

    @Test("Late metadata completes the item named by its address")
    func lateMetadata() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                var manner = FakePlayer.Manner()
                manner.opening = .late
                try await withFakePlayer(on: bus, manner) { fake in
                    let player = try await followed.player()
                    let proxy = Proxy(followed.bus, player.id, MPRIS.path)
                    let () = try await proxy.call(MPRIS.player, "OpenUri", "file:///a/Track%20One.ogg")
                    try await fake.set(.playing)
                    let started = try await followed.observations(1)[0]
                    #expect(started.change == .started)
                    #expect(started.info?.title == "Track One")
                    #expect(started.info?.length == nil)
                    try await fake.tellMetadata()
                    let changed = try await followed.observations(2)[1]
                    #expect(changed.change == .changed)
                    #expect(changed.info?.length == 600_000_000)
                    #expect(changed.item == started.item)
                }
            }
        }
    }

    @Test("Two names of one connection are one player")
    func twoNames() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let names: [BusName] = ["org.mpris.MediaPlayer2.vlc.instance42", "org.mpris.MediaPlayer2.vlc"]
                var manner = FakePlayer.Manner()
                manner.desktopEntry = nil
                manner.identity = "VLC media player"
                try await withFakePlayer(on: bus, as: names, manner, tracks: [first]) { fake in
                    let player = try await followed.player { $0.names.count == 2 }
                    #expect(await followed.players.players().count == 1)
                    #expect(player.name == "org.mpris.MediaPlayer2.vlc")
                    #expect(player.desktopIDCandidates == ["vlc", "vlc-media-player"])
                    try await fake.connection.releaseName(names[1])
                    let left = try await followed.player { $0.names.count == 1 }
                    #expect(left.name == names[0])
                    #expect(left.desktopIDCandidates.first == "vlc")
                    try await fake.connection.releaseName(names[0])
                    #expect(try await followed.observations(1)[0].change == .gone)
                    try await fake.own(names[1])
                    #expect(try await followed.player().names == [names[1]])
                }
            }
        }
    }

    @Test("The playerctld proxy and our own card are not players")
    func excluded() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, as: [MPRIS.playerctld], tracks: [first]) { proxy in
                    try await proxy.set(.playing)
                    try await withFakePlayer(on: bus, as: [HunchNames.card], tracks: [first]) { _ in
                        try await withFakePlayer(on: bus, tracks: [second]) { _ in
                            try await followed.player()
                            #expect(await followed.players.players().map(\.info?.title) == ["Second"])
                        }
                    }
                }
                #expect(try await followed.observations(1).map(\.player.name) == ["org.mpris.MediaPlayer2.fake"])
            }
        }
    }

    @Test("A player whose object appears late is queried again")
    func lateObject() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                var manner = FakePlayer.Manner()
                manner.failingReads = 2
                try await withFakePlayer(on: bus, manner, tracks: [first]) { _ in
                    let player = try await followed.player()
                    #expect(player.identity == "Fake Player")
                }
            }
        }
    }

    @Test("A hanging player delays no other and is marked as hanging")
    func hanging() async throws {
        try await withPrivateBus { bus in
            var deadlines = MediaDeadlines()
            deadlines.reply = .seconds(2)
            deadlines.retries = Array(repeating: .milliseconds(200), count: 100)
            try await withFollowedPlayers(on: bus, deadlines: deadlines) { followed in
                try await withFakePlayer(on: bus, as: [], tracks: [first]) { stuck in
                    await stuck.hang()
                    try await stuck.own("org.mpris.MediaPlayer2.stuck")
                    try await withFakePlayer(on: bus, tracks: [second]) { fake in
                        try await fake.set(.playing)
                        #expect(try await followed.observations(1)[0].info?.title == "Second")
                        let all = await followed.players.players()
                        #expect(all.map(\.name) == ["org.mpris.MediaPlayer2.fake", "org.mpris.MediaPlayer2.stuck"])
                        #expect(!all[1].isResponding)
                        let error = await #expect(throws: MediaError.self) {
                            _ = try await followed.players.refreshed(all[1])
                        }
                        #expect(error?.code == .noReply)
                        await stuck.hang(false)
                        try await followed.player { $0.name.text.hasSuffix("stuck") }
                    }
                }
            }
        }
    }

    @Test("A hanging player is given up until it sends something")
    func givenUp() async throws {
        try await withPrivateBus { bus in
            var deadlines = MediaDeadlines()
            deadlines.reply = .milliseconds(100)
            deadlines.retries = []
            try await withFollowedPlayers(on: bus, deadlines: deadlines) { followed in
                try await withFakePlayer(on: bus, as: [], tracks: [first]) { stuck in
                    await stuck.hang()
                    try await stuck.own("org.mpris.MediaPlayer2.stuck")
                    try await eventually("the player being there", because: "it tells nothing") {
                        await followed.players.players().isEmpty ? nil : ()
                    }
                    await stuck.hang(false)
                    // Repeated until the follower listens, since it does not report its progress.
                    try await eventually("the player being seen", because: "it is left alone until it is heard") {
                        try await stuck.emit(["Volume": .double(1)])
                        return await followed.players.players().contains { $0.isResponding } ? () : nil
                    }
                }
            }
        }
    }

    @Test("A snapshot lists playing players first, then paused ones")
    func order() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.a"], tracks: [first]) { _ in
                    try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.b"], tracks: [first]) { paused in
                        try await paused.set(.paused)
                        try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.c"], tracks: [first]) {
                            playing in
                            try await playing.set(.playing)
                            let all = try await followed.players.wait(atMost: .seconds(20)) { players in
                                players.map(\.status) == [.playing, .paused, .stopped] ? players : nil
                            }
                            #expect(all?.map(\.name.text.last) == ["c", "b", "a"])
                        }
                    }
                }
            }
        }
    }

    @Test("Losing the bus ends the run with a clear error")
    func lostBus() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                let players = MPRISPlayers(on: connection)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        let error = await #expect(throws: MediaError.self) { try await players.run() }
                        #expect(error?.code == .disconnected)
                    }
                    try await withFakePlayer(on: bus) { _ in
                        let seen = try await players.wait(atMost: .seconds(20)) { $0.isEmpty ? nil : true }
                        #expect(seen == true)
                        try await bus.kill()
                    }
                    try await group.waitForAll()
                }
                #expect(await players.players().isEmpty)
                for await _ in players.observations {}
            }
        }
    }
}
