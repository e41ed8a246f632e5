import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Players that say they play, with a real audio server.
@Suite("The agent and players that falsely report that they play", .timeLimit(.minutes(15)))
struct ClaimingPlayerTests {
    /// The app of the only player, once it has this reason for its rank.
    private func application(_ scene: MediaScene, _ reason: String) async throws -> AppID {
        try await eventually("a player that is \(reason)", because: "Players has no signal") {
            try await scene.rig.agent.players().first { try $0.transfer.value("reason") == reason }?.application
        }
    }

    @Test("A silent player does not hold back the suggestion")
    func silent() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await withClient(of: scene.rig.bus) { client in
                    let wallpaper = try await RadioPlayer(on: client.connection)
                    try await wallpaper.play("Aquarium", position: 5_000_000)
                    _ = try await application(scene, "soundless")
                    try await scene.putOn()
                    #expect(try await scene.notifications.request(1).body.contains("Podcasts"))
                }
            }
        }
    }

    @Test("A heard player holds back the suggestion, unless excluded")
    func heard() async throws {
        try await withMediaScene { scene in
            // It runs below the process of this test, which is the player's.
            let sound = Command(
                "pacat", ["--raw", "--playback", "/dev/zero"],
                environment: scene.audio.environment.merging(["PULSE_SERVER": scene.audio.address]) { $1 })
            try await scene.withApp { _ in
                try await withClient(of: scene.rig.bus) { client in
                    let radio = try await RadioPlayer(on: client.connection)
                    try await withDaemon(sound) { _ in
                        try await radio.play("Song")
                        let application = try await application(scene, "playing")
                        try await scene.putOn()
                        try await scene.waitForHold("Radio")
                        try await scene.takeOff()
                        _ = try await scene.rig.agent.exclude(application)
                        try await scene.putOn()
                        #expect(try await scene.notifications.request(1).body.contains("Podcasts"))
                    }
                }
            }
        }
    }

    @Test("A phone's player does not hold back the suggestion")
    func remote() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await withClient(of: scene.rig.bus) { client in
                    let phone = try await RadioPlayer(
                        on: client.connection, as: "org.mpris.MediaPlayer2.kdeconnect.mpris_000001")
                    try await phone.play("Song")
                    _ = try await application(scene, "remote")
                    try await scene.putOn()
                    #expect(try await scene.notifications.request(1).body.contains("Podcasts"))
                }
            }
        }
    }
}
