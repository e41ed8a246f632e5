import FoundationEssentials
import History
import HunchDBus
import HunchModel
import Suggestions
import Testing

@testable import Media
@testable import Players
@testable import Triggers

/// Later consequences: the record of an accepted play, and what an appointment held.
extension MediaPolicyTests {
    @Test("An accepted item is recorded under its own identifier once its player was heard for long enough")
    func acceptedPlay() throws {
        let id: MPRISPlayer.ID = "org.mpris.MediaPlayer2.mpv"
        facts.players = [try player("a", "Paused")]
        policy.recorded[id] = "file:///Episode"
        let accepted = MediaPolicy.Event.accepted(1, suggestion("a"), activationToken: nil)
        #expect(effects(of: accepted) == ["ask replaced"])
        #expect(effects(of: .start(1, .askedReplaced([]))) == ["play 1 with a"])
        let observations = try observe("Playing", position: 0)
        #expect(
            observations.flatMap { effects(of: .player($0, application: "a")) }.contains("set play after 30.0 s"))
        #expect(effects(of: .start(1, .played(isSeen: true))) == ["remember started 1"])
        let heard = try player("a", "Playing", position: 30)
        let session = try #require(policy.memory.unheardSession(of: id))
        _ = effects(of: .asked(heard.player, MediaPolicy.Hearing(player: id, session: session, delay: .seconds(1))))
        #expect(effects(of: .timer(.play(id))) == ["record 1 of a"])
    }

    @Test("Media held by an appointment is suggested later, unless something played meanwhile")
    func precedence() throws {
        func hold() throws -> MediaPolicy.Attempt.ID {
            _ = effects(of: Self.ready)
            let id = policy.lastAttempt
            #expect(effects(of: .attempt(id, .policy(MediaPolicy.DeviceFacts()))) == ["rank"])
            return id
        }
        let ended = MediaPolicy.Event.timer(.precedence("AA"))
        let held = MediaPolicy.Answer.ranked([candidate("a", 0.6)], .appointmentFirst)
        _ = facts.board.offer(
            Suggestion(
                id: "appointment_1", title: "Leave", subtitle: "", application: "maps", applicationName: "Maps",
                source: "", score: 0.8, explanation: [], context: Context(trigger: .appointment),
                expiry: facts.now + 3_600, action: .openPage(uri: "https://a.example", .join)), at: facts.now)
        #expect(facts.board.urgentEnd(at: facts.now) == facts.now + 120)
        facts.now += 50
        #expect(effects(of: .attempt(try hold(), held)) == ["set precedence after 70.1 s"])
        #expect(effects(of: ended) == ["read policy of WH"])
        // Nothing begins to play then.
        var resuming = MediaPolicy.DeviceFacts()
        resuming.policy.resumes = true
        resuming.points = [
            ResumePoint(
                device: "AA", application: "a", item: "1", info: NowPlayingInfo(title: "Episode", item: "1"),
                pausedByDisconnect: false, date: facts.now)
        ]
        #expect(effects(of: .attempt(policy.lastAttempt, .policy(resuming))) == ["rank"])
        #expect(effects(of: ended).isEmpty, "only once")
        // The result says when the device became ready, and when that was decided.
        let date = facts.now
        facts.now += 71
        _ = effects(of: .attempt(policy.lastAttempt, .ranked([], .tooMany(until: facts.now))))
        #expect(policy.log.results.last?.occasion == date && policy.log.results.last?.date == facts.now)
        facts.now = date

        // Something played and ended.
        _ = effects(of: .attempt(try hold(), held))
        for observation in try observe("Playing", position: 5) {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        #expect(effects(of: ended).isEmpty)

        // The device is away for a moment, or for good.
        let (away, back) = (
            MediaPolicy.Event.device(.deviceDisconnected(Self.headset, at: Self.instant)),
            MediaPolicy.Event.device(.deviceReconnected(Self.headset, after: .seconds(2), at: Self.instant))
        )
        let here = facts.devices
        _ = effects(of: .attempt(try hold(), held), away)
        facts.devices = []
        #expect(effects(of: ended).isEmpty)
        facts.devices = here
        #expect(effects(of: back).last == "read policy of WH")
        _ = effects(of: .attempt(try hold(), held), away)
        facts.devices = []
        _ = effects(of: .timer(.departure("AA", number: policy.lastDeparture, maySettle: true)))
        facts.devices = here
        #expect(effects(of: ended).isEmpty)
    }

    @Test("A play that continues after something was forgotten counts from then on")
    func forgottenWhilePlaying() throws {
        facts.devices = []
        try playEpisode()
        facts.players = [try player("mpv", "Playing", position: 50)]
        policy.dropMemory()
        #expect(effects(of: .forgotten) == ["set hearing after 3.0 s", "set play after 30.0 s"])
        #expect(try hear(at: 60) == ["remember Episode", "set hearing after 120.0 s"])
        // The place is kept while it plays, for a crash.
        #expect(try hear(at: 180) == ["remember Episode", "set hearing after 120.0 s"])
        #expect(effects(of: .timer(.play("org.mpris.MediaPlayer2.mpv"))) == ["record file:///Episode of mpv"])
    }

    @Test("Forgetting an app restarts the count of its own plays only", arguments: ["mpv", "other"])
    func forgottenApp(_ application: AppID) throws {
        facts.devices = []
        for observation in try observe("Playing", position: 0) {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        facts.players = [try player("mpv", "Playing", position: 50)]
        policy.dropMemory(of: application)
        let anew = ["set hearing after 3.0 s", "set play after 30.0 s"]
        #expect(effects(of: .forgotten) == (application == "mpv" ? anew : []))
        #expect(policy.plays.keys.sorted() == ["org.mpris.MediaPlayer2.mpv"])
    }

    @Test("A play after something was forgotten in a pause counts")
    func forgottenInPause() throws {
        facts.devices = []
        try playEpisode()
        for observation in try observe("Paused", position: 50) {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        facts.players = [try player("mpv", "Paused", position: 50)]
        policy.dropMemory()
        #expect(effects(of: .forgotten).isEmpty)
        let started = try observe("Playing", position: 50).flatMap {
            effects(of: .player($0, application: "mpv"))
        }
        #expect(started.contains("set play after 30.0 s"), "\(started)")
    }

    /// Plays an item until it is recorded.
    private func playEpisode() throws {
        for observation in try observe("Playing", position: 0) {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        _ = try hear(at: 42)
        #expect(effects(of: .timer(.play("org.mpris.MediaPlayer2.mpv"))) == ["record file:///Episode of mpv"])
    }

    /// Returns the effects of hearing the player at a position in seconds.
    private func hear(at position: Int64) throws -> [String] {
        let heard = try player("mpv", "Playing", position: position).player
        let session = try #require(policy.memory.playingSession(of: heard.id))
        return effects(of: .asked(heard, MediaPolicy.Hearing(player: heard.id, session: session, delay: .seconds(1))))
    }

    @Test("A start that is cancelled while it waits for its device plays nothing")
    func cancelledWait() {
        _ = effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant)))
        #expect(effects(of: .accepted(1, suggestion("a"), activationToken: nil)) == ["wait for WH"])
        #expect(effects(of: .start(1, .cancelled)).isEmpty && policy.starts.isEmpty)
    }

    @Test("A disconnect ends the interruptions by earlier ones")
    func laterDisconnect() {
        #expect(
            effects(of: .pausedPlayers(on: Self.headset)) == ["take back touch of 0", "end interruptions by WH"])
    }

    @Test("Nothing plays on a device that was away for longer than the wait")
    func acceptingLate() {
        facts.devices = [
            DeviceStatus(device: Self.headset, isConnected: false, isDefault: false, isReady: false, hold: nil)
        ]
        #expect(effects(of: .accepted(1, suggestion("a"), activationToken: nil)).first?.hasPrefix("refuse") == true)
        #expect(policy.starts.isEmpty)
    }
}
