import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Triggers

@Suite("GeoClue location", .timeLimit(.minutes(15))) struct LocationTests {
    /// Follows GeoClue on a bus while `body` runs.
    private func following(
        configure: @Sendable (inout FakeGeoClue.Record) -> Void = { _ in },
        _ body:
            nonisolated(nonsending) (FakeGeoClue, Watched<[LocationState]>, PrivateBus, EventLoop) async throws ->
            Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await withPrivateBus(.system) { bus in
            let geoclue = try await FakeGeoClue.start(on: bus, loop: loop, configure: configure)
            try await followed(by: "org.example.App", on: bus, loop) { states in
                try await body(geoclue, states, bus, loop)
            }
            await geoclue.stop()
        }
    }

    /// Passes the user's positions to `body`, as an app follows them.
    private nonisolated(nonsending) func followed(
        by application: String, on bus: PrivateBus, _ loop: EventLoop,
        _ body: nonisolated(nonsending) (Watched<[LocationState]>) async throws -> Void
    ) async throws {
        let states = Watched<[LocationState]>([])
        let connection = try await Connection.open(BusAddress(bus.address), on: loop)
        let location = Location(on: loop, application: application, agentTime: .milliseconds(20))
        let task = Task(executorPreference: loop) {
            try await location.follow(connection) { state in states.update { $0.append(state) } }
        }
        do {
            try await body(states)
        } catch {
            task.cancel()
            await connection.close()
            throw error
        }
        task.cancel()
        _ = await task.result
        await connection.close()
    }

    private func wait(for state: LocationState, in states: Watched<[LocationState]>) async throws {
        do {
            try await withDeadline(.seconds(60), "\(state)") {
                try await states.wait { $0.last == state ? () : nil }
            }
        } catch {
            throw BenchError("\(states.state) rather than \(state)")
        }
    }

    private func wait(near latitude: Double, _ longitude: Double, in states: Watched<[LocationState]>) async throws {
        let there = try Coordinate(latitude: latitude, longitude: longitude)
        try await withDeadline(.seconds(60), "a position near \(there)") {
            try await states.wait { states in
                if case .at(let position)? = states.last, position.coordinate.distance(to: there) < 10 {
                    ()
                } else {
                    nil
                }
            }
        }
    }

    private func at(_ latitude: Double, _ longitude: Double, _ accuracy: Double = 40) throws -> LocationState {
        .at(Position(coordinate: try Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy))
    }

    @Test("GeoClue gets the app ID, accuracy and threshold")
    func found() async throws {
        try await following { geoclue, states, _, _ in
            try await geoclue.waitForStart()
            try await wait(for: .searching, in: states)
            let record = geoclue.record.state
            #expect(record.desktopID == "org.example.App" && record.accuracyLevel == 8 && record.threshold == 250)
            try await geoclue.move(52.5, 13.4)
            try await wait(for: at(52.5, 13.4), in: states)
            try await geoclue.move(-33.9, 151.2, accuracy: 25_000)
            try await wait(for: at(-33.9, 151.2, 25_000), in: states)
        }
    }

    @Test("A missing GeoClue agent is reported and awaited")
    func agent() async throws {
        try await following(configure: { $0.hasAgent = false }) { geoclue, states, _, _ in
            try await wait(for: .waitingForAgent, in: states)
            geoclue.record.update { $0.hasAgent = true }
            try await geoclue.waitForStart()
            try await geoclue.move(52.5, 13.4)
            try await wait(for: at(52.5, 13.4), in: states)
            #expect(geoclue.record.state.starts == 1)
        }
    }

    @Test("A denial is final until GeoClue restarts")
    func denied() async throws {
        try await following(configure: { $0.refusal = "not you" }) { geoclue, states, bus, loop in
            try await wait(for: .denied("not you"), in: states)
            #expect(geoclue.record.state.starts == 1)
            await geoclue.stop()
            let next = try await FakeGeoClue.start(on: bus, loop: loop)
            try await next.waitForStart()
            try await next.move(1, 2)
            try await wait(for: at(1, 2), in: states)
            try await next.revoke()
            try await wait(for: .denied("the permission was revoked"), in: states)
            #expect(next.record.state.starts == 1)
            await next.stop()
        }
    }

    @Test("A GeoClue restart is reported and followed")
    func restart() async throws {
        try await following { geoclue, states, bus, loop in
            try await geoclue.waitForStart()
            try await geoclue.move(52.5, 13.4)
            try await wait(for: at(52.5, 13.4), in: states)
            await geoclue.stop()
            try await wait(for: .absent, in: states)
            let next = try await FakeGeoClue.start(on: bus, loop: loop)
            try await next.waitForStart()
            try await next.move(1, 2)
            try await wait(for: at(1, 2), in: states)
            await next.stop()
        }
    }

    @Test("A location without a coordinate ends the former position")
    func lost() async throws {
        try await following { geoclue, states, _, _ in
            try await geoclue.waitForStart()
            try await geoclue.move(52.5, 13.4)
            try await wait(for: at(52.5, 13.4), in: states)
            try await geoclue.losePosition()
            try await wait(for: .searching, in: states)
            try await geoclue.move(1, 2)
            try await wait(for: at(1, 2), in: states)
        }
    }

    @Test("A location that is gone does not end a newer position")
    func replaced() async throws {
        try await following { geoclue, states, _, _ in
            try await geoclue.waitForStart()
            try await geoclue.move(52.5, 13.4)
            try await wait(for: at(52.5, 13.4), in: states)
            states.update { $0 = [] }
            try await geoclue.announceGoneLocation()
            try await wait(for: at(52.5, 13.4), in: states)
            try await geoclue.move(1, 2)
            try await wait(for: at(1, 2), in: states)
            #expect(!states.state.contains(.searching))
        }
    }

    @Test("The real GeoClue with an agent reports satellite positions")
    func real() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await withPrivateBus(.system) { bus in
            try await withGeoClue(on: bus, loop: loop) { geoclue in
                try await followed(by: "org.hunch.Hunch", on: bus, loop) { states in
                    try await wait(for: .waitingForAgent, in: states)
                    geoclue.move(52.517, 13.378)
                    let agent = try await geoclue.startAgent()
                    try await wait(near: 52.517, 13.378, in: states)
                    // Below the threshold and beyond it.
                    geoclue.move(52.518, 13.378)
                    geoclue.move(-33.857, 151.215)
                    try await wait(near: -33.857, 151.215, in: states)
                    await agent.close()
                }
            }
        }
    }

    @Test(
        "An invalid location is ignored",
        arguments: [
            [:], ["Latitude": .double(1)], ["Latitude": .double(91), "Longitude": .double(0)],
            ["Latitude": .double(.nan), "Longitude": .double(0)], ["Latitude": .string("1"), "Longitude": .double(0)],
        ] as [VariantMap])
    func malformed(_ location: VariantMap) {
        #expect(Position(location: location) == nil)
    }

    @Test("A missing or invalid accuracy counts as unknown")
    func odd() throws {
        let place: VariantMap = ["Latitude": .double(1), "Longitude": .double(2)]
        for accuracy: Value? in [nil, .double(.nan), .string("good")] {
            var location = place
            location["Accuracy"] = accuracy
            #expect(try #require(Position(location: location)).accuracy == .infinity)
        }
        var location = place
        location["Accuracy"] = .double(-3)
        #expect(try #require(Position(location: location)).accuracy == 0)
    }
}
