import AgentInterface
import FoundationEssentials
import History
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Learning
@testable import Services

/// Tests of the user's place.
@Suite("Places", .serialized, .timeLimit(.minutes(15))) struct PlaceTests {
    /// Whether the test calls as an app, rather than as the user.
    fileprivate static let isApp = Watched(false)
    private static let home = (latitude: 52.517, longitude: 13.378)
    private static let inside = Watched<Agent?>(nil)

    /// An agent with a fake GeoClue and a clock that the test sets.
    private func withGeoClue(
        _ body: nonisolated(nonsending) (AgentRig, FakeGeoClue, Watched<Date>) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "geoclue")
        defer { loop.stop() }
        let clock = Watched(Planted.now)
        let isApp = Self.isApp
        isApp.update { $0 = false }
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus(.system) { system in
                let geoclue = try await FakeGeoClue.start(on: system, loop: loop)
                try await withPrivateBus { bus in
                    try await withAgentInside(
                        on: bus, in: home, also: system.environment,
                        configure: {
                            $0.now = { clock.state }
                            $0.identify = { isApp.state ? Callers.unsandboxed : try await $0.caller() }
                        }, reach: { agent in Self.inside.update { $0 = agent } }
                    ) { rig in try await body(rig, geoclue, clock) }
                }
                await geoclue.stop()
            }
        }
    }

    private func waitForStatus(_ location: String, place: String?, _ rig: AgentRig) async throws {
        try await eventually("“\(location)” at \(place ?? "no place")", because: "Status has no signal") {
            let status = try await rig.agent.status().transfer
            let context: [String: String] = try status.require("context")
            return try AgentStatus(transfer: status).part("location")?.state == location && context["place"] == place
                ? () : nil
        }
    }

    /// Moves the user to a position for ten minutes of the clock.
    private func stay(_ geoclue: FakeGeoClue, _ clock: Watched<Date>, at spot: (Double, Double), _ rig: AgentRig)
        async throws
    {
        try await geoclue.move(spot.0, spot.1)
        // Only then may the time pass.
        let spotted = try Coordinate(latitude: spot.0, longitude: spot.1)
        let present = try await #require(Self.inside.state).environment.present
        try await eventually("the position", because: "it has no signal") {
            await present.position()?.coordinate == spotted ? () : nil
        }
        try await waitForStatus("watching", place: nil, rig)
        clock.update { $0 += 600 }
        try await geoclue.move(spot.0 + 0.0001, spot.1)
    }

    @Test("The location is requested only while allowed")
    func permission() async throws {
        try await withGeoClue { rig, geoclue, clock in
            try await waitForStatus("not allowed", place: nil, rig)
            #expect(geoclue.record.state.starts == 0)
            try await rig.agent.setCategory("location", isRecorded: true)
            try await geoclue.waitForStart()
            #expect(geoclue.record.state.desktopID == "org.hunch.Hunch")
            try await stay(geoclue, clock, at: Self.home, rig)
            try await waitForStatus("watching", place: "place-1", rig)

            let client = try #require(geoclue.record.state.client)
            try await rig.agent.setCategory("location", isRecorded: false)
            try await waitForStatus("not allowed", place: nil, rig)
            try await eventually("GeoClue being left alone", because: "its client is not a signal") {
                await geoclue.hasPeer(client) ? nil : ()
            }
            // Learned places stay until they are forgotten.
            let kept = try StoreFile(home: rig.home).use { try $0.whereabouts() }
            #expect(kept.places.map(\.word) == ["place-1"] && kept.stays.count == 1)
            #expect(geoclue.record.state.starts == 1)
        }
    }

    @Test("A position that is no longer known is not used", arguments: ["revoked", "ended"])
    func lost(how: String) async throws {
        try await withGeoClue { rig, geoclue, clock in
            try await rig.agent.setCategory("location", isRecorded: true)
            try await geoclue.waitForStart()
            try await stay(geoclue, clock, at: Self.home, rig)
            try await waitForStatus("watching", place: "place-1", rig)
            clock.update { $0 += 1_800 }
            if how == "revoked" { try await geoclue.revoke() } else { await geoclue.stop() }
            let state = how == "revoked" ? "denied: the permission was revoked" : "absent"
            try await waitForStatus(state, place: nil, rig)
            // The stay has ended. The user has not left, as far as is known.
            clock.update { $0 += 7_200 }
            let later = try await rig.donateAsApp()
            #expect(later.further["place"] == nil && later.trigger == nil)
            let known = try StoreFile(home: rig.home).use { try $0.whereabouts() }
            #expect(known.stays.map { $0.end.timeIntervalSince($0.begin) } == [2_400])
        }
    }

    @Test("A user who was seen elsewhere arrives")
    func arrival() async throws {
        try await withGeoClue { rig, geoclue, clock in
            try await rig.agent.setCategory("location", isRecorded: true)
            try await geoclue.waitForStart()
            try await stay(geoclue, clock, at: Self.home, rig)
            try await waitForStatus("watching", place: "place-1", rig)
            try await geoclue.move(48.1, 11.5)
            try await waitForStatus("watching", place: nil, rig)
            try await stay(geoclue, clock, at: Self.home, rig)
            try await waitForStatus("watching", place: "place-1", rig)
            #expect(try await rig.donateAsApp().trigger == .arrival("place-1"))
        }
    }

    @Test("An action is learned and forgotten with its place")
    func learned() async throws {
        try await withGeoClue { rig, geoclue, clock in
            try await rig.agent.setCategory("location", isRecorded: true)
            try await geoclue.waitForStart()
            try await stay(geoclue, clock, at: Self.home, rig)
            try await waitForStatus("watching", place: "place-1", rig)
            let context = try await rig.donateAsApp()
            // Nothing says that the user came there just now.
            #expect(context.further["place"] == "place-1" && context.trigger == nil)
            clock.update { $0 += 3_600 }
            let later = try await rig.donateAsApp()
            #expect(later.further["place"] == "place-1" && later.trigger == nil)
            try await geoclue.move(48.1, 11.5)
            try await waitForStatus("watching", place: nil, rig)
            let left = try await rig.donateAsApp()
            #expect(left.further["place"] == nil && left.trigger == .departure("place-1"))
            let known = try StoreFile(home: rig.home).use { try $0.whereabouts() }
            let place = try #require(known.places.first)
            #expect(place.coordinate == (try Coordinate(latitude: 52.517, longitude: 13.378)))
            #expect(known.stays.map { $0.end.timeIntervalSince($0.begin) } == [4_200])

            #expect(try await rig.agent.forget(.application("other"))["stays"] == 0)
            try await waitForStatus("watching", place: nil, rig)
            let receipt = try await rig.agent.forget(.place("52.517,13.378"))
            #expect(receipt["stays"] == 1 && receipt["donations"] == 3)
            #expect(try StoreFile(home: rig.home).use { try $0.whereabouts() }.places == [])
            // When the user returns, it counts as a new place.
            try await geoclue.move(Self.home.latitude, Self.home.longitude)
            try await waitForStatus("watching", place: nil, rig)
        }
    }

    @Test("hunch doctor says why there is no place")
    func reasons() async throws {
        let loop = try EventLoop()
        try loop.start(name: "geoclue")
        defer { loop.stop() }
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus(.system) { system in
                let geoclue = try await FakeGeoClue.start(on: system, loop: loop) { $0.refusal = "not you" }
                try await withPrivateBus { bus in
                    try await withAgent(on: bus, in: home, also: system.environment) { rig, _ in
                        for (word, reason) in [
                            ("--omit", "not allowed"), ("--record", "GeoClue gives no position: not you"),
                        ] {
                            _ = try await rig.hunch("keep", word, "location").output()
                            try await eventually("“\(reason)”", because: "doctor has no signal") {
                                let findings = try await rig.hunch("doctor", "--json").standardOutput
                                return findings.contains(reason) ? () : nil
                            }
                        }
                        let status = try await rig.hunch("status").output()
                        #expect(status.contains("location\tGeoClue gives no position: not you"), "\(status)")
                    }
                }
                await geoclue.stop()
            }
        }
    }

    @Test("A far place of directions is shown with its distance, and a doubtful one is asked about")
    func farPlace() async throws {
        try await withGeoClue { rig, geoclue, clock in
            try await rig.agent.setCategory("location", isRecorded: true)
            try await geoclue.waitForStart()
            try await stay(geoclue, clock, at: (40.8, -83.0), rig)
            try await eventually("the position", because: "Status has no signal") {
                try await rig.agent.status().latitude == nil ? nil : ()
            }
            let rows = [
                "Strasbourg\tStrasbourg\tStrasburg\t48.58\t7.75\tFR\t274845",
                "Marion\tMarion\t\t40.59\t-83.13\tUS\t35000",
                "Tokyo\tTokyo\t\t35.69\t139.69\tJP\t45000000",
            ]
            let list = rows.enumerated().map { index, row in
                let parts = row.split(separator: "\t", omittingEmptySubsequences: false)
                return
                    "\(index)\t\(parts[0..<5].joined(separator: "\t"))\tP\tPPL\t\(parts[5])\t\t\t\t\t\t\(parts[6])\t\t10\tEtc/UTC\t2024-01-01"
            }
            let path = try rig.home.directory.write(
                list.joined(separator: "\n"), to: "x/libtimezonemap/ui/cities15000.txt")
            #expect(try await rig.hunch("gazetteer", "import", path).status == .exited(0))
            let doubtful = try await rig.hunch("directions", "Strasbourg")
            #expect(doubtful.standardError.contains("the only “Strasbourg” known here is Strasbourg"), "\(doubtful)")
            #expect(doubtful.standardError.contains("write “Strasbourg, France” if you mean it"), "\(doubtful)")
            let far = try await rig.hunch("directions", "Tokyo")
            #expect(far.standardError.contains("to Tokyo, Japan (10,"), "\(far)")
            #expect(far.standardError.split(separator: "\n").count == 1, "\(far)")
            let near = try await rig.hunch("directions", "Marion")
            #expect(near.standardError == "hunch: to Marion, United States\n", "\(near)")
            let similar = try await rig.hunch("directions", "Strasburg")
            #expect(
                similar.standardError.contains("“Strasburg” may be Strasbourg"), "\(similar)")
        }
    }

    @Test("A place announcement is suggested only on arriving there")
    func announced() async throws {
        let loop = try EventLoop()
        try loop.start(name: "geoclue")
        defer { loop.stop() }
        try await withMediaScene(played: [], configure: AnnouncementTests.asApp) { scene in
            let geoclue = try await FakeGeoClue.start(on: scene.system, loop: loop)
            try await scene.withApp { app in
                let museum = try Coordinate(latitude: 52.5, longitude: 13.4)
                var guided = Announcement(item: "show-2/episode-1", title: "Guide")
                (guided.place, guided.radius) = (museum, 150)
                var elsewhere = Announcement(item: "show-2/episode-2", title: "Other guide")
                elsewhere.place = try Coordinate(latitude: 48, longitude: 11)
                try await scene.rig.agent.setRelevant([elsewhere, guided])
                try StoreFile(home: scene.rig.home).use { try $0.setCategory(.location, isAllowed: true) }
                // The setting was changed while no agent ran.
                try await scene.rig.agent.disable()
                try await scene.rig.agent.enable()
                try await geoclue.waitForStart()
                try await geoclue.move(52.6, 13.4)
                try await geoclue.move(52.5005, 13.4)
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 1"), "\(shown)")
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                try await scene.rig.agent.accept(offered.id)
                try await app.waitForLine(containing: "playing show-2/episode-1")
                let recorded = try StoreFile(home: scene.rig.home).use { try $0.engagements(limit: 10) }
                #expect(recorded.allSatisfy { $0.context.trigger == .move } && !recorded.isEmpty)
            }
            await geoclue.stop()
        }
    }
}

extension AgentRig {
    /// Donates a play as the test, and returns the circumstances that were recorded.
    fileprivate func donateAsApp() async throws -> Context {
        PlaceTests.isApp.update { $0 = true }
        defer { PlaceTests.isApp.update { $0 = false } }
        guard try await codes([Item.play("x")]) == [""], let donation = try donations().last else {
            throw BenchError("nothing was recorded")
        }
        return donation.context
    }
}
