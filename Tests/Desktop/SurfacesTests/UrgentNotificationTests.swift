import HunchModel
import Surfaces
import TestSupport
import Testing

/// Departures and calls, each of which has a notification of its own.
@Suite("Urgent notifications") struct UrgentNotificationTests {
    private func departure(_ id: String, _ title: String = "Leave") -> Suggestion {
        var suggestion = directionsSuggestion(id)
        suggestion.title = title
        suggestion.context = Context(trigger: .appointment)
        return suggestion
    }

    @Test("Urgent suggestions are shown side by side, and only others are replaced")
    func beside() async throws {
        try await withRecorder { running, recorder in
            let surface = running.surface
            #expect(try await surface.present(playSuggestion("music"), for: .seconds(600)) == .shown(1))
            // It replaces suggestions that are not urgent.
            #expect(try await surface.present(departure("a"), for: .seconds(600)) == .shown(1))
            #expect(try await surface.present(departure("b"), for: .seconds(600)) == .shown(2))
            #expect(try await surface.present(playSuggestion("other"), for: .seconds(600)) == .shown(3))
            #expect(await surface.shownSuggestions == ["a", "b", "other"])
            #expect(try await surface.present(departure("a", "Leave now"), for: .seconds(600)) == .shown(1))
            let last = try await recorder.request(5)
            #expect(last.replaces == 1 && last.summary == "Leave now")
            // Servers that keep no list show it until its time.
            #expect(last.timeout == 600_000)

            try await recorder.activate(2, "not-now")
            try await recorder.tellClosed(1, reason: 2)
            #expect(
                try await running.events(2) == [
                    .activated(suggestion: "b", action: .notNow, token: nil),
                    .closed(suggestion: "a", reason: .dismissed),
                ])
            #expect(await surface.shownSuggestions == ["other"])
            // Not every server closes a pressed notification by itself.
            try await recorder.waitForClosing(of: 2)
            #expect(recorder.record.state.closed == [2])
        }
    }

    @Test("A server that ends closes all notifications, and each of them is reported")
    func ending() async throws {
        try await withRecorder { running, recorder in
            for id in ["a", "b"] { _ = try await running.surface.present(departure(id), for: .seconds(600)) }
            await recorder.stop()
            let gone = try await running.events(2)
            #expect(
                Set(gone) == [
                    .closed(suggestion: "a", reason: .serverGone), .closed(suggestion: "b", reason: .serverGone),
                ])
            #expect(await running.surface.shownSuggestions.isEmpty)
        }
    }
}
