import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

@Suite("Showing a suggestion", .timeLimit(.minutes(2)))
struct PresentationTests {
    @Test("a suggestion to play comes with its text, its picture, Play and Not now")
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
            #expect(request.actions == ["default", "Play", "play", "Play", "not-now", "Not now"])
            #expect(request.hints["image-path"] == .string("file:///tmp/cover%20art.png"))
            #expect(request.hints["desktop-entry"] == .string("org.example.Hunch"))
            #expect(request.hints["category"] == .string("x-hunch.suggestion.media"))
            #expect(request.hints["urgency"] == .byte(1))
            #expect(request.hints["suppress-sound"] == .boolean(true))
            #expect(request.icon == "")
        }
    }

    @Test("A mute is told with Undo, and a device's name cannot be markup")
    func mute() async throws {
        try await withRecorder { running, recorder in
            var muted = playSuggestion("a")
            let device = AudioDevice(id: "WH", name: "<b>WH</b>", kind: .headset, transport: .bluetooth)
            muted.context = Context(trigger: .device("WH"), device: "WH")
            muted.action = .play(
                item: "41", info: NowPlayingInfo(title: "Episode 41"), context: PlaybackContext(device: device))
            try await running.surface.tellOfMute(of: muted, for: .seconds(30 * 86_400))
            let request = try await recorder.request(1)
            #expect(request.summary == "No more suggestions of Podcasts")
            #expect(request.body.contains("for &lt;b&gt;WH&lt;/b&gt;. They may come back in 30 days."))
            try await recorder.activate(1, "undo")
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: .undo, token: nil)])

            // What is offered is not covered.
            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(600))
            try await running.surface.tellOfMute(of: muted, for: .seconds(86_400))
            #expect(await running.surface.shownSuggestion == "b")
        }
    }

    @Test("A second choice to play has a line and a button of its own")
    func secondChoice() async throws {
        try await withRecorder { running, recorder in
            let second = playSuggestion("b", title: "The Daily")
            _ = try await running.surface.present(playSuggestion("a"), with: second, for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(request.body == "The Show\nYou usually play this here\nor: The Daily · Podcasts")
            let actions = ["default", "Play", "play", "Play", "instead", "The Daily", "not-now", "Not now"]
            #expect(request.actions == actions)
        }
    }

    @Test("a suggestion of directions is opened, and shows the app's icon where it has no picture")
    func directions() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(directionsSuggestion(), for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(request.actions == ["default", "Open", "open", "Open", "not-now", "Not now"])
            var call = directionsSuggestion("c1")
            call.action = .call(uri: "tel:+14155550100")
            _ = try await running.surface.present(directionsSuggestion("d2"), with: call, for: .seconds(600))
            #expect(
                try await recorder.request(2).actions == [
                    "default", "Open", "open", "Open", "instead", "Call", "not-now", "Not now",
                ])
            _ = try await running.surface.present(call, for: .seconds(600))
            #expect(
                try await recorder.request(3).actions == ["default", "Call", "call", "Call", "not-now", "Not now"])
            #expect(request.body == "In Maps\nFrom Yelp")
            #expect(request.icon == "org.example.Maps")
            #expect(request.hints["image-path"] == nil)
            #expect(request.hints["category"] == .string("x-hunch.suggestion.directions"))
        }
    }

    @Test("What failed says why, and may be tried again")
    func failed() async throws {
        try await withRecorder { running, recorder in
            let offered = playSuggestion()
            _ = try await running.surface.present(offered, for: .seconds(600))
            _ = try await running.surface.present(
                offered, stage: .failed("mpv quit: stick.wav cannot be opened"), for: .seconds(600))
            let request = try await recorder.request(2)
            #expect(request.replaces == 1)
            #expect(request.summary == "“Episode 41” does not play")
            #expect(request.body == "mpv quit: stick.wav cannot be opened")
            #expect(request.actions == ["default", "Try again", "play", "Try again", "not-now", "Not now"])
            _ = try await running.surface.present(offered.withoutContent, stage: .failed(""), for: .seconds(600))
            let discreet = try await recorder.request(3)
            #expect(discreet.summary == "It does not play" && discreet.body == "")
        }
    }

    @Test("What takes its time is told as starting, with nothing to press")
    func starting() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion(), stage: .starting, for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(
                request.summary == "Starting Podcasts" && request.body == "Podcasts was asked, and has not begun yet")
            #expect(request.actions.isEmpty)
            _ = try await running.surface.present(
                playSuggestion().withoutContent, stage: .starting, for: .seconds(600))
            let discreet = try await recorder.request(2)
            #expect(discreet.summary == "Starting" && discreet.body == "")
        }
    }

    @Test("for a screen that others look at, nothing is told but of what kind it is; what can be pressed stays")
    func withoutContent() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(
                playSuggestion(artworkURL: "file:///tmp/cover.png").withoutContent, for: .seconds(600))
            let request = try await recorder.request(1)
            #expect(request.summary == "Something to play")
            #expect(request.body == "" && request.icon == "org.example.Hunch" && request.hints["image-path"] == nil)
            #expect(request.actions == ["default", "Play", "play", "Play", "not-now", "Not now"])
            _ = try await running.surface.present(directionsSuggestion().withoutContent, for: .seconds(600))
            let directions = try await recorder.request(2)
            #expect(directions.summary == "Directions" && directions.body == "")
            #expect(directions.icon == "org.example.Hunch")
        }
    }

    @Test(
        "only pictures of this machine are shown",
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

    @Test("text is escaped for a server that reads markup, and for no other")
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

    @Test("a server that can neither show buttons nor a body gets neither")
    func poorServer() {
        let content = NotificationContent(playSuggestion(), for: server([]), desktopEntry: "x", time: .seconds(1))
        #expect(content.actions == [])
        #expect(content.body == "")
        #expect(content.summary == "Episode 41")
    }

    @Test("an empty title is replaced, and long ones are cut")
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
        "time on the screen: left to servers that keep notifications, else as long as asked, in milliseconds",
        arguments: [
            (["persistence"], .seconds(5), -1), ([], .seconds(5), 5_000), ([], .zero, 1),
            ([], .nanoseconds(1), 1), ([], .seconds(1_000_000_000_000), .max), ([], .seconds(-3), 1),
        ] as [(Set<String>, Duration, Int32)])
    func timeout(_ capabilities: Set<String>, _ time: Duration, _ expected: Int32) {
        let content = NotificationContent(playSuggestion(), for: server(capabilities), desktopEntry: "x", time: time)
        #expect(content.timeout == expected)
    }

    @Test("the shorter of the suggestion's life and the time for pop-ups counts")
    func popupTime() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            #expect(try await recorder.request(1).timeout == 30_000)
            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(7))
            #expect(try await recorder.request(2).timeout == 7_000)
        }
    }

    @Test("a new suggestion takes the place of the one before")
    func replaces() async throws {
        try await withRecorder { running, recorder in
            #expect(try await running.surface.present(playSuggestion("a"), for: .seconds(600)) == .shown(1))
            #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .shown(1))
            #expect(try await recorder.request(2).replaces == 1)
            #expect(await running.surface.shownSuggestion == "b")
            try await recorder.activate(1, "play")
            #expect(try await running.events(1) == [.activated(suggestion: "b", action: .accept, token: nil)])
        }
    }

    @Test("suggestions presented at the same time are shown one after the other, in one place")
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

    @Test("a withdrawn suggestion is closed and yields no event; another one is left alone")
    func withdraw() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await running.surface.withdraw("z")
            #expect(await running.surface.shownSuggestion == "a")
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
