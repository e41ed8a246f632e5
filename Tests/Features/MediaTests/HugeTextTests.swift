@testable import Players
import HunchDBus
import HunchModel
import Media
import TestSupport
import Testing

@Suite("Huge texts of players", .timeLimit(.minutes(15)))
struct HugeTextTests {
    /// One character of seven megabytes.
    private static let marks = "e" + String(repeating: "\u{301}", count: 3_500_000)

    @Test("Texts of megabytes are cut to a few hundred bytes")
    func marks() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                var manner = FakePlayer.Manner()
                manner.identity = Self.marks
                manner.desktopEntry = Self.marks
                let track = FakePlayer.Track(url: "file:///music/first.ogg", title: Self.marks)
                try await withFakePlayer(on: bus, manner, tracks: [track]) { fake in
                    try await fake.set(.playing)
                    let player = try await followed.player { $0.info != nil }
                    #expect((1...512).contains(player.identity.utf8.count))
                    #expect(player.desktopEntry == nil)
                    #expect(player.info.map { (1...512).contains($0.title.utf8.count) } == true)
                    #expect(!player.isBrowser)
                    #expect(player.desktopIDCandidates.allSatisfy { $0.rawValue.utf8.count <= 1_024 })
                }
            }
        }
    }
}
