import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

/// Notification and card in a real GNOME Shell, where a mouse clicks on them.
@Suite("GNOME Shell", .timeLimit(.minutes(15)), .serialized)
struct GnomeShellDesktopTests {
    @Test("The message list shows plain text, and a click is reported")
    func notification() async throws {
        try await withGnomeShell { shell in
            try await withSurface(on: shell.bus) { running in
                let server = try #require(try await running.surface.server())
                #expect(server.name == "gnome-shell" && server.isPersistent && server.showsActions)
                let suggestion = playSuggestion("a", subtitle: "<i>The Show</i> & more")
                guard case .shown(let number) = try await running.surface.present(suggestion, for: .seconds(600)) else {
                    Issue.record("not shown")
                    return
                }
                try await shell.openMessages()
                try await shell.part("label", "Episode 41")
                #expect(try await shell.parts().contains { $0.name.hasPrefix("<i>The Show</i> & more") })
                // In its place, and not below it.
                let next = playSuggestion("b", title: "Episode 42")
                #expect(try await running.surface.present(next, for: .seconds(600)) == .shown(number))
                try await shell.part("label", "Episode 42")
                try await shell.waitUntilGone("label", "Episode 41")
                try await shell.click("label", "Episode 42")
                let pressed = try await running.events(1)
                #expect(pressed.count == 1)
                guard case .activated("b", .body, _)? = pressed.first else {
                    Issue.record("\(pressed)")
                    return
                }
                try await shell.waitUntilGone("label", "Episode 42")
            }
        }
    }

    @Test("The card's button in the media list starts playback")
    func card() async throws {
        try await withGnomeShell { shell in
            let loop = try EventLoop()
            try loop.start()
            defer { loop.stop() }
            let connection = try await Connection.open(BusAddress(shell.bus.address), on: loop)
            let card = await openCard(on: connection, in: "org.gnome.Shell")
            let events = await card.events()
            // No key would count yet.
            let late = MonotonicInstant.now.advanced(by: .seconds(3_600))
            #expect(try await card.present(playSuggestion("a"), keysCountFrom: late) == .shown)
            try await shell.openMessages()
            try await shell.part("label", "Episode 41")
            try await Pictures.take("card", area: "424x112+156+46") { try await shell.screenshot(to: $0) }
            try await card.change(playSuggestion("a").withoutContent)
            try await shell.part("label", "Something to play")
            try await shell.click("button", "media-playback-start-symbolic")
            let pressed = try await withDeadline(.seconds(60), "the press") { await events.first { _ in true } }
            #expect(pressed == .pressed("a"))
            await card.withdraw("a")
            try await shell.waitUntilGone("label", "Something to play")
            await connection.close()
        }
    }
}
