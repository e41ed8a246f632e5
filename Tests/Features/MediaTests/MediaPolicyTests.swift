import FoundationEssentials
import History
import EventLoops
import HunchDBus
import HunchModel
import Suggestions
import Testing

@testable import Media
@testable import Players
@testable import Triggers

/// Events on the left, effects on the right.
@Suite("The media policy")
final class MediaPolicyTests {
    static let headset = AudioDevice(id: "AA", name: "WH", kind: .headset, transport: .bluetooth)
    static let instant = MonotonicInstant(sinceStart: .seconds(10))
    static let ready = MediaPolicy.Event.device(.deviceReady(headset, at: instant))

    var policy = MediaPolicy(MediaPolicy.Timing(rejoin: .seconds(5)))
    var facts = MediaPolicy.Facts(
        now: Date(timeIntervalSince1970: 1_748_822_400), instant: instant, isWatching: true, players: [],
        devices: [
            DeviceStatus(device: headset, isConnected: true, isDefault: true, isReady: true, hold: nil)
        ], board: SuggestionBoard())

    /// Passes events to the policy, and returns the effects of the last one as words.
    func effects(of events: MediaPolicy.Event...) -> [String] {
        events.reduce([]) { _, event in policy.handle(event, facts).map(\.words) }
    }

    func candidate(_ application: AppID, _ score: Double) -> SuggestionCandidate {
        .media(MediaCandidate(application: application, item: "1", info: nil, score: score, explanation: []))
    }

    func suggestion(_ application: AppID) -> Suggestion {
        Suggestion(
            ofPrepared: NowPlayingInfo(title: "Episode", item: "1"), by: (application, application.rawValue),
            MediaCandidate(application: application, item: "1", info: nil, score: 1, explanation: []),
            PlaybackContext(device: Self.headset), id: application.rawValue, in: Context(), until: facts.now + 300)
    }

    private func answer(_ answer: MediaPolicy.Answer) -> MediaPolicy.Event { .attempt(1, answer) }

    @Test("A ready device leads to a suggestion of the likeliest app")
    func ready() {
        #expect(effects(of: Self.ready) == ["use WH", "send context", "read policy of WH"])
        #expect(effects(of: answer(.policy(MediaPolicy.DeviceFacts()))) == ["rank"])
        let candidates = [candidate("a", 0.6), candidate("b", 0.3)]
        #expect(effects(of: answer(.ranked(candidates, nil))) == ["prepare a 0.6 within 2.0 s"])
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))) == ["offer a, keys from 15.0"])
        #expect(effects(of: answer(.offered(.offered([])))) == ["follow content of a"])
        #expect(policy.attempts.isEmpty && policy.lastHold == nil)
    }

    @Test("An app that cannot prepare leaves its share to the next")
    func failing() {
        _ = effects(of: Self.ready, answer(.policy(MediaPolicy.DeviceFacts())))
        let candidates = [candidate("a", 0.5), candidate("b", 0.25)]
        #expect(
            effects(of: answer(.ranked(candidates, nil)), answer(.prepared(.failed("a prepared nothing"))))
                == ["prepare b 0.5 within 2.0 s"])
        #expect(effects(of: answer(.prepared(.failed("b prepared nothing")))).isEmpty)
        #expect(policy.lastHold == .notPrepared("b prepared nothing"))
    }

    @Test("A likely second app is prepared in a quarter of the time")
    func companion() {
        _ = effects(of: Self.ready, answer(.policy(MediaPolicy.DeviceFacts())))
        _ = effects(of: answer(.ranked([candidate("a", 0.5), candidate("b", 0.4)], nil)))
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))) == ["prepare b 0.4 within 0.5 s"])
        #expect(effects(of: answer(.prepared(.ready(suggestion("b"))))) == ["offer a or b, keys from 15.0"])
    }

    @Test("Playback that began meanwhile ends the attempt")
    func playing() throws {
        _ = effects(of: Self.ready, answer(.policy(MediaPolicy.DeviceFacts())))
        _ = effects(of: answer(.ranked([candidate("a", 0.6)], nil)))
        facts.players = [try player("mpv", "Playing")]
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))).isEmpty)
        #expect(effects(of: answer(.offered(.offered([])))).isEmpty, "the attempt has ended")
    }

    @Test("A player that reports playing is asked before it holds")
    func checking() throws {
        facts.players = [try player("mpv", "Playing")]
        #expect(effects(of: Self.ready).last == "check 1")
        #expect(effects(of: answer(.checked(excluded: []))) == ["read policy of WH"])
        _ = effects(of: answer(.policy(MediaPolicy.DeviceFacts())))
        #expect(effects(of: answer(.ranked([candidate("a", 0.6)], nil))).isEmpty)
        #expect(policy.lastHold == .playing("mpv Media Player"), "the name of the app, as in suggestions")
        // The hold ends once that player pauses.
        let paused = try #require(try observe("Paused", position: 5).last)
        facts.players = [try player("mpv", "Paused")]
        _ = effects(of: .player(paused, application: "mpv"))
        #expect(policy.lastHold == nil)
    }

    @Test("A player that pauses or does not answer when asked holds nothing")
    func checkedInVain() throws {
        facts.players = [try player("mpv", "Playing")]
        _ = effects(of: Self.ready)
        facts.players = [try player("mpv", "Paused")]
        _ = effects(of: answer(.checked(excluded: [])), answer(.policy(MediaPolicy.DeviceFacts())))
        #expect(effects(of: answer(.ranked([candidate("a", 0.6)], nil))) == ["prepare a 0.6 within 2.0 s"])
    }

    @Test("A player that did not answer before is asked again")
    func checkedAgain() throws {
        var hung = FollowedPlayer(name: "org.mpris.MediaPlayer2.mpv", generation: 1, shown: nil)
        hung.applyPlayer(["PlaybackStatus": .string("Playing")], at: Self.instant)
        let player = hung.snapshot("org.mpris.MediaPlayer2.mpv", at: Self.instant)
        facts.players = [MediaPolicy.KnownPlayer(player: player, application: "mpv", name: "mpv")]
        #expect(!player.isPlaying && effects(of: Self.ready).last == "check 1")
    }

    @Test("A player that falsely reports that it plays is not offered")
    func claimant() throws {
        facts.players = [try player("a", "Playing")]
        _ = try observe("Playing", position: 5)
        let silent = try #require(traced.players(at: Self.instant.advanced(by: .seconds(9)), among: []).first)
        facts.players = [MediaPolicy.KnownPlayer(player: silent, application: "a", name: "a")]
        _ = effects(of: Self.ready, answer(.checked(excluded: [])), answer(.policy(MediaPolicy.DeviceFacts())))
        let candidates = [candidate("a", 0.5), candidate("b", 0.25)]
        #expect(effects(of: answer(.ranked(candidates, nil))) == ["prepare b 0.5 within 2.0 s"])
    }

    @Test("A player of an excluded app holds nothing")
    func excluded() throws {
        facts.players = [try player("mpv", "Playing")]
        _ = effects(of: Self.ready, answer(.checked(excluded: ["mpv"])))
        _ = effects(of: answer(.policy(MediaPolicy.DeviceFacts())))
        #expect(effects(of: answer(.ranked([candidate("a", 0.6)], nil))) == ["prepare a 0.6 within 2.0 s"])
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))).count == 1)
    }

    @Test("A device that is gone when its app answers gets the suggestion on return")
    func goneMeanwhile() {
        _ = effects(of: Self.ready, answer(.policy(MediaPolicy.DeviceFacts())))
        _ = effects(of: answer(.ranked([candidate("a", 0.6)], nil)))
        let devices = facts.devices
        facts.devices = []
        #expect(
            effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant))) == [
                "send context", "lose WH", "set departure after 5.0 s", "pause players on WH",
            ])
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))).isEmpty)
        facts.devices = devices
        #expect(
            effects(of: .device(.deviceReconnected(Self.headset, after: .seconds(2), at: Self.instant))) == [
                "use WH again", "send context", "hold keys until 15.0", "cancel departure", "read policy of WH",
            ])
    }

    @Test("A device whose sound goes elsewhere for a moment gets the suggestion when it is back")
    func elsewhereMeanwhile() throws {
        let here = facts.devices
        _ = effects(of: Self.ready, answer(.policy(MediaPolicy.DeviceFacts())))
        _ = effects(of: answer(.ranked([candidate("a", 0.6)], nil)))
        facts.devices = [
            DeviceStatus(device: Self.headset, isConnected: true, isDefault: false, isReady: false, hold: nil)
        ]
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))).isEmpty)
        #expect(policy.lastHold == .outputChanged)
        func regained(after seconds: Int) -> [String] {
            effects(of: .device(.deviceRegained(Self.headset, at: Self.instant.advanced(by: .seconds(seconds)))))
        }
        #expect(regained(after: 1).isEmpty, "it went elsewhere again at once")
        facts.devices = here
        #expect(regained(after: 11).isEmpty, "not for ever")
        #expect(regained(after: 9) == ["read policy of WH"])
        #expect(regained(after: 9).isEmpty, "only once")
    }

    @Test("A reconnect within five seconds keeps the suggestion")
    func reconnect() {
        _ = effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant)))
        #expect(
            effects(of: .device(.deviceReconnected(Self.headset, after: .seconds(2), at: Self.instant))).last
                == "check interruption of WH")
        _ = effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant)))
        facts.devices = []
        #expect(
            effects(of: .timer(.departure("AA", number: 2, maySettle: true)))
                == ["cancel departure", "withdraw: the device disconnected"])
    }

    @Test("A reconnect that leads to no attempt is noted with its reason, unless a suggestion is open")
    func reconnectResult() {
        let reconnected = MediaPolicy.Event.device(
            .deviceReconnected(Self.headset, after: .seconds(2), at: Self.instant))
        _ = effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant)), reconnected)
        #expect(policy.log.results.map(\.hold) == [.reconnected(after: .seconds(2))])
        // The item that the disconnect paused is suggested again.
        let paused = MediaPolicy.Event.checkedInterruption(of: Self.headset, at: Self.instant, wasInterrupted: true)
        #expect(effects(of: paused) == ["read policy of WH"])
        _ = effects(of: answer(.policy(MediaPolicy.DeviceFacts())), answer(.ranked([], .noApp)))
        #expect(policy.log.results.map(\.hold) == [.noApp])

        var suggestion = suggestion("a")
        suggestion.context.device = Self.headset.id
        _ = facts.board.offer(suggestion, at: facts.now)
        policy.forgetTriggers()
        _ = effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant)), reconnected)
        #expect(policy.log.results.isEmpty)
    }

    @Test("An attempt that is resumed after a restart is marked as such from its first step")
    func takenUp() {
        #expect(effects(of: .unanswered(.device("AA"))) == ["use WH again", "read policy of WH"])
        _ = effects(of: answer(.policy(MediaPolicy.DeviceFacts())), answer(.ranked([], .noApp)))
        #expect(policy.log.results.map(\.isTakenUp) == [true])
        _ = effects(of: Self.ready, .attempt(2, .policy(MediaPolicy.DeviceFacts())), .attempt(2, .ranked([], .noApp)))
        #expect(policy.log.results.map(\.isTakenUp) == [false])
    }

    @Test("Accepting waits for a device that is away briefly")
    func accepting() {
        _ = effects(of: .device(.deviceDisconnected(Self.headset, at: Self.instant)))
        let accepted = MediaPolicy.Event.accepted(1, suggestion("a"), activationToken: nil)
        #expect(effects(of: accepted) == ["wait for WH"])
        let returned = effects(of: .device(.deviceReconnected(Self.headset, after: .seconds(2), at: Self.instant)))
        #expect(returned.contains("end wait: true"))
        #expect(effects(of: .start(1, .waited(hasReconnected: true))) == ["play 1 with a"])
        #expect(effects(of: .start(1, .played(isSeen: true))) == ["record 1 of a", "remember started 1"])
        #expect(effects(of: accepted, .start(1, .failed)).isEmpty && policy.accepted.isEmpty)
    }

    @Test("Switching resuming on plays the latest item without asking")
    func resuming() throws {
        var stored = MediaPolicy.DeviceFacts()
        stored.policy.resumes = true
        stored.points = [
            ResumePoint(
                device: "AA", application: "a", item: "1", info: NowPlayingInfo(title: "Episode", item: "1"),
                pausedByDisconnect: false, date: facts.now)
        ]
        _ = effects(of: Self.ready)
        #expect(effects(of: answer(.policy(stored))) == ["prepare a 1.0 within 2.0 s"])
        #expect(effects(of: answer(.prepared(.ready(suggestion("a"))))) == ["resume a"])
        #expect(effects(of: answer(.resumed(false))) == ["rank"])
        stored.isPaused = true
        _ = effects(of: Self.ready)
        #expect(effects(of: .attempt(2, .policy(stored))) == ["rank"])
    }

    @Test("An item of 30 s is recorded once")
    func recording() throws {
        facts.devices = []
        let observations = try observe("Playing", position: 0)
        #expect(
            effects(of: .player(try #require(observations.first), application: "mpv")) == [
                "withdraw: something is playing", "set play after 30.0 s", "set hearing after 3.0 s",
            ])
        #expect(effects(of: .timer(.play("org.mpris.MediaPlayer2.mpv"))) == ["set play after 60.0 s"], "not heard yet")
        let known = try player("mpv", "Playing", position: 42)
        let hearing = MediaPolicy.Hearing(
            player: known.player.id, session: try #require(policy.memory.unheardSession(of: known.player.id)),
            delay: .seconds(1))
        #expect(effects(of: .asked(known.player, hearing)) == ["remember Episode", "set hearing after 120.0 s"])
        #expect(effects(of: .timer(.play(known.player.id))) == ["record file:///Episode of mpv"])
        #expect(effects(of: .timer(.play(known.player.id))).isEmpty)
    }

    /// Plays an item of four seconds for some time, and returns the effects of what comes then.
    private func playShort(for time: Duration, until status: String) throws -> [String] {
        facts.devices = []
        for observation in try observe("Playing", position: 0, length: 4) {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        let id: MPRISPlayer.ID = "org.mpris.MediaPlayer2.mpv"
        _ = try observe("Playing", position: 1, length: 4)
        let known = try #require(traced.players(at: Self.instant).first)
        let hearing = MediaPolicy.Hearing(
            player: id, session: try #require(policy.memory.unheardSession(of: id)), delay: .seconds(1))
        #expect(effects(of: .asked(known, hearing)).isEmpty, "a sound of seconds replaces no resume point")
        facts.instant = Self.instant.advanced(by: time)
        return try observe(status, position: 4, file: status == "Playing" ? "Next" : "Episode", length: 4).flatMap {
            effects(of: .player($0, application: "mpv"))
        }
    }

    @Test("An item of four seconds counts once it has ended", arguments: ["Playing", "Paused", "Stopped"])
    func shortItem(status: String) throws {
        let ended = try playShort(for: .seconds(4), until: status)
        #expect(ended.filter { $0.hasPrefix("record") } == ["record file:///Episode of mpv"], "\(ended)")
    }

    @Test("An item of four seconds that was left does not count", arguments: ["Playing", "Paused", "Stopped"])
    func leftShortItem(status: String) throws {
        let left = try playShort(for: .seconds(2), until: status)
        #expect(!left.contains { $0.hasPrefix("record") }, "\(left)")
    }

    @Test("A play is recorded with the title that the player reads after it started")
    func lateTitle() throws {
        facts.devices = []
        for observation in try observe("Playing", position: 0, title: "", file: "ep41.mp3") {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        for observation in try observe("Playing", position: 42, file: "ep41.mp3") {
            _ = effects(of: .player(observation, application: "mpv"))
        }
        let player: MPRISPlayer.ID = "org.mpris.MediaPlayer2.mpv"
        let titles = policy.handle(.timer(.play(player)), facts).map { effect -> String? in
            guard case .record(let play) = effect else { return nil }
            return play.info.title
        }
        #expect(titles == ["Episode"])
    }

    private var traced = TracedPlayers()

    func observe(
        _ status: String, position: Int64, title: String = "Episode", file: String = "Episode", length: Int64? = nil
    ) throws -> [MediaObservation] {
        var metadata: VariantMap = ["xesam:title": .string(title), "xesam:url": .string("file:///\(file)")]
        metadata["mpris:length"] = length.map { .int64($0 * 1_000_000) }
        return traced.take(
            "org.mpris.MediaPlayer2.mpv",
            [
                "Identity": .string("mpv"), "PlaybackStatus": .string(status),
                "Position": .int64(position * 1_000_000),
                "Metadata": metadata.dbusValue,
            ], at: Self.instant)
    }

    func player(
        _ application: AppID, _ status: String, position: Int64 = 0
    ) throws -> MediaPolicy.KnownPlayer {
        _ = try observe(status, position: position)
        let player = try #require(traced.players(at: Self.instant).first)
        return MediaPolicy.KnownPlayer(player: player, application: application, name: "\(application) Media Player")
    }
}

extension MediaPolicy.Effect {
    fileprivate var words: String {
        func seconds(_ time: Duration) -> String { "\(time / .seconds(1)) s" }
        func instant(_ time: MonotonicInstant?) -> String {
            time.map { "\(MonotonicInstant(sinceStart: .zero).duration(to: $0) / .seconds(1))" } ?? "never"
        }
        switch self {
        case .setTimer(let timer, let delay): return "set \(timer.word) after \(seconds(delay))"
        case .cancelTimer(let timer): return "cancel \(timer.word)"
        case .remember(let point, _, _): return "remember \(point.info.title)"
        case .rememberStarted(let point): return "remember started \(point.item ?? "")"
        case .copyArtwork(let url, _, _): return "copy \(url)"
        case .endInterruptions(let device, _): return "end interruptions by \(device.name)"
        case .record(let play): return "record \(play.item) of \(play.application)"
        case .ask: return "ask"
        case .takeBackTouch(let players): return "take back touch of \(players.count)"
        case .use(let device, let isReconnect): return "use \(device.name)" + (isReconnect ? " again" : "")
        case .lose(let device): return "lose \(device.name)"
        case .sendContext: return "send context"
        case .holdKeys(let time): return "hold keys until \(instant(time))"
        case .pausePlayers(_, let device): return "pause players on \(device.name)"
        case .checkInterruption(let device, _, _): return "check interruption of \(device.name)"
        case .withdraw(let withdrawal): return "withdraw: \(withdrawal.reason)"
        case .check(_, let players): return "check \(players.count)"
        case .readPolicy(_, let device): return "read policy of \(device.name)"
        case .rank: return "rank"
        case .prepare(_, let candidate, _, let time):
            return "prepare \(candidate.application) \(candidate.score) within \(seconds(time))"
        case .makeSuggestion: return "make suggestion"
        case .offer(_, let suggestion, let companion, let time):
            return "offer \(suggestion.id)\(companion.map { " or \($0.id)" } ?? ""), keys from \(instant(time))"
        case .followContent(let suggestion): return "follow content of \(suggestion.id)"
        case .resume(_, let suggestion): return "resume \(suggestion.id)"
        case .waitForDevice(_, let device, _): return "wait for \(device.name)"
        case .endWait(_, let hasReconnected): return "end wait: \(hasReconnected)"
        case .askReplaced: return "ask replaced"
        case .play(_, let item, let suggestion, _, _): return "play \(item) with \(suggestion.application)"
        case .refuse(_, let error): return "refuse: \(error.code)"
        }
    }
}

extension MediaPolicy.Timer {
    fileprivate var word: String {
        switch self {
        case .play: "play"
        case .hearing: "hearing"
        case .departure: "departure"
        case .precedence: "precedence"
        }
    }
}
