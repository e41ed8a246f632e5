import FoundationEssentials
import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

/// A card on a private bus, what happens on it, and another program that sees it.
private struct CardScene: Sendable {
    let bus: PrivateBus
    let card: NowPlayingCard
    let client: Connection
    let clock: Watched<MonotonicInstant>
    let events: Watched<[CardEvent]>
    /// Unique names of those that may not see the card.
    let blind: Watched<Set<BusName>>
    /// The apps behind unique names.
    let applications: Watched<[BusName: AppID]>

    static let name: BusName = "org.mpris.MediaPlayer2.examplecard"

    var player: Proxy { Proxy(client, Self.name, NowPlayingCard.path) }

    func ask(_ member: MemberName) async throws {
        let _: Void = try await player.call(NowPlayingCard.player, member)
    }

    func quit() async throws {
        let _: Void = try await player.call("org.mpris.MediaPlayer2", "Quit")
    }

    func events(_ count: Int) async throws -> [CardEvent] {
        try await withDeadline(.seconds(30), "event \(count)") { [events] in
            try await events.wait { $0.count >= count ? $0 : nil }
        }
    }
}

private func withCard(_ body: @escaping @Sendable (CardScene) async throws -> Void) async throws {
    try await withPrivateBus { bus in
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let connection = try await Connection.open(BusAddress(bus.address), on: loop)
        let blind = Watched<Set<BusName>>([])
        let applications = Watched<[BusName: AppID]>([:])
        let sight: @Sendable (IncomingCall) async throws -> ObjectServer.Sight = { call in
            { (_: String) throws(DBusError) in
                if blind.state.contains(call.sender) { throw DBusError(.accessDenied, "it is not for you") }
            }
        }
        let server = await ObjectServer(on: connection, sight: sight)
        let clock = Watched(MonotonicInstant.now)
        let card = NowPlayingCard(
            on: connection, server: server, name: CardScene.name, application: { applications.state[$0] },
            now: { clock.state })
        let stream = await card.events()
        let events = Watched<[CardEvent]>([])
        let client = try await Connection.open(BusAddress(bus.address), on: loop)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await event in stream { events.update { $0.append(event) } } }
            defer { group.cancelAll() }
            try await body(
                CardScene(
                    bus: bus, card: card, client: client, clock: clock, events: events, blind: blind,
                    applications: applications))
        }
    }
}

@Suite("Now-playing card", .timeLimit(.minutes(15)))
struct CardTests {
    @Test("An item without a cover shows icon, length and position")
    func iconAndLength() async throws {
        try await withCard { scene in
            var suggestion = playSuggestion("a")
            suggestion.iconURL = "file:///usr/share/icons/podcasts.svg"
            let info = NowPlayingInfo(title: "Episode 41", length: 300_000_000, position: 100_000_000)
            suggestion.action = .play(item: "41", info: info, context: PlaybackContext())
            #expect(try await scene.card.present(suggestion, keysCountFrom: .now) == .shown)
            let metadata: VariantMap = try await scene.player.property(NowPlayingCard.player, "Metadata")
            #expect(metadata["mpris:artUrl"] == .string("file:///usr/share/icons/podcasts.svg"))
            #expect(metadata["mpris:length"] == .int64(300_000_000))
            let position: Int64 = try await scene.player.property(NowPlayingCard.player, "Position")
            #expect(position == 100_000_000)

            suggestion.artworkURL = "file:///tmp/cover.png"
            try await scene.card.change(suggestion)
            let changed: VariantMap = try await scene.player.property(NowPlayingCard.player, "Metadata")
            #expect(changed["mpris:artUrl"] == .string("file:///tmp/cover.png"))
        }
    }

    @Test("The card is a paused player until it is withdrawn")
    func comesAndGoes() async throws {
        try await withCard { scene in
            let suggestion = playSuggestion("a", title: "Episode 41", artworkURL: "file:///tmp/art.png")
            #expect(try await scene.card.present(suggestion, keysCountFrom: .now) == .shown)
            let values: VariantMap = try await scene.player.call(
                .properties, "GetAll", NowPlayingCard.player.text)
            #expect(try values.value("PlaybackStatus", as: String.self) == "Paused")
            #expect(try values.value("CanPlay", as: Bool.self) == true)
            #expect(try values.value("CanPause", as: Bool.self) == false)
            let metadata = try #require(try values.value("Metadata", as: VariantMap.self))
            #expect(try metadata.value("xesam:title", as: String.self) == "Episode 41")
            #expect(try metadata.value("xesam:artist", as: [String].self) == ["Podcasts"])
            #expect(try metadata.value("mpris:artUrl", as: String.self) == "file:///tmp/art.png")
            #expect(try metadata.value("mpris:trackid", as: ObjectPath.self) == "/org/mpris/MediaPlayer2/offer/a")
            #expect(metadata["mpris:length"] == nil)
            let root: VariantMap = try await scene.player.call(.properties, "GetAll", "org.mpris.MediaPlayer2")
            #expect(try root.value("Identity", as: String.self) == "Hunch")
            #expect(root["DesktopEntry"] == nil)

            await scene.card.withdraw("another")
            #expect(try await scene.client.owner(of: CardScene.name) != nil)
            await scene.card.withdraw("a")
            #expect(try await scene.client.owner(of: CardScene.name) == nil)
            #expect(await scene.card.shownSuggestion == nil)
        }
    }

    @Test("An unknown interface is refused, as playerctld needs")
    func unknownInterface() async throws {
        try await withCard { scene in
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: .now)
            do {
                let _: VariantMap = try await scene.player.call(
                    .properties, "GetAll", "org.mpris.MediaPlayer2.TrackList")
                Issue.record("it answers for an interface that it has not")
            } catch let error as DBusError {
                #expect(error.name == .unknownInterface)
            }
        }
    }

    @Test("A new suggestion replaces the card and signals its metadata")
    func replaced() async throws {
        try await withCard { scene in
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: .now)
            // Only programs that have read it are notified of changes.
            let _: VariantMap = try await scene.player.call(.properties, "GetAll", NowPlayingCard.player.text)
            let changes = try await scene.client.signals([
                MatchRule(path: NowPlayingCard.path, interface: .properties, member: "PropertiesChanged")
            ])
            _ = try await scene.card.present(playSuggestion("b", title: "Episode 42"), keysCountFrom: .now)
            var told: [String] = []
            for await event in changes {
                guard case .signal(let message) = event else { continue }
                let (_, changed, _) = try message.arguments(String.self, VariantMap.self, [String].self)
                told =
                    try changed.value("Metadata", as: VariantMap.self)?.value("xesam:title", as: String.self)
                    .map { [$0] } ?? []
                break
            }
            #expect(told == ["Episode 42"])
            await scene.card.withdraw("a")
            #expect(await scene.card.shownSuggestion == "b")
        }
    }

    @Test("Changing the card's text presses nothing")
    func changed() async throws {
        try await withCard { scene in
            let suggestion = playSuggestion("a", artworkURL: "file:///tmp/a.png")
            try await scene.card.change(suggestion)
            #expect(await scene.card.shownSuggestion == nil)
            let ready = scene.clock.state.advanced(by: .seconds(5))
            _ = try await scene.card.present(suggestion, keysCountFrom: ready)
            try await scene.card.change(suggestion.withoutContent)
            try await scene.card.change(playSuggestion("b"))
            let bare: VariantMap = try await scene.player.property(NowPlayingCard.player, "Metadata")
            #expect(try bare.value("xesam:title") == "Something to play")
            #expect(try bare.value("xesam:artist") == ["Hunch"])
            #expect(bare["mpris:artUrl"] == nil && bare["xesam:album"] == nil)
            // A key still counts from the same time on.
            try await scene.ask("Play")
            try await scene.card.change(suggestion)
            let whole: VariantMap = try await scene.player.property(NowPlayingCard.player, "Metadata")
            #expect(try whole.value("xesam:title") == "Episode 41")
            scene.clock.update { $0 = ready }
            try await scene.ask("Play")
            #expect(try await scene.events(1) == [.pressed("a")])
        }
    }

    @Test("Keys count only after the delay, and a press counts once")
    func keysWait() async throws {
        try await withCard { scene in
            let ready = scene.clock.state
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: ready.advanced(by: .seconds(5)))
            try await scene.ask("Play")
            try await scene.ask("PlayPause")
            scene.clock.update { $0 = ready.advanced(by: .seconds(5)) }
            try await scene.ask("PlayPause")
            try await scene.ask("Play")
            // The last one of the scene: changes by the others were reported before it.
            try await scene.quit()
            #expect(try await scene.events(2) == [.pressed("a"), .closed("a")])
        }
    }

    @Test("Pause and Stop cancel a press and do nothing else")
    func cancelled() async throws {
        try await withCard { scene in
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: scene.clock.state)
            try await scene.ask("Play")
            try await scene.ask("Stop")
            try await scene.ask("Pause")
            #expect(try await scene.events(3) == [.pressed("a"), .cancelled("a"), .cancelled("a")])
        }
    }

    @Test("Play after Pause is not a press: an earbud was put back")
    func earpieces() async throws {
        try await withCard { scene in
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: scene.clock.state)
            try await scene.ask("Pause")
            try await scene.ask("Play")
            try await scene.quit()
            try await scene.ask("Play")
            #expect(try await scene.events(2) == [.closed("a"), .pressed("a")])
        }
    }

    @Test("A click in the shell's widget counts at once", arguments: ["org.gnome.Shell", "org.kde.plasmashell"])
    func clicks(_ shell: String) async throws {
        try await withCard { scene in
            let name = try BusName(shell)
            #expect(try await scene.client.requestName(name) == .owner)
            let later = scene.clock.state.advanced(by: .seconds(60))
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: later)
            // Anybody may own the name of a shell that does not run.
            for member: MemberName in ["Play", "PlayPause"] { try await scene.ask(member) }
            let own = try #require(await scene.client.uniqueName)
            scene.applications.update { $0[own] = "org.example.Pretender" }
            for member: MemberName in ["Play", "PlayPause"] { try await scene.ask(member) }
            #expect(scene.events.state == [])
            scene.applications.update { $0[own] = AppID(shell) }
            // Plasma passes keys on by itself, as PlayPause; its button says Play.
            if shell == "org.kde.plasmashell" { try await scene.ask("PlayPause") }
            #expect(scene.events.state == [])
            try await scene.ask(shell == "org.kde.plasmashell" ? "Play" : "PlayPause")
            #expect(try await scene.events(1) == [.pressed("a")])
        }
    }

    @Test("A caller without permission cannot read or press the card")
    func hidden() async throws {
        try await withCard { scene in
            let other = try await Connection.open(BusAddress(scene.bus.address), on: scene.client.loop)
            let own = try #require(await other.uniqueName)
            scene.blind.update { $0.insert(own) }
            let signals = try await other.signals([MatchRule(path: NowPlayingCard.path)])
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: .now)
            let player = Proxy(other, CardScene.name, NowPlayingCard.path)
            func refusal(_ call: () async throws -> Void) async throws -> DBusError.Name? {
                do { try await call() } catch let error as DBusError { return error.name }
                return nil
            }
            for interface in ["org.mpris.MediaPlayer2", NowPlayingCard.player.text] {
                let name = try await refusal {
                    let _: VariantMap = try await player.call(.properties, "GetAll", interface)
                }
                #expect(name == .accessDenied)
            }
            for member: MemberName in ["Play", "PlayPause", "Pause", "Stop"] {
                let name = try await refusal {
                    let () = try await player.call(NowPlayingCard.player, member)
                }
                #expect(name == .accessDenied)
            }
            let quit = try await refusal { let () = try await player.call("org.mpris.MediaPlayer2", "Quit") }
            #expect(quit == .accessDenied)
            // A program that may see it is notified of the change. Both receive what comes from the same path after
            // that.
            let _: VariantMap = try await scene.player.call(.properties, "GetAll", NowPlayingCard.player.text)
            try await scene.card.change(playSuggestion("a", title: "Episode 42"))
            try await scene.client.emit(NowPlayingCard.path, "a.B", "End", body: [])
            for await event in signals {
                guard case .signal(let message) = event else { continue }
                #expect(message.member == "End")
                break
            }
            #expect(scene.events.state == [])
            await other.close()
        }
    }

    @Test("No card is shown for directions or if its name is taken")
    func refused() async throws {
        try await withCard { scene in
            let result = try await scene.card.present(directionsSuggestion(), keysCountFrom: .now)
            #expect(result == .notMedia)
            #expect(try await scene.client.owner(of: CardScene.name) == nil)
            #expect(try await scene.client.requestName(CardScene.name) == .owner)
            #expect(try await scene.card.present(playSuggestion("a"), keysCountFrom: .now) == .nameTaken)
            #expect(await scene.card.shownSuggestion == nil)
        }
    }

    @Test("Hostile text and remote pictures never reach a widget")
    func hostile() async throws {
        try await withCard { scene in
            let title = "a\u{202E}b\u{0}c\n" + String(repeating: "x", count: 100_000)
            let suggestion = playSuggestion("a", title: title, artworkURL: "https://example.org/a.png")
            _ = try await scene.card.present(suggestion, keysCountFrom: .now)
            let metadata: VariantMap = try await scene.player.property(NowPlayingCard.player, "Metadata")
            let shown = try #require(try metadata.value("xesam:title", as: String.self))
            #expect(shown.hasPrefix("ab c x") && shown.count <= 241)
            #expect(metadata["mpris:artUrl"] == nil)
        }
    }

    @Test("playerctl reads the card and presses Play")
    func independentClient() async throws {
        try await withCard { scene in
            _ = try await scene.card.present(playSuggestion("a"), keysCountFrom: scene.clock.state)
            let title = try await run(
                "playerctl", ["-p", "examplecard", "metadata", "title"], environment: scene.bus.environment)
            #expect(try title.output() == "Episode 41\n")
            let press = try await run("playerctl", ["-p", "examplecard", "play"], environment: scene.bus.environment)
            _ = try press.output()
            #expect(try await scene.events(1) == [.pressed("a")])
        }
    }
}
