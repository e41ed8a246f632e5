import AgentInterface
import EventLoops
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of the places that apps get to know, and of the question before that.
@Suite("Recent places", .timeLimit(.minutes(15))) struct RecentPlacesTests {
    private static let podcasts: AppID = "org.example.Podcasts"

    /// An agent that knows three places of two apps, and takes each caller for the given one.
    private func run(
        as caller: Watched<CallerIdentity?>, now: Watched<Date> = Watched(Planted.now), isEnabled: Bool = true,
        capabilities: [String] = NotificationRecorder.commonCapabilities,
        _ body: nonisolated(nonsending) (AgentRig, NotificationRecorder) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "recorder")
        defer { loop.stop() }
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try StoreFile(home: home).use { store in
                for (number, (app, name)) in [
                    ("org.example.Guide", "Oodi"), ("org.example.Guide", "Yank Sing"), ("org.example.Web", "OODI"),
                    ("org.example.Web", "Tivoli"),
                ].enumerated() {
                    let seen = SeenPlace(
                        application: AppID(app), place: MapItem(name: name),
                        date: Planted.now.addingTimeInterval(Double(number - 10) * 60))
                    #expect(try store.remember(seen, now: Planted.now).isRecorded)
                }
                try store.setEnabled(isEnabled)
            }
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Pod <b>Casts</b>\nExec=true\n",
                to: "data/applications/\(Self.podcasts).desktop")
            try await withPrivateBus { bus in
                let recorder = try await NotificationRecorder.start(on: bus, loop: loop, capabilities: capabilities)
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.now = { now.state }
                        $0.identify = { if let caller = caller.state { caller } else { try await $0.caller() } }
                    }
                ) { try await body($0, recorder) }
                await recorder.stop()
            }
        }
    }

    private static func names(_ answer: RecentPlaces) -> [String] { answer.places.compactMap(\.name) }

    /// Asks until the question is shown.
    private func ask(_ rig: AgentRig) async throws {
        try await eventually("the question", because: "nothing tells that notifications are followed") {
            try await rig.agent.recentPlaces().access == .asked ? () : nil
        }
    }

    @Test("An app that the user allows learns the places, and is notified", arguments: [true, false])
    func question(isSandboxed: Bool) async throws {
        let caller = Watched<CallerIdentity?>(isSandboxed ? Callers.sandboxed : Callers.unsandboxed)
        try await run(as: caller) { rig, recorder in
            var decisions = try await rig.agent.placeDecisions().makeAsyncIterator()
            #expect(try await rig.agent.recentPlaces(mayAsk: false) == RecentPlaces(.unasked))
            try await ask(rig)
            let question = try await recorder.request(1)
            #expect(question.summary == "Show Pod <b>Casts</b> the places you looked at?")
            #expect(question.actions == ["choice-0", "Allow", "choice-1", "Don't allow"])
            // Another process of the app waits for the same answer.
            try await withClient(of: rig.bus) { other in
                var others = try await other.placeDecisions().makeAsyncIterator()
                #expect(try await other.recentPlaces() == RecentPlaces(.asked))
                try await recorder.activate(question.number, "choice-0")
                let told = await others.next()
                #expect(told == true)
            }
            #expect(await decisions.next() == true)
            let answer = try await rig.agent.recentPlaces()
            #expect(answer.access == .allowed && Self.names(answer) == ["Tivoli", "OODI", "Yank Sing"])
            #expect(try await Self.names(rig.agent.recentPlaces(limit: 1)) == ["Tivoli"])
            // An excluded app's places, and an excluded app; and a pause.
            caller.update { $0 = nil }
            _ = try await rig.agent.exclude(Self.podcasts)
            caller.update { $0 = Callers.unsandboxed }
            #expect(try await rig.agent.recentPlaces() == RecentPlaces(.denied))
            caller.update { $0 = nil }
            _ = try await rig.agent.include(Self.podcasts)
            _ = try await rig.agent.exclude("org.example.Web")
            #expect(try await Self.names(rig.agent.recentPlaces()) == ["Yank Sing", "Oodi"])
            try await rig.agent.pause()
            caller.update { $0 = Callers.unsandboxed }
            #expect(try await rig.agent.recentPlaces() == RecentPlaces(.allowed))
            // The user revokes it.
            caller.update { $0 = nil }
            let list = try await rig.hunch("allow", "--list").output()
            #expect(list == "org.example.Podcasts\treads the places you looked at\n")
            #expect(try await rig.hunch("allow", "--places", "\(Self.podcasts)", "--revoke").status == .exited(0))
            #expect(try await rig.hunch("allow", "--places", "\(Self.podcasts)", "--revoke").status == .exited(1))
            caller.update { $0 = Callers.unsandboxed }
            #expect(try await rig.agent.recentPlaces() == RecentPlaces(.denied))
            #expect(recorder.record.state.requests.count == 1)
        }
    }

    @Test func `A refusal is remembered, and only the command changes it`() async throws {
        let caller = Watched<CallerIdentity?>(Callers.sandboxed)
        try await run(as: caller) { rig, recorder in
            var decisions = try await rig.agent.placeDecisions().makeAsyncIterator()
            try await ask(rig)
            try await recorder.activate(recorder.request(1).number, "choice-1")
            #expect(await decisions.next() == false)
            #expect(try await rig.agent.recentPlaces() == RecentPlaces(.denied))
            caller.update { $0 = nil }
            #expect(try await rig.agent.placeAccess() == [Self.podcasts: false])
            // Forgetting keeps the user's settings, and the place is gone.
            _ = try await rig.agent.forget(.everything)
            #expect(try await rig.agent.placeAccess() == [Self.podcasts: false])
            #expect(try await rig.agent.recentPlaces().places.isEmpty)
            #expect(try await rig.hunch("allow", "--places", "\(Self.podcasts).desktop").status == .exited(0))
            #expect(try await rig.agent.placeAccess() == [Self.podcasts: true])
            #expect(try await rig.hunch("allow", "--places", "org.example.Absent").status == .exited(2))
            #expect(try await rig.hunch("allow", "--places", "org.example.Absent", "--revoke").status == .exited(1))
            #expect(try await rig.agent.placeAccess() == [Self.podcasts: true])
        }
    }

    @Test func `A closed question is asked again only the next day`() async throws {
        let (caller, clock) = (Watched<CallerIdentity?>(Callers.sandboxed), Watched(Planted.now))
        try await run(as: caller, now: clock) { rig, recorder in
            try await ask(rig)
            try await recorder.tellClosed(recorder.request(1).number, reason: 2)
            for _ in 0..<5 { #expect(try await rig.agent.recentPlaces() == RecentPlaces(.unasked)) }
            clock.update { $0 += 86_399 }
            #expect(try await rig.agent.recentPlaces() == RecentPlaces(.unasked))
            clock.update { $0 += 2 }
            try await ask(rig)
            #expect(try await recorder.request(2).actions.count == 4)
        }
    }

    @Test("No question is asked that cannot be answered, or while Hunch is off", arguments: [true, false])
    func unanswerable(isEnabled: Bool) async throws {
        let caller = Watched<CallerIdentity?>(Callers.unsandboxed)
        try await run(as: caller, isEnabled: isEnabled, capabilities: isEnabled ? ["body"] : ["actions", "body"]) {
            rig, recorder in
            // Watching begins a moment after the start, and nothing reports when.
            for _ in 0..<10 {
                #expect(try await rig.agent.recentPlaces() == RecentPlaces(.unasked))
                _ = try await TestSupport.run("sleep", ["0.1"])
            }
            caller.update { $0 = Callers.unknown }
            let refusal = try await rig.refusal { _ = try await $0.agent.recentPlaces() }
            #expect(refusal?.name == .accessDenied)
            #expect(recorder.record.state.requests.isEmpty)
        }
    }

    @Test func `Pausing takes the question from the screen`() async throws {
        try await run(as: Watched(Callers.unsandboxed)) { rig, recorder in
            try await ask(rig)
            let question = try await recorder.request(1)
            try await rig.agent.pause()
            try await recorder.waitForClosing(of: question.number)
            #expect(try await rig.agent.recentPlaces() == RecentPlaces(.unasked))
        }
    }
}
