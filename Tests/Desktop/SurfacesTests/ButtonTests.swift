import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

/// A real notification server with buttons, which are clicked with a mouse.
@Suite("Notification servers with buttons", .timeLimit(.minutes(15)), .serialized)
struct ButtonTests {
    private func withDesktop(
        by program: DrawnNotifications.Program = .mate,
        _ body: @escaping @Sendable (RunningSurface, DrawnNotifications) async throws -> Void
    ) async throws {
        try await withPrivateBus { bus in
            try await withDisplay { display in
                try await withDrawnNotifications(by: program, on: bus, display: display) { server in
                    try await withSurface(on: bus, popupTime: .seconds(600)) { try await body($0, server) }
                }
            }
        }
    }

    /// One for a device, so that there are all buttons.
    private func suggestion(_ id: String) -> Suggestion {
        var suggestion = playSuggestion(id)
        suggestion.context = Context(trigger: .device("WH"), device: "WH")
        return suggestion
    }

    @Test("Each button triggers its action and closes the notification")
    func buttons() async throws {
        try await withDesktop { running, server in
            let found = try #require(try await running.surface.server())
            #expect(found.name == "Notification Daemon" && found.showsActions && found.readsMarkup)
            let presses: [(String?, NotificationEvent.Action)] = [
                ("Play", .accept), ("Not now", .notNow), ("Never on this device", .never), (nil, .body),
            ]
            for (number, (label, action)) in presses.enumerated() {
                guard case .shown = try await running.surface.present(suggestion("s\(number)"), for: .seconds(600))
                else {
                    Issue.record("not shown")
                    return
                }
                try await server.waitForText("Episode 41")
                if let label {
                    try await server.click(button: label)
                } else {
                    try await server.click(text: "Episode 41")
                }
                let events = try await running.events(number + 1)
                #expect(events.last == .activated(suggestion: "s\(number)", action: action, token: nil))
                try await server.waitUntilEmpty()
            }
        }
    }

    @Test("Markup is shown as text, and a new suggestion replaces it")
    func text() async throws {
        try await withDesktop { running, server in
            let hostile = playSuggestion(
                "a", title: "<b>A</b> & B", subtitle: "<i>x</i> & <a href=\"y\">", reasons: ["because"])
            _ = try await running.surface.present(hostile, for: .seconds(600))
            try await server.waitForText("<b>A</b> & B")
            try await server.waitForText("<i>x</i> & <a href=\"y\"> Because")
            _ = try await running.surface.present(playSuggestion("b", title: "Episode 42"), for: .seconds(600))
            try await server.waitForText("Episode 42")
            try await running.surface.withdraw("b")
            try await server.waitUntilEmpty()
        }
    }

    @Test("Xfce draws each button once and its buttons work")
    func xfceButtons() async throws {
        try await withDesktop(by: .xfce) { running, server in
            #expect(try await running.surface.server()?.name == "Xfce Notify Daemon")
            let presses: [(String, NotificationEvent.Action)] = [("Play", .accept), ("Not now", .notNow)]
            for (number, (label, action)) in presses.enumerated() {
                _ = try await running.surface.present(suggestion("s\(number)"), for: .seconds(600))
                try await server.waitForText("Episode 41")
                #expect(try await server.buttons() == ["Play", "Not now", "Never on this device", "Settings"])
                try await server.click(button: label)
                let events = try await running.events(number + 1)
                #expect(events.last == .activated(suggestion: "s\(number)", action: action, token: nil))
                try await server.waitUntilEmpty()
            }
        }
    }

    @Test("Clicking the body of an Xfce notification is not a dismissal")
    func xfceBody() async throws {
        try await withDesktop(by: .xfce) { running, server in
            _ = try await running.surface.present(suggestion("a"), for: .seconds(600))
            try await server.waitForText("Episode 41")
            try await server.click(text: "Episode 41")
            #expect(try await running.events(1) == [.closed(suggestion: "a", reason: .undefined)])
        }
    }
}
