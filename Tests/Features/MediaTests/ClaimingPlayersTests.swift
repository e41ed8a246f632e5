import Glibc
import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing
import Triggers

@testable import Media
@testable import Players

/// Players on a bus that say they play although they do not.
@Suite("Players that falsely report that they play", .timeLimit(.minutes(15)))
struct ClaimingPlayersTests {
    private let track = FakePlayer.Track(title: "Song")

    @Test("A player that hangs does not play")
    func hanging() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                let fake = try await FakePlayer(on: connection, FakePlayer.Manner(), tracks: [track])
                try await fake.own("org.mpris.MediaPlayer2.fake")
                try await fake.set(.playing)
                var deadlines = MediaDeadlines()
                deadlines.check = .milliseconds(300)
                try await withFollowedPlayers(on: bus, deadlines: deadlines) { followed in
                    let player = try await followed.player { $0.isPlaying }
                    await followed.players.check([player.id])
                    #expect(await followed.players.players().map(\.isPlaying) == [true])
                    await fake.hang()
                    await followed.players.check([player.id])
                    #expect(await followed.players.players().map(\.isPlaying) == [false])
                    await fake.hang(false)
                    await followed.players.check([player.id])
                    #expect(await followed.players.players().map(\.isPlaying) == [true])
                }
            }
        }
    }

    @Test("A player that stopped without a signal does not play")
    func unannounced() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                var manner = FakePlayer.Manner()
                manner.isSilent = true
                let fake = try await FakePlayer(on: connection, manner, tracks: [track])
                try await fake.own("org.mpris.MediaPlayer2.fake")
                try await fake.set(.playing)
                try await withFollowedPlayers(on: bus) { followed in
                    let player = try await followed.player { $0.isPlaying }
                    try await fake.set(.stopped)
                    await followed.players.check([player.id])
                    #expect(await followed.players.players().map(\.isPlaying) == [false])
                    #expect(try await followed.observations(2).map(\.change) == [.started, .stopped])
                }
            }
        }
    }

    @Test("A player has its process and those that started it")
    func process() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                let fake = try await FakePlayer(on: connection, FakePlayer.Manner(), tracks: [track])
                try await fake.own("org.mpris.MediaPlayer2.fake")
                try await withFollowedPlayers(on: bus) { followed in
                    let player = try await followed.player()
                    #expect(player.processes == ProcessLineage.of(UInt32(getpid())))
                }
            }
        }
    }

    @Test("A phone's player is listed, and is not among the players")
    func remote() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                let fake = try await FakePlayer(on: connection, FakePlayer.Manner(), tracks: [track])
                try await fake.own("org.mpris.MediaPlayer2.kdeconnect.mpris_000001")
                try await fake.set(.playing)
                try await withFollowedPlayers(on: bus) { followed in
                    await followed.players.firstLook(atMost: .seconds(60))
                    let ranked = await followed.players.rankedPlayers()
                    #expect(ranked.map(\.reason) == [.remote] && ranked.allSatisfy { !$0.isEligible })
                    #expect(await followed.players.players().isEmpty)
                    #expect(followed.seen.state.isEmpty)
                }
            }
        }
    }
}
