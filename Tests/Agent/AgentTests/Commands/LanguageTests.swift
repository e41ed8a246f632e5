import EventLoops
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Tests of the agent's texts in the language of the user: the real program with a compiled catalogue.
@Suite("Languages", .serialized, .timeLimit(.minutes(15))) struct LanguageTests {
    /// A suggestion after the headset connected, as its notification and the bus show it.
    private struct Shown {
        let notification: NotificationRecorder.Request
        let suggestion: OfferedSuggestion
        let reasons: [String]

        /// The labels of the buttons.
        var labels: [String] {
            notification.actions.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        }
    }

    /// Connects a headset on which the user played an episode after each of four connections.
    private func suggestion(in language: Language?) async throws -> Shown {
        let loop = try EventLoop()
        try loop.start(name: "recorder")
        defer { loop.stop() }
        return try await withTemporaryHome { home in
            let app = MediaScene.podcasts
            try remember(app, in: home)
            try home.declareContent(of: app, name: "Podcasts")
            return try await HeadsetMachine.with(in: home) { machine in
                try await withPrivateBus { bus in
                    let recorder = try await NotificationRecorder.start(on: bus, loop: loop)
                    let more = machine.environment.merging(language?.environment ?? [:]) { $1 }
                    let shown = try await withAgent(on: bus, in: home, also: more) { rig, _ in
                        try await rig.watch()
                        return try await withDaemon(
                            builtProduct("playable-app"), [app.rawValue, "normal"], environment: rig.environment,
                            ready: .busName(app.rawValue, on: bus)
                        ) { _ in
                            try await machine.putOn()
                            let notification = try await recorder.request(1)
                            let suggestion = try #require(try await rig.agent.suggestions().first)
                            return Shown(
                                notification: notification, suggestion: suggestion,
                                reasons: try await rig.agent.explain(suggestion.id).explanation.texts)
                        }
                    }
                    await recorder.stop()
                    return shown
                }
            }
        }
    }

    private func remember(_ app: AppID, in home: TemporaryHome) throws {
        let device = AudioDevice.ID(MockBluetoothDevice.headset().address)
        try StoreFile(home: home).use { store in
            try store.setEnabled(true)
            for day in 1...4 {
                let date = Date(timeIntervalSinceNow: Double(-86_400 * day))
                let play = Donation(
                    application: app, kind: .playMedia, parameters: ["item": "show-1/episode-\(day)"], date: date,
                    context: Context(trigger: .device(device), device: device))
                #expect(try store.record(play, now: Date()).isRecorded)
            }
            let point = ResumePoint(
                device: device, application: app, item: "show-1/episode-2", info: NowPlayingInfo(title: "Episode 2"),
                pausedByDisconnect: false, date: Date(timeIntervalSinceNow: -86_400))
            #expect(try store.remember(point, now: Date()).isRecorded)
            try store.setEnabled(false)
        }
    }

    @Test("Without a catalogue, the agent speaks English")
    func english() async throws {
        let shown = try await suggestion(in: nil)
        #expect(shown.notification.summary == "Play “Episode 2”")
        #expect(shown.labels == ["Play", "Play", "Not now", "Never on this device", "Settings"])
    }

    @Test("A German notification is German in every word")
    func german() async throws {
        try await withTemporaryDirectory { directory in
            let shown = try await suggestion(in: Language.german(in: directory))
            #expect(shown.notification.summary == "Abspielen: „Episode 2“")
            #expect(
                shown.notification.body == """
                    Show 1 · Podcasts
                    Alle 4 Male, als Sie nach dem Verbinden von WH-1000 gehört haben, haben Sie Podcasts gewählt
                    """)
            #expect(
                shown.notification.actions == [
                    "default", "Abspielen", "play", "Abspielen", "not-now", "Nicht jetzt", "never",
                    "Nie auf diesem Gerät", "settings", "Einstellungen",
                ])
            #expect(shown.suggestion.source == "Aus Podcasts")
            #expect(shown.reasons.last == "zuletzt auf WH-1000 abgespielt")
        }
    }

    @Test("Every word of a suggestion goes through the catalogue")
    func pseudo() async throws {
        try await withTemporaryDirectory { directory in
            let shown = try await suggestion(in: Language.pseudo(in: directory))
            let texts =
                [
                    shown.notification.summary, shown.notification.body, shown.suggestion.title,
                    shown.suggestion.subtitle, shown.suggestion.source,
                ] + shown.reasons + shown.labels
            #expect(texts.count > 10)
            for text in texts {
                let rest = Language.untranslated(text, names: ["Podcasts", "Show 1", "Episode 2", "WH-1000"])
                #expect(rest.isEmpty, "“\(rest)” of “\(text)” is not translated")
            }
            #expect(shown.suggestion.title == "⟦Pláy “Episode 2”⟧")
        }
    }

    @Test("Every word of a question goes through the catalogue")
    func question() async throws {
        let loop = try EventLoop()
        try loop.start(name: "recorder")
        defer { loop.stop() }
        try await withTemporaryDirectory { directory in
            let language = try await Language.pseudo(in: directory)
            try await withTemporaryHome { home in
                try await withPrivateBus { bus in
                    let recorder = try await NotificationRecorder.start(on: bus, loop: loop)
                    try await withAgent(on: bus, in: home, also: language.environment) { rig, _ in
                        try rig.installMapApp("org.example.Atlas")
                        try rig.installMapApp("org.example.Maps")
                        try await rig.agent.enable()
                        let asked = try await eventually("being asked", because: "nothing tells that it is watched") {
                            let answer = try await rig.suggest([
                                "uri": .string("geo:48.8584,2.2945?q=48.8584,2.2945(Tour%20Eiffel)"),
                                "ask": .string("unsure"),
                            ])
                            return try answer.resolved.value("asked") == true ? answer : nil
                        }
                        let shown = try await recorder.request(1)
                        #expect(shown.summary == "⟦Gét díréctíóns tó Tour Eiffel⟧")
                        let suggestion = try #require(
                            try await rig.agent.suggestions().first { $0.id == asked.suggestions[0].lastElement })
                        #expect(suggestion.subtitle == "⟦cár⟧⟦, ⟧⟦ón fóót⟧")
                        let reasons = try await rig.agent.explain(suggestion.id).explanation.texts
                        for text in [shown.body, suggestion.source] + reasons {
                            let rest = Language.untranslated(text, names: [])
                            #expect(rest.isEmpty, "“\(rest)” of “\(text)” is not translated")
                        }
                    }
                    await recorder.stop()
                }
            }
        }
    }

    @Test("Words outside of translations are found")
    func untranslated() {
        #expect(Language.untranslated("⟦Résúmé “Episode 2”⟧ · Podcasts", names: ["Podcasts"]).isEmpty)
        #expect(Language.untranslated("⟦⟦4 óf 4⟧ tímés⟧ left · Show", names: ["Show"]) == "left")
    }
}
