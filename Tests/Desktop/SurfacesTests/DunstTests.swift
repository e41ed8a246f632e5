import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

@Suite("The dunst notification server", .timeLimit(.minutes(15)), .serialized)
struct DunstTests {
    private func withDesktop(
        _ body: @escaping @Sendable (RunningSurface, Dunst, Display) async throws -> Void
    ) async throws {
        try await withPrivateBus { bus in
            try await withDisplay { display in
                try await withDunst(on: bus, display: display) { dunst in
                    try await withSurface(on: bus, popupTime: .seconds(600)) { try await body($0, dunst, display) }
                }
            }
        }
    }

    @Test(
        "A button pressed in dunst is reported",
        arguments: [("Play", NotificationEvent.Action.accept), ("Not now", .notNow)])
    func press(_ label: String, _ action: NotificationEvent.Action) async throws {
        try await withDesktop { running, dunst, _ in
            let server = try #require(try await running.surface.server())
            #expect(server.name == "dunst")
            #expect(server.readsMarkup && server.showsActions)
            guard case .shown = try await running.surface.present(playSuggestion("a"), for: .seconds(600)) else {
                Issue.record("not shown")
                return
            }
            try await dunst.waitForDisplayed(1)
            try await dunst.press(label)
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: action, token: nil)])
            try await dunst.waitForDisplayed(0)
        }
    }

    @Test("A notification can be pressed, closed, replaced, withdrawn")
    func lifeCycle() async throws {
        try await withDesktop { running, dunst, _ in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await dunst.waitForDisplayed(1)
            try await dunst.pressBody()
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: .body, token: nil)])

            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(600))
            _ = try await running.surface.present(directionsSuggestion("c"), for: .seconds(600))
            try await dunst.waitForDisplayed(1)
            try await dunst.closeLast()
            #expect(try await running.events(2).last == .closed(suggestion: "c", reason: .dismissed))

            _ = try await running.surface.present(playSuggestion("d"), for: .seconds(600))
            try await dunst.waitForDisplayed(1)
            try await running.surface.withdraw("d")
            try await dunst.waitForDisplayed(0)

            _ = try await running.surface.present(playSuggestion("e"), for: .milliseconds(50))
            #expect(try await running.events(3).last == .closed(suggestion: "e", reason: .expired))
        }
    }

    @Test("A paused dunst is sent nothing")
    func paused() async throws {
        try await withDesktop { running, dunst, _ in
            try await dunst.setPaused(true)
            #expect(try await running.surface.present(playSuggestion("a"), for: .seconds(600)) == .inhibited)
            try await dunst.setPaused(false)
            guard case .shown = try await running.surface.present(playSuggestion("b"), for: .seconds(600)) else {
                Issue.record("not shown")
                return
            }
            try await dunst.waitForDisplayed(1)
        }
    }

    @Test("Markup and direction overrides are shown as plain text")
    func hostileText() async throws {
        try await withDesktop { running, dunst, display in
            let hostile = playSuggestion(
                "a", title: "<b>A</b> & \u{202E}B\u{7}", subtitle: "<i>x</i> & <a href=\"y\">",
                reasons: ["\u{0}\u{1B}[2J"])
            guard case .shown = try await running.surface.present(hostile, for: .seconds(600)) else {
                Issue.record("not shown")
                return
            }
            try await dunst.waitForDisplayed(1)
            #expect(!dunst.daemon.output.lowercased().contains("markup"), "\(dunst.daemon.output)")
            try await withTemporaryDirectory { directory in
                let file = directory.file("screen.png")
                try await display.screenshot(to: file)
                let bytes = try Data(contentsOf: URL(filePath: file))
                #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            }
        }
    }
}
