import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

@Suite("Suggestion presentation", .timeLimit(.minutes(15)))
struct PresentationTests {
    @Test("A play suggestion has text, picture, Play and Not now")
    func play() async throws {
        try await withRecorder { running, recorder in
            let result = try await running.surface.present(
                playSuggestion(artworkURL: "file:///tmp/cover%20art.png"), for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(result == .shown(request.number))
            #expect(request.appName == "Hunch")
            #expect(request.replaces == 0)
            #expect(request.summary == "Episode 41")
            #expect(request.body == "The Show\nYou usually play this here")
            #expect(
                request.actions == ["default", "Play", "play", "Play", "not-now", "Not now", "settings", "Settings"])
            #expect(request.hints["image-path"] == .string("file:///tmp/cover%20art.png"))
            #expect(request.hints["desktop-entry"] == .string("org.example.Hunch"))
            #expect(request.hints["category"] == .string("x-hunch.suggestion.media"))
            #expect(request.hints["urgency"] == .byte(1))
            #expect(request.hints["suppress-sound"] == .boolean(true))
            #expect(request.icon == "")
        }
    }

    @Test("The effect of a dismissal offers Undo and escapes the device")
    func mute() async throws {
        try await withRecorder { running, recorder in
            var muted = playSuggestion("a")
            let device = AudioDevice(id: "WH", name: "<b>WH</b>", kind: .headset, transport: .bluetooth)
            muted.context = Context(trigger: .device("WH"), device: "WH")
            muted.action = .play(
                item: "41", info: NowPlayingInfo(title: "Episode 41"), context: PlaybackContext(device: device))
            try await running.surface.announce(.muted(days: 30), of: muted)
            let request = try await recorder.request(1)
            #expect(request.summary == "No more suggestions of Podcasts")
            #expect(request.body.contains("for &lt;b&gt;WH&lt;/b&gt;. They may come back in 30 days."))
            try await recorder.activate(1, "undo")
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: .undo, token: nil)])

            try await running.surface.announce(.silenced(device), of: muted)
            let second = try await recorder.request(2)
            #expect(second.summary == "No more suggestions on <b>WH</b>")
            #expect(second.actions == ["undo", "Undo", "settings", "Settings"])

            // The offered button is not covered.
            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(600))
            try await running.surface.announce(.muted(days: 1), of: muted)
            #expect(await running.surface.shownSuggestions == ["b"])
        }
    }

    @Test("A second play candidate has its own line and button")
    func secondChoice() async throws {
        try await withRecorder { running, recorder in
            let second = playSuggestion("b", title: "The Daily")
            _ = try await running.surface.present(playSuggestion("a"), with: [second], for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(request.body == "The Show\nYou usually play this here\nor: The Daily · Podcasts")
            let actions = [
                "default", "Play", "play", "Play", "instead-0", "The Daily", "not-now", "Not now", "settings",
                "Settings",
            ]
            #expect(request.actions == actions)
        }
    }

    @Test("An app that the subtitle names is not named again")
    func namedOnce() async throws {
        try await withRecorder { running, recorder in
            var suggestion = playSuggestion()
            (suggestion.subtitle, suggestion.explanation) = ("The Show · Podcasts", [])
            _ = try await running.surface.present(suggestion, for: .seconds(600))
            #expect(try await recorder.request(1).body == "The Show · Podcasts")
        }
    }

    @Test("A suggestion with a time shows it next to its button")
    func timedCompanion() async throws {
        try await withRecorder { running, recorder in
            var remind = directionsSuggestion("r1")
            (remind.action, remind.subtitle) = (.remind(Reminder(title: "Hotel", date: remind.expiry)), "11 Dec, 09:00")
            _ = try await running.surface.present(directionsSuggestion(), with: [remind], for: .seconds(600))
            #expect(try await recorder.request(1).body == "In Maps\nFrom Yelp\nRemind me: 11 Dec, 09:00")
        }
    }

    @Test("A suggestion for a car has the icon of a car, and reveals nothing on a locked screen")
    func car() async throws {
        try await withRecorder { running, recorder in
            var suggestion = playSuggestion()
            let car = AudioDevice(id: "CAR", name: "Car", kind: .car, transport: .bluetooth)
            suggestion.context = Context(trigger: .device("CAR"), device: "CAR")
            suggestion.action = .play(
                item: "41", info: NowPlayingInfo(title: "Episode 41"), context: PlaybackContext(device: car))
            _ = try await running.surface.present(suggestion, for: .seconds(600))
            #expect(try await recorder.request(1).icon == "org.example.Hunch-car-symbolic")
            _ = try await running.surface.present(suggestion.withoutContent, for: .seconds(600))
            #expect(try await recorder.request(2).icon == "org.example.Hunch")
        }
    }

    @Test("Directions show Open and the app's icon without a picture")
    func directions() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(directionsSuggestion(), for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(
                request.actions == ["default", "Open", "open", "Open", "not-now", "Not now", "settings", "Settings"])
            var call = directionsSuggestion("c1")
            call.action = .call(uri: "tel:+14155550100")
            _ = try await running.surface.present(directionsSuggestion("d2"), with: [call], for: .seconds(600))
            #expect(
                try await recorder.request(2).actions == [
                    "default", "Open", "open", "Open", "instead-0", "Call", "not-now", "Not now", "settings",
                    "Settings",
                ])
            _ = try await running.surface.present(call, for: .seconds(600))
            #expect(
                try await recorder.request(3).actions == [
                    "default", "Call", "call", "Call", "not-now", "Not now", "settings", "Settings",
                ])
            #expect(request.body == "In Maps\nFrom Yelp")
            #expect(request.icon == "org.example.Maps")
            #expect(request.hints["image-path"] == nil)
            #expect(request.hints["category"] == .string("x-hunch.suggestion.directions"))
        }
    }

    @Test("A failure shows its reason and Try again")
    func failed() async throws {
        try await withRecorder { running, recorder in
            var offered = playSuggestion()
            // The name of an app stays as it is written, other sentences begin with a capital.
            offered.applicationName = "mpv"
            _ = try await running.surface.present(offered, for: .seconds(600))
            _ = try await running.surface.present(
                offered, stage: .failed("\(offered.applicationName) quit: it cannot be opened"), for: .seconds(600))
            let request = try await recorder.request(2)
            #expect(request.replaces == 1)
            #expect(request.summary == "“Episode 41” does not play")
            #expect(request.body == "\(offered.applicationName) quit: it cannot be opened")
            #expect(
                request.actions == [
                    "default", "Try again", "play", "Try again", "not-now", "Not now", "settings", "Settings",
                ])
            _ = try await running.surface.present(offered.withoutContent, stage: .failed(""), for: .seconds(600))
            let discreet = try await recorder.request(3)
            #expect(discreet.summary == "It does not play" && discreet.body == "")
            for (suggestion, title) in [
                (offered, "“Episode 41” plays from the beginning"),
                (offered.withoutContent, "It plays from the beginning"),
            ] {
                let count = recorder.record.state.requests.count
                _ = try await running.surface.present(
                    suggestion, stage: .failed("", playsAnew: true), for: .seconds(600))
                #expect(try await recorder.request(count + 1).summary == title)
            }
        }
    }

    @Test("A failure names its suggestion, because others may be shown as well")
    func failedBeside() async throws {
        try await withRecorder { running, recorder in
            let offered = directionsSuggestion()
            for (index, suggestion) in [offered, offered.withoutContent].enumerated() {
                _ = try await running.surface.present(suggestion, stage: .failed("no browser"), for: .seconds(600))
                let request = try await recorder.request(index + 1)
                #expect(request.summary == "Not opened: \(suggestion.title)" && request.body == "No browser")
            }
            #expect(offered.title != offered.withoutContent.title)
        }
    }

    @Test("A slow start shows Starting, without buttons")
    func starting() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion(), stage: .starting, for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(
                request.summary == "Starting Podcasts" && request.body == "Podcasts was asked, but has not started yet")
            #expect(request.actions.isEmpty)
            _ = try await running.surface.present(
                playSuggestion().withoutContent, stage: .starting, for: .seconds(600))
            let discreet = try await recorder.request(2)
            #expect(discreet.summary == "Starting" && discreet.body == "")
        }
    }

    @Test("On a shared screen only the kind and the buttons are shown")
    func withoutContent() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(
                playSuggestion(artworkURL: "file:///tmp/cover.png").withoutContent, for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(request.summary == "Something to play")
            #expect(request.body == "" && request.icon == "org.example.Hunch" && request.hints["image-path"] == nil)
            #expect(
                request.actions == ["default", "Play", "play", "Play", "not-now", "Not now", "settings", "Settings"])
            _ = try await running.surface.present(directionsSuggestion().withoutContent, for: .seconds(600))
            let directions = try await recorder.request(2)
            #expect(directions.summary == "Directions" && directions.body == "")
            #expect(directions.icon == "org.example.Hunch")
        }
    }

    @Test(
        "Pictures from other machines are not shown",
        arguments: [
            "https://example.org/cover.png", "file://elsewhere/cover.png", "cover.png", "/tmp/cover.png",
            "file:///tmp/a\nb.png", "file:///" + String(repeating: "a", count: 4_096), "",
        ])
    func foreignPictures(_ uri: String) async throws {
        let content = NotificationContent(
            playSuggestion(artworkURL: uri), for: server(["body"]), desktopEntry: "x", time: .seconds(1))
        #expect(content.hints["image-path"] == nil)
    }

    private func server(_ capabilities: Set<String>) -> NotificationServer {
        NotificationServer(owner: ":1.1", name: "x", version: "1", capabilities: capabilities)
    }

    @Test("Text is escaped only for servers that read markup")
    func markup() {
        let suggestion = playSuggestion(
            title: "Tom & <b>Jerry</b>", subtitle: "a<b & \"c\" 'd'", reasons: ["<img src='http://example.org/x'>"])
        let plain = NotificationContent(suggestion, for: server(["body"]), desktopEntry: "x", time: .seconds(1))
        #expect(plain.body == "a<b & \"c\" 'd'\n<img src='http://example.org/x'>")
        let marked = NotificationContent(
            suggestion, for: server(["body", "body-markup"]), desktopEntry: "x", time: .seconds(1))
        #expect(
            marked.body
                == "a&lt;b &amp; &quot;c&quot; &#39;d&#39;\n&lt;img src=&#39;http://example.org/x&#39;&gt;")
        // The specification has no markup in the summary.
        #expect(marked.summary == "Tom & <b>Jerry</b>")
    }

    @Test("A server without buttons and body gets neither")
    func poorServer() {
        let content = NotificationContent(playSuggestion(), for: server([]), desktopEntry: "x", time: .seconds(1))
        #expect(content.actions == [])
        #expect(content.body == "")
        #expect(content.summary == "Episode 41")
    }

    @Test("An empty title is replaced, and a long one is cut")
    func titles() {
        func summary(_ title: String) -> String {
            NotificationContent(
                playSuggestion(title: title), for: server([]), desktopEntry: "x", time: .seconds(1)
            ).summary
        }
        #expect(summary("\u{202E}\n ") == "Something to play")
        #expect(summary(String(repeating: "x", count: 100_000)).count == 120)
    }

    @Test(
        "Servers without persistence get a timeout in milliseconds",
        arguments: [
            (["persistence"], .seconds(5), -1), ([], .seconds(5), 5_000), ([], .zero, 1),
            ([], .nanoseconds(1), 1), ([], .seconds(1_000_000_000_000), .max), ([], .seconds(-3), 1),
        ] as [(Set<String>, Duration, Int32)])
    func timeout(_ capabilities: Set<String>, _ time: Duration, _ expected: Int32) {
        let content = NotificationContent(playSuggestion(), for: server(capabilities), desktopEntry: "x", time: time)
        #expect(content.timeout == expected)
    }

    @Test("The shorter of lifetime and pop-up time is the timeout")
    func popupTime() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            #expect(try await recorder.request(1).timeout == 30_000)
            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(7))
            #expect(try await recorder.request(2).timeout == 7_000)
        }
    }

    @Test("A new suggestion replaces the previous one")
    func replaces() async throws {
        try await withRecorder { running, recorder in
            #expect(try await running.surface.present(playSuggestion("a"), for: .seconds(600)) == .shown(1))
            #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .shown(1))
            #expect(try await recorder.request(2).replaces == 1)
            #expect(await running.surface.shownSuggestions == ["b"])
            try await recorder.activate(1, "play")
            #expect(try await running.events(1) == [.activated(suggestion: "b", action: .accept, token: nil)])
        }
    }

    @Test("Concurrent suggestions share one notification in turn")
    func simultaneous() async throws {
        try await withRecorder { running, recorder in
            try await withThrowingTaskGroup(of: PresentationResult.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await running.surface.present(playSuggestion("s\(number)"), for: .seconds(600))
                    }
                }
                for try await result in group { #expect(result == .shown(1)) }
            }
            let requests = recorder.record.state.requests
            #expect(requests.map(\.replaces) == [0] + Array(repeating: 1, count: 19))
            #expect(recorder.record.state.capabilityQueries == 1)
        }
    }

    @Test("A withdrawn suggestion is closed and yields no event")
    func withdraw() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await running.surface.withdraw("z")
            #expect(await running.surface.shownSuggestions == ["a"])
            try await running.surface.withdraw("a")
            try await recorder.waitForClosing(of: 1)
            try await recorder.tellClosed(1, reason: 3)
            try await recorder.activate(1, "play")
            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(600))
            #expect(try await recorder.request(2).replaces == 0)
            try await recorder.tellClosed(2, reason: 1)
            #expect(try await running.events(1) == [.closed(suggestion: "b", reason: .expired)])
            #expect(recorder.record.state.closed == [1])
        }
    }
}
