import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Surfaces

@Suite("Events of a notification", .timeLimit(.minutes(15)))
struct EventTests {
    @Test(
        "Each button yields its action",
        arguments: [
            ("play", NotificationEvent.Action.accept), ("call", .accept), ("remind", .accept),
            ("instead-0", .companion(0)), ("instead-1", .companion(1)), ("not-now", .notNow),
            ("default", .body),
        ])
    func buttons(_ key: String, _ action: NotificationEvent.Action) async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await recorder.activate(1, key, token: "token-1")
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: action, token: "token-1")])
            // Not every server closes a pressed notification by itself.
            try await recorder.waitForClosing(of: 1)
            #expect(await running.surface.shownSuggestions.isEmpty)
        }
    }

    @Test(
        "Each close code yields its reason",
        arguments: [
            (1, NotificationEvent.CloseReason.expired), (2, .dismissed), (3, .closedByCall), (4, .undefined),
            (99, .undefined),
        ] as [(UInt32, NotificationEvent.CloseReason)])
    func reasons(_ code: UInt32, _ reason: NotificationEvent.CloseReason) async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await recorder.tellClosed(1, reason: code)
            #expect(try await running.events(1) == [.closed(suggestion: "a", reason: reason)])
        }
    }

    @Test("A repeated press followed by a close is one event")
    func onlyOnce() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await recorder.activate(1, "play")
            try await recorder.activate(1, "play")
            try await recorder.tellClosed(1, reason: 2)
            // Before the press has arrived, the second suggestion would replace the first one under the same number.
            _ = try await running.events(1)
            _ = try await running.surface.present(playSuggestion("b"), for: .seconds(600))
            try await recorder.tellClosed(2, reason: 2)
            #expect(
                try await running.events(2) == [
                    .activated(suggestion: "a", action: .accept, token: nil),
                    .closed(suggestion: "b", reason: .dismissed),
                ])
        }
    }

    @Test("Unknown numbers, unknown keys and bad signals are ignored")
    func foreignSignals() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await recorder.activate(2, "play")
            try await recorder.activate(1, "reply")
            try await recorder.tellClosed(9, reason: 1)
            let bus = recorder.connection
            let path: ObjectPath = "/org/freedesktop/Notifications"
            let interface: InterfaceName = "org.freedesktop.Notifications"
            try await bus.emit(path, interface, "ActionInvoked", body: [.string("1"), .string("play")])
            try await bus.emit(path, interface, "ActionInvoked", body: [.uint32(1)])
            try await bus.emit(path, interface, "ActionInvoked", body: [])
            try await bus.emit(path, interface, "NotificationClosed", body: [.uint32(1), .string("x")])
            try await bus.emit(path, interface, "ActivationToken", body: [.uint32(1), .uint32(1)])
            try await bus.emit(path, interface, "Unheard", body: [.uint32(1)])
            try await recorder.activate(1, "play", token: String(repeating: "t", count: 4_097))
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: .accept, token: nil)])
        }
    }

    @Test("Another program on the bus cannot press Play")
    func forgedSignals() async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus) { running in
                let recorder = try await NotificationRecorder.start(on: bus, loop: running.loop)
                _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
                let forger = try await Connection.open(BusAddress(bus.address), on: running.loop)
                let name = try #require(await running.bus.uniqueName)
                // Also sent to this connection alone, where no match rule filters.
                for destination in [nil, name] {
                    try await forger.emit(
                        "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked",
                        body: [.uint32(1), .string("play")], to: destination)
                }
                let _: String = try await forger.call(.bus, .bus, .bus, "GetId")
                try await recorder.tellClosed(1, reason: 2)
                #expect(try await running.events(1) == [.closed(suggestion: "a", reason: .dismissed)])
            }
        }
    }

    @Test("A press during a replacement belongs to the old suggestion")
    func pressDuringReplacement() async throws {
        try await withRecorder { running, recorder in
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            recorder.setManner(.holding)
            async let result = running.surface.present(playSuggestion("b"), for: .seconds(600))
            _ = try await recorder.request(2)
            try await recorder.activate(1, "play")
            recorder.release()
            #expect(try await result == .shown(1))
            #expect(try await running.events(1) == [.activated(suggestion: "a", action: .accept, token: nil)])
            // The new one has the same number. It must still be open and receive its own answers.
            #expect(await running.surface.shownSuggestions == ["b"])
            try await recorder.activate(1, "not-now")
            #expect(
                try await running.events(2).last == .activated(suggestion: "b", action: .notNow, token: nil))
            #expect(recorder.record.state.closed.count <= 1)
        }
    }

    @Test("A press right after the reply belongs to the new suggestion")
    func pressAfterAnswer() async throws {
        try await withRecorder { running, recorder in
            for round in 0..<50 {
                let number = UInt32(round + 1)
                async let result = running.surface.present(playSuggestion("s\(round)"), for: .seconds(600))
                _ = try await recorder.request(round + 1)
                try await recorder.activate(number, "play")
                #expect(try await result == .shown(number))
                let last = try await running.events(round + 1).last
                #expect(last == .activated(suggestion: "s\(round)", action: .accept, token: nil))
            }
        }
    }

    @Test("A server that dies in a call refuses; its successor works")
    func deathDuringCall() async throws {
        try await withPrivateBus { bus in
            try await withSurface(on: bus) { running in
                let first = try await NotificationRecorder.start(on: bus, loop: running.loop)
                first.setManner(.silent)
                async let result = running.surface.present(playSuggestion("a"), for: .seconds(600))
                _ = try await first.request(1)
                await first.stop()
                guard case .refused = try await result else {
                    Issue.record("shown by a server that is gone")
                    return
                }
                let second = try await NotificationRecorder.start(on: bus, loop: running.loop)
                #expect(try await running.surface.present(playSuggestion("b"), for: .seconds(600)) == .shown(1))
                #expect(try await second.request(1).summary == "Episode 41")
            }
        }
    }

    @Test("Every subscriber gets every event")
    func readers() async throws {
        try await withRecorder { running, recorder in
            var other = await running.surface.events().makeAsyncIterator()
            _ = try await running.surface.present(playSuggestion("a"), for: .seconds(600))
            try await recorder.tellClosed(1, reason: 1)
            var event = await other.next()
            while event == .serverAppeared { event = await other.next() }
            #expect(event == .closed(suggestion: "a", reason: .expired))
            #expect(try await running.events(1) == [.closed(suggestion: "a", reason: .expired)])
        }
    }
}
